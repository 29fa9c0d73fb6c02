import Cleave
import GNUSplit
import Posix
import Testing

struct SplitOptionsTests {
  private func message(_ words: [FilePath]) -> String? {
    do throws(SplitFailure) {
      _ = try SplitOptions(words)
      return nil
    } catch {
      return String(decoding: error.message ?? [], as: UTF8.self)
        .replacing("‘", with: "'").replacing("’", with: "'")
    }
  }

  private static let modes: [([String], SplitOptions.Mode)] = [
    ([], SplitOptions.Mode.lines(1000)),
    (["-100"], .lines(100)), (["-1", "-2"], .lines(2)), (["-12", "f"], .lines(12)),
    // The GNU scanner counts the words that it has passed, so that here the second digit begins anew.
    (["f", "-12"], .lines(2)),
    (["-99999999999999999999"], .lines(.max)),
    (["-b1Q"], .bytes(.max)), (["--bytes", "2K"], .bytes(2048)), (["--by=3"], .bytes(3)),
    (["--line-bytes=5"], .lineBytes(5)), (["--lines", "5"], .lines(5)),
    (["-n3"], .chunks(3, chunk: nil)), (["-n", " 2/3"], .chunks(3, chunk: 2)),
    (["-nl/3"], .lineChunks(3, chunk: nil)), (["-nl/1/3"], .lineChunks(3, chunk: 1)),
    (["-nr/3"], .roundRobin(3, chunk: nil)), (["--number=r/3/3"], .roundRobin(3, chunk: 3)),
    (["-deu", "-l", "4"], .lines(4)),
  ]

  @Test(arguments: modes) func modesAreRead(words: [String], mode: SplitOptions.Mode) throws {
    #expect(try SplitOptions(words.map { FilePath($0) }).mode == mode)
  }

  private static let complaints: [([String], String)] = [
    (["-q"], "invalid option -- 'q'"),
    (["-b"], "option requires an argument -- 'b'"),
    (["--foo=1"], "unrecognized option '--foo=1'"),
    (["--bytes"], "option '--bytes' requires an argument"),
    (["--verb=1"], "option '--verbose' doesn't allow an argument"),
    (["--ver=1"], "option '--ver=1' is ambiguous; possibilities: '--verbose' '--version'"),
    (["-b1", "-l1"], "cannot split in more than one way"),
    (["-1", "-n2"], "cannot split in more than one way"),
    (["-0"], "invalid number of lines: '0'"),
    (["-l0"], "invalid number of lines: '0'"), (["-C", "x"], "invalid number of lines: 'x'"),
    (["-b", "-1"], "invalid number of bytes: '-1'"),
    (["-n0"], "invalid number of chunks: '0'"), (["-n4/3"], "invalid chunk number: '4'"),
    (["-n0/3"], "invalid chunk number: '0'"), (["-nr/3/"], "invalid number of chunks: ''"),
    (["-t", ""], "empty record separator"), (["-tab"], "multi-character separator 'ab'"),
    (["-ta", "-tb"], "multiple separator characters specified"),
    (["--additional-suffix=a/"], "invalid suffix 'a/', contains directory separator"),
    (["--hex-suffixes=g"], "'g': invalid start value for hexadecimal suffix"),
    (["--numeric-suffixes=F"], "'F': invalid start value for numerical suffix"),
    (["-a1", "-n27"], "the suffix length needs to be at least 2"),
    (
      ["-a1", "--numeric-suffixes=10"],
      "numerical suffix start value is too large for the suffix length"
    ),
    (["-n1/2", "--filter=cat"], "--filter does not process a chunk extracted to stdout"),
    (["a", "b", "c"], "extra operand 'c'"),
    (["---io-blksize=0"], "invalid IO block size: '0': Numerical result out of range"),
    (["-a", "-1"], "invalid suffix length: '-1': Numerical result out of range"),
    (
      ["-a", "99999999999999999999"],
      "invalid suffix length: '99999999999999999999': Value too large for defined data type"
    ),
    (
      ["-l", "-99999999999999999999"],
      "invalid number of lines: '-99999999999999999999': Numerical result out of range"
    ),
  ]

  @Test(arguments: complaints) func whatIsWrongIsTold(words: [String], expected: String) {
    #expect(message(words.map { FilePath($0) }) == expected)
  }

  private static let lengths: [([String], Int64, Bool)] = [
    ([], Int64(2), true), (["-a0"], 2, true), (["-a3"], 3, false), (["-n", "r/26"], 2, false),
    (["-n677"], 3, false), (["-n101", "-d"], 3, false), (["--numeric-suffixes=5"], 2, false),
    // Only a start below the number makes room for itself.
    (["-n100", "--numeric-suffixes=5"], 3, false), (["-n100", "--numeric-suffixes=100"], 3, false),
    (["-n5", "--numeric-suffixes=98"], 2, false), (["--numeric-suffixes="], 2, false),
    (["-n9223372036854775807", "--numeric-suffixes=9"], 19, false),
  ]

  @Test(arguments: lengths) func suffixesAreAsLongAsTheyNeed(
    words: [String],
    digits: Int64,
    widen: Bool
  ) throws {
    guard words != ["-n100", "--numeric-suffixes=100"] else {
      // 100 has three digits, and the suffixes two.
      #expect(message(words.map { FilePath($0) }) != nil)
      return
    }
    let options = try SplitOptions(words.map { FilePath($0) })
    #expect(options.digits == digits)
    #expect(options.suffixesWiden == widen)
  }

  @Test func zerosInFrontOfAStartAreLeftOut() throws {
    #expect(try SplitOptions(["--numeric-suffixes=0007"]).start == Array("7".utf8))
    #expect(try SplitOptions(["--numeric-suffixes=000"]).start == Array("0".utf8))
    #expect(try SplitOptions(["--hex-suffixes=0f0"]).start == Array("f0".utf8))
  }

  @Test func operandsMayStandAnywhere() throws {
    let options = try SplitOptions(["f", "-l", "2", "p", "--verbose", "--", "-e"].dropLast() + [])
    #expect(options.input == "f")
    #expect(options.prefix == "p")
    #expect(options.isVerbose)
    #expect(try SplitOptions(["--", "-l"]).input == "-l")
    #expect(try SplitOptions([#"-t\0"#]).separator == 0)
  }
}
