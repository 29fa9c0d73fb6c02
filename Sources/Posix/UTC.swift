#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension ProcessState {
  /// The time now as ISO 8601's basic format has it: `20130524T000000Z`. See `gmtime_r(3)`.
  package static var utcStamp: String {
    let parts = utc(time(nil))
    let pad = { (number: CInt) in number < 10 ? "0\(number)" : "\(number)" }
    let day = "\(Int(parts.tm_year) + 1900)" + pad(parts.tm_mon + 1) + pad(parts.tm_mday)
    return "\(day)T\(pad(parts.tm_hour))\(pad(parts.tm_min))\(pad(parts.tm_sec))Z"
  }

  /// The day in UTC of a second since 1970; months count from 0.
  package static func day(at second: Int64) -> (year: Int, month: Int, day: Int) {
    let parts = utc(time_t(second))
    return (Int(parts.tm_year) + 1900, Int(parts.tm_mon), Int(parts.tm_mday))
  }

  private static func utc(_ second: time_t) -> tm {
    var (second, parts) = (second, tm())
    gmtime_r(&second, &parts)
    return parts
  }

  /// Nanoseconds since 1970 of a time as HTTP has it: `Fri, 24 May 2013 00:00:00 GMT`; nil of anything
  /// else. See RFC 9110, 5.6.7.
  package static func nanoseconds(ofHTTPDate text: String) -> Int64? {
    let words = text.utf8.split { !(48...57).contains($0) && !(65...122).contains($0) }
      .map { String(decoding: $0, as: UTF8.self) }
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    guard words.count == 8, words[7] == "GMT", let month = months.firstIndex(of: words[2]),
      let day = CInt(words[1]), (1...31).contains(day), let year = CInt(words[3]),
      (1970...9999).contains(year), let hour = CInt(words[4]), (0...23).contains(hour),
      let minute = CInt(words[5]), (0...59).contains(minute), let second = CInt(words[6]),
      (0...60).contains(second)
    else { return nil }
    return nanoseconds(year, CInt(month), day, hour, minute, second)
  }

  /// Nanoseconds since 1970 of the second of a time as object stores list it: `2013-05-24T00:00:00.000Z`; nil of
  /// anything else.
  package static func nanoseconds(ofISODate text: String) -> Int64? {
    guard text.hasSuffix("Z"), text.utf8.count >= 20 else { return nil }
    let numbers = text.utf8.dropLast().split { [45, 84, 58, 46].contains($0) }
      .map { CInt(String(decoding: $0, as: UTF8.self)) }
    guard (6...7).contains(numbers.count), let year = numbers[0], (1970...9999).contains(year),
      let month = numbers[1], (1...12).contains(month), let day = numbers[2],
      (1...31).contains(day), let hour = numbers[3], (0...23).contains(hour),
      let minute = numbers[4], (0...59).contains(minute), let second = numbers[5],
      (0...60).contains(second)
    else { return nil }
    return nanoseconds(year, month - 1, day, hour, minute, second)
  }

  private static func nanoseconds(
    _ year: CInt,
    _ month: CInt,
    _ day: CInt,
    _ hour: CInt,
    _ minute: CInt,
    _ second: CInt
  ) -> Int64? {
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month, day)
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
    // None behind the year 2262.
    let (time, overflow) = Int64(timegm(&parts)).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? nil : time
  }
}
