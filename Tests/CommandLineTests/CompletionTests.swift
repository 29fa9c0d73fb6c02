import Posix
import TestSupport
import Testing

/// What Tab offers, in the shells themselves.
@Suite(.aside) struct CompletionTests {
  /// What is typed, and what may stand in place of its last word, or behind the last `=` or comma in it.
  private static let rows: [(line: String, offers: [String])] = [
    ("cleave m", ["merge"]),
    ("cleave --color=always mer", ["merge"]),
    ("cleave --color=a", ["always", "auto"]),
    ("cleave merge ", ["dir", "film.001", "film.002", "my film.001", "x.sfv"]),
    // Where no part begins like that, any file is offered.
    ("cleave merge no", ["notes.txt"]),
    ("cleave merge --en", ["--engine"]),
    ("cleave merge --engine ", ["auto", "direct", "multiqueue", "serial", "zerocopy"]),
    ("cleave merge --engine=", ["auto", "direct", "multiqueue", "serial", "zerocopy"]),
    ("cleave merge --engine=d", ["direct"]),
    ("cleave merge --progress ", ["dir", "film.001", "film.002", "my film.001", "x.sfv"]),
    ("cleave merge --progress=ne", ["never"]),
    ("cleave merge -o n", ["notes.txt"]),
    ("cleave merge --manifest no", ["none", "notes.txt"]),
    ("cleave merge --checksum=crc32,sh", ["sha1", "sha224", "sha256", "sha384", "sha512"]),
    ("cleave merge --as n", ["n-of-m", "numbers"]),
    ("cleave merge --jo", []),
    ("cleave split --joi", ["--joiners"]),
    (
      "cleave split -b ",
      [
        "cd", "dvd", "discord", "fat32", "github", "github-release", "huggingface", "mail", "s3",
        "telegram", "whatsapp",
      ]
    ),
    ("cleave split n", ["notes.txt"]),
    ("cleave split --color=n", ["never"]),
    ("cleave split --numeric-suffixes=n", []),
    ("cleave bench --engine serial,d", ["direct"]),
    ("cleave bench --directory ", ["dir"]),
    ("cleave clean ", ["dir"]),
    ("cleave help c", ["cat", "clean", "completions"]),
    ("cleave completions ", ["bash", "fish", "zsh"]),
  ]

  @Test(.enabled(if: Tool.find("bash") != nil, "needs bash")) func bashOffersWhatFits() throws {
    try compare(
      "bash",
      #"""
      source "$SCRIPTS/completions"
      while IFS= read -r line; do
        # As readline does it, for which = is a word.
        read -ra COMP_WORDS <<<"${line//=/ = }"
        [[ $line != *' ' ]] || COMP_WORDS+=('')
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _cleave
        echo line
        [[ ${#COMPREPLY[@]} -eq 0 ]] || printf '%s\n' "${COMPREPLY[@]}"
      done <"$SCRIPTS/lines"
      """#
    )
  }

  @Test(.enabled(if: Tool.find("fish") != nil, "needs fish")) func fishOffersWhatFits() throws {
    try compare(
      "fish",
      #"""
      source "$SCRIPTS/completions"
      while read -l line
        echo line
        complete -C "$line" | string replace -r '\t.*' ''
      end <"$SCRIPTS/lines"
      true
      """#
    )
  }

  @Test(.enabled(if: Tool.find("fish") != nil, "needs fish"))
  func fishOffersFilesBesideOneThatBeginsLikeAnOption() throws {
    let directory = try TemporaryDirectory()
    for name in ["film.001", "-x.001"] as [FilePath] {
      try Files.write([], to: directory.file(name))
    }
    let script = try Tool.cleave.run(["completions", "fish"]).standardOutput
    try Files.write(script, to: directory.file("c.fish"))
    let fish = try #require(Tool.find("fish"))
    let outcome = try fish.run(
      ["-c", "source c.fish; complete -C 'cleave merge '"],
      environment: ["HOME": "\(directory.path)"],
      workingDirectory: directory.path
    )
    #expect(outcome.outputText.contains("film.001\n") && outcome.errorText == "", "\(outcome)")
  }

  /// A shell on a terminal of its own gets each line with a Tab behind it, and tells what it would show.
  @Test(.enabled(if: Tool.find("zsh") != nil, "needs zsh")) func zshOffersWhatFits() throws {
    try compare(
      "zsh",
      #"""
      zmodload zsh/zpty
      zpty inner zsh -f -i
      zpty -w inner 'PS1= PS2=; autoload -Uz compinit; compinit -u -D; source "$SCRIPTS/completions"'
      zpty -w inner 'compadd() {
        if [[ " $* " != *" -"[OAD]" "* ]]; then
          local -a found; builtin compadd -O found "$@"; print -rl -- "${(@Q)found}" >>"$SCRIPTS/found"
        fi
        builtin compadd "$@"
      }'
      zpty -w inner 'finish() { BUFFER=; print "<""end>" }; zle -N finish; bindkey "^G" finish'
      zpty -w inner 'bindkey "^I" complete-word; print "<""ready>"'
      zpty -r inner said '*<ready>*'
      while IFS= read -r line; do
        : >"$SCRIPTS/found"
        zpty -n -w inner "$line"$'\t\a'
        zpty -r inner said '*<end>*'
        print line
        cat "$SCRIPTS/found"
      done <"$SCRIPTS/lines"
      """#
    )
  }

  /// - Parameter driver: a script in the shell's language, which prints `line` and what is offered for each
  ///   line of the file `lines`, one below the other.
  private func compare(_ shell: FilePath, _ driver: String) throws {
    let (scripts, directory) = (try TemporaryDirectory(), try TemporaryDirectory())
    for name in ["film.001", "film.002", "my film.001", "notes.txt", "x.sfv"] as [FilePath] {
      try Files.write([], to: directory.file(name))
    }
    try Files.makeDirectory(directory.file("dir"))
    let completions = try Tool.cleave.run(
      ["completions", shell],
      standardOutput: .file(scripts.file("completions"))
    )
    #expect(completions.exitCode == 0, "\(completions)")
    let lines = Self.rows.map { $0.line + "\n" }.joined()
    try Files.write(Array(lines.utf8), to: scripts.file("lines"))
    try Files.write(Array(driver.utf8), to: scripts.file("driver"))
    let outcome = try #require(Tool.find(shell)).run(
      [scripts.file("driver")],
      environment: ["HOME": "\(scripts.path)", "SCRIPTS": "\(scripts.path)"],
      workingDirectory: directory.path
    )
    #expect(outcome.exitCode == 0 && outcome.errorText == "", "\(outcome)")
    let blocks = outcome.outputText.split(separator: "line\n", omittingEmptySubsequences: false)
    try #require(blocks.count == Self.rows.count + 1, "\(outcome)")
    for (row, block) in zip(Self.rows, blocks.dropFirst()) {
      #expect(Set(block.split(separator: "\n").map(Self.bare)) == Set(row.offers), "\(row.line)")
    }
  }

  /// Without what stands in front of it on the command line, and what the shell adds to it.
  private static func bare(_ offer: Substring) -> String {
    var offer = offer
    if offer.last == "/" || offer.last == "=" { offer.removeLast() }
    return String(offer.split { $0 == "=" || $0 == "," }.last ?? "")
  }
}
