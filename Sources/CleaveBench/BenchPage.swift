import Cleave
import CommandLineKit

/// The results as one page of HTML that needs nothing else: no script, no network.
struct BenchPage {
  private let report: BenchReport
  private let contest: BenchContest
  private let names: BenchNames

  init(_ report: BenchReport) {
    self.report = report
    contest = BenchContest(report)
    names = BenchNames(report.results)
  }

  var text: String {
    let body = [header] + plots + [table, runs, host]
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title.asMarkup)</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      <main>
      \(body.joined(separator: "\n"))
      </main>
      </body>
      </html>

      """
  }

  private var title: String {
    let verb = report.host.isSplit ? "splitting" : "merging"
    return "cleave bench: \(verb) \(ByteSize.short(report.host.bytes))"
  }

  private var header: String {
    """
    <h1>\(title.asMarkup)</h1>
    <p class="lead">\(contest.sentence.asMarkup)</p>
    """
  }

  // MARK: Plots

  private typealias Entry = BenchContest.Entry

  private var plots: [String] {
    [.time, .memory].map { (measure: BenchPlot.Measure) in section(measure) }
  }

  /// One plot by engine; where a water mark was varied, one more for each engine, by that.
  private func section(_ measure: BenchPlot.Measure) -> String {
    let isVaried = names.varying.count > 1
    let most = report.results.flatMap { measure.values($0) }.max() ?? 0
    let baseline = contest.entries.first(where: \.isBaseline)
    func plot(_ id: String, _ title: String, _ entries: [Entry]) -> String {
      BenchPlot(
        id: "\(measure.id)-\(id)",
        title: title,
        measure: measure,
        most: most,
        digits: report.digits,
        baseline: baseline,
        rows: entries
      ).svg
    }
    let title = isVaried ? ", with its best settings" : ""
    var lines = [
      "<section>", "<h2>\(measure.title)</h2>",
      "<p>Each dot is a run. The band reaches from the lower to the upper quartile, the line in it "
        + "is the median\(baseline == nil ? "" : ", the dashed line that of the baseline"). "
        + "Less is better.</p>",
      plot(
        "engines",
        "\(measure.title) by engine\(title)",
        isVaried ? best(measure) : contest.entries
      ),
    ]
    if isVaried {
      for (index, group) in groups.enumerated() {
        lines.append("<h3>\(group.engine.asMarkup), by \(variedTitles)</h3>")
        lines.append(plot("\(index)", "\(measure.title) of \(group.engine)", group.entries))
      }
    }
    return (lines + ["</section>"]).joined(separator: "\n")
  }

  private var variedTitles: String {
    names.varying.filter { $0 != .engine }.map(\.title).joined(separator: " and ").asMarkup
  }

  private func best(_ measure: BenchPlot.Measure) -> [Entry] {
    groups.compactMap { group in
      group.entries.min { measure.median($0.result) < measure.median($1.result) }
    } + contest.entries.filter(\.isBaseline)
  }

  /// The runs of cleave by engine, in the order of the results.
  private var groups: [(engine: String, entries: [Entry])] {
    BenchHost.values(of: .engine, in: report.results).map { engine in
      let own = contest.entries.filter {
        !$0.isBaseline && $0.result.contender.parameters[.engine] == engine
      }
      return (engine, own)
    }
  }

  // MARK: Tables

  private var table: String {
    let table = BenchTable(report)
    return """
      <section>
      <h2 id="table">Table</h2>
      \(Self.table(table.header, table.rows, names: table.names, label: "table"))
      <p>q1 is the lower quartile. Ratios are to the baseline's time in the same round. CPU is the \
      median of user and system time together, peak the most memory of any run.</p>
      </section>
      """
  }

  private var runs: String {
    let rows = contest.entries.flatMap { entry in
      entry.result.runs.enumerated().map { index, run in
        [
          entry.name, "\(index + 1)", run.seconds.fixed(report.digits),
          (run.userSeconds + run.systemSeconds).fixed(report.digits),
          (Double(run.peakResident) / Double(1 << 20)).fixed(1),
        ]
      }
    }
    let header = ["engine", "round", "s", "CPU s", "peak MiB"]
    return """
      <section>
      <h2 id="runs">Every run</h2>
      <details>
      <summary>\(rows.count.counted("run"))</summary>
      \(Self.table(header, rows, names: 1, label: "runs"))
      </details>
      </section>
      """
  }

  private var host: String {
    let commands = contest.entries.map { entry in
      "<dt>\(entry.name.asMarkup)</dt>\n<dd><code>\(entry.result.command.asMarkup)</code></dd>"
    }
    let line = report.host.line(report.results).split(separator: "; ").map {
      "<li>\(String($0).asMarkup)</li>"
    }
    let arguments = report.host.arguments.map(\.description).joined(separator: " ")
    return """
      <section>
      <h2>Machine and settings</h2>
      <ul>
      \(line.joined(separator: "\n"))
      <li><code>cleave \(arguments.asMarkup)</code></li>
      <li><time>\(report.host.date.asMarkup)</time></li>
      </ul>
      <h3>Commands</h3>
      <dl>
      \(commands.joined(separator: "\n"))
      </dl>
      </section>
      """
  }

  /// One that scrolls by itself where it is wider than the page.
  private static func table(
    _ header: [String],
    _ rows: [[String]],
    names: Int,
    label: String
  ) -> String {
    let head = header.map { "<th scope=\"col\">\($0.asMarkup)</th>" }.joined()
    let lines = rows.map { row in
      let cells = row.enumerated().map { column, cell in
        column < names && !cell.isEmpty
          ? "<th scope=\"row\">\(cell.asMarkup)</th>" : "<td>\(cell.asMarkup)</td>"
      }
      return "<tr>\(cells.joined())</tr>"
    }
    return """
      <div class="wide" role="region" aria-labelledby="\(label)" tabindex="0">
      <table>
      <thead><tr>\(head)</tr></thead>
      <tbody>
      \(lines.joined(separator: "\n"))
      </tbody>
      </table>
      </div>
      """
  }

  private static let style = """
    :root { color-scheme: light dark; --ground: #fff; --text: #1b1f24; --soft: #57606a; --line: #d0d7de;
      --dot: #0b62c4; --band: #cfe3fb; --other: #9a4a00; --otherband: #fbe2cc; }
    @media (prefers-color-scheme: dark) { :root { --ground: #14181d; --text: #e6e9ed; --soft: #a5b0bb;
      --line: #3a424c; --dot: #6cb2ff; --band: #1d3a5c; --other: #ffb070; --otherband: #523318; } }
    body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
    main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
    h1, h2, h3 { line-height: 1.25; }
    .lead { font-size: 1.25rem; }
    p { max-width: 45rem; }
    svg { display: block; width: 100%; font: 14px system-ui, sans-serif; }
    svg text { fill: var(--text); paint-order: stroke; stroke: var(--ground); stroke-width: 3px; }
    svg .axis { fill: var(--soft); font-size: 12px; }
    svg line { stroke: var(--line); } svg .dashed { stroke: var(--other); stroke-dasharray: 4 3; }
    svg circle { fill: var(--dot); fill-opacity: .75; } svg rect { fill: var(--band); }
    svg .median { stroke: var(--dot); stroke-width: 2; }
    svg .other circle { fill: var(--other); } svg .other rect { fill: var(--otherband); }
    svg .other .median { stroke: var(--other); }
    .wide { overflow-x: auto; }
    table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
    th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: right;
      white-space: nowrap; }
    tbody th, thead th:first-child { text-align: left; font-weight: normal; }
    dd { margin: 0 0 .5rem 1rem; } code { overflow-wrap: anywhere; }
    """
}
