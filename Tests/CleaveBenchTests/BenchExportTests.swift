import Cleave
import CommandLineKit
import Foundation
import Posix
import Testing

@testable import CleaveBench

@Suite struct BenchExportTests {
  private let report = BenchSample.report([
    BenchSample.result(.direct, highWater: 4096, seconds: [1, 3]),
    BenchSample.baseline(.command("a \"b\", c"), seconds: [2, 2]),
  ])

  @Test func theJSONIsTheOneOfHyperfine() throws {
    let object = try json(report)
    #expect(Set(object.keys) == ["host", "results"])
    let results = try #require(object["results"] as? [[String: Any]])
    #expect(results.count == 2)
    let first = try #require(results.first)
    #expect(
      Set(first.keys) == [
        "command", "mean", "stddev", "median", "user", "system", "min", "max", "times",
        "memory_usage_byte", "exit_codes", "parameters", "ratios",
      ]
    )
    #expect(first["command"] as? String == "cleave merge --engine=direct")
    #expect(first["mean"] as? Double == 2)
    #expect(first["stddev"] as? Double == 2.0.squareRoot())
    #expect(first["median"] as? Double == 2)
    #expect(first["user"] as? Double == 1)
    #expect(first["system"] as? Double == 0.5)
    #expect(first["min"] as? Double == 1)
    #expect(first["max"] as? Double == 3)
    #expect(first["times"] as? [Double] == [1, 3])
    #expect(first["memory_usage_byte"] as? [Int] == [1 << 20, 2 << 20])
    #expect(first["exit_codes"] as? [Int] == [0, 0])
    #expect(first["ratios"] as? [Double] == [0.5, 1.5])
    #expect(
      first["parameters"] as? [String: String]
        == ["engine": "direct", "high_water": "4096", "verify": "stream"]
    )
    #expect(results[1]["parameters"] as? [String: String] == ["engine": "baseline"])
  }

  @Test func theDeviationOfOneRunIsNull() throws {
    let single = BenchSample.report([BenchSample.result(nil, seconds: [1])], hasBaseline: false)
    let results = try #require(try json(single)["results"] as? [[String: Any]])
    #expect(results.first?["stddev"] is NSNull)
  }

  @Test func theHostIsToldByMembers() throws {
    let host = try #require(try json(report)["host"] as? [String: Any])
    #expect(
      Set(host.keys) == [
        "processors", "processor", "memory_byte", "kernel", "file_system", "cold",
        "not_dropped_byte", "synced", "split", "bytes", "parts", "runs", "baseline", "library",
        "version", "arguments", "date",
      ]
    )
    #expect(host["bytes"] as? Int == 100 << 20)
    #expect(host["arguments"] as? [String] == ["bench", "--size=100M"])
    #expect(host["date"] as? String == "2026-01-02T03:04:05Z")
    #expect(host["synced"] as? Bool == true)
  }

  @Test func theTableOfValuesIsTheOneOfHyperfine() {
    let text = BenchCSV(report: report).text
    let lines = text.split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "command,mean,stddev,median,user,system,min,max,parameter_engine,parameter_high_water,"
          + "parameter_verify,lower_quartile,mib_per_second,ratio_lower_quartile,ratio_median,"
          + "peak_memory_byte",
        "cleave merge --engine=direct,2.0,\(2.0.squareRoot()),2.0,1.0,0.5,1.0,3.0,direct,4096,"
          + "stream,1.5,50.0,0.75,1.0,2097152",
        "\"a \"\"b\"\", c\",2.0,0.0,2.0,1.0,0.5,2.0,2.0,baseline,,,2.0,50.0,,,2097152",
      ]
    )
  }

  private func json(_ report: BenchReport) throws -> [String: Any] {
    let text = try JSONText.of(BenchJSON(report))
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(object as? [String: Any])
  }
}
