import Posix

extension JoinedSeries {
  /// A script for the `cmd` of Windows; its lines end in CRLF, without which it loses labels.
  ///
  /// Names stand between quotes, where only `%` still means something. `cmd` computes with 32 bits, so
  /// sizes are compared as text. `certutil`, which comes with Windows, knows SHA-256 and no CRC-32.
  func batch(_ version: String) -> [UInt8] {
    let name = name.string ?? ""
    let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
    let text = """
      @echo off
      rem Puts the parts beside this script together, and checks them. Made by cleave \(version).
      setlocal EnableExtensions DisableDelayedExpansion
      pushd "%~dp0"
      \(isASCII ? "" : Self.entersUTF8)set "name=\(Self.quoted(name))"
      set "size=\(whole.count)"
      set "sha256=\(sha256)"
      set "separator=\(separator)"
      set "shown=\(Self.quoted(self.name.description))"
      set "temporary="
      set "code=1"

      set "subject=%shown%"
      set "problem=exists already"
      if exist "%name%" goto stop
      \(calls(of: "check"))
      set "subject=%shown%"
      set "problem=cannot be made in this directory"
      set "temporary=cleave-join-%random%%random%.tmp"
      if exist "%temporary%" set "temporary=" & goto stop
      type nul >"%temporary%"
      if not exist "%temporary%" set "temporary=" & goto stop
      \(calls(of: "join"))
      set "subject=%shown%"
      for %%f in ("%temporary%") do set "found=%%~zf"
      set "problem=has %found% bytes after joining, not %size%"
      if not "%found%"=="%size%" goto stop
      set "checked=only sizes were checked"
      if not defined sha256 goto name
      set "sum="
      for /f "skip=1 delims=" %%h in ('certutil -hashfile "%temporary%" SHA256 2^>nul') do if not defined sum set "sum=%%h"
      if not defined sum goto name
      rem Older ones write blanks between the bytes; what is not as long is a message.
      set "sum=%sum: =%"
      if "%sum:~63,1%"=="" goto name
      if not "%sum:~64,1%"=="" goto name
      set "problem=has SHA-256 %sum%, not %sha256%: a part is damaged"
      if /i not "%sum%"=="%sha256%" goto stop
      set "checked=SHA-256 %sum%"
      :name
      set "problem=cannot get its name"
      ren "%temporary%" "%name%"
      if exist "%temporary%" goto stop
      set "temporary="
      echo "%shown%": %size% bytes from \(count) parts, %checked%
      set "code=0"
      goto end

      :stop
      >&2 echo "%subject%" %problem%
      if defined temporary del "%temporary%"
      :end
      popd
      \(isASCII ? "" : "chcp %codepage% >nul\n")exit /b %code%

      rem The name of the next part.
      :next
      set /a number+=1
      set "digits=%number%"
      if %number% lss \(Self.power(width)) set "digits=\(String(repeating: "0", count: width))%number%"
      if %number% lss \(Self.power(width)) set "digits=%digits:~-\(width)%"
      set "part=%name%%separator%%digits%"
      set "subject=%shown%%separator%%digits%"
      exit /b 0

      rem The parts up to number %1 have %2 bytes each.
      :check
      if %number% geq %1 exit /b 0
      call :next
      set "problem=is missing"
      if not exist "%part%" exit /b 1
      for %%f in ("%part%") do set "found=%%~zf"
      set "problem=has %found% bytes, not %2"
      if not "%found%"=="%2" exit /b 1
      goto check

      rem Adds them one by one: a command line has no room for many names.
      :join
      if %number% geq %1 exit /b 0
      call :next
      set "problem=cannot be read, or the disk is full"
      if %number% equ 1 copy /b /y "%part%" "%temporary%" >nul
      if %number% gtr 1 if not "%2"=="0" copy /b /y "%temporary%"+"%part%" "%temporary%" >nul
      if errorlevel 1 exit /b 1
      goto join

      """
    return Array(text.substituting("\n", with: "\r\n").utf8)
  }

  /// Between quotes.
  private static func quoted(_ text: String) -> String { text.substituting("%", with: "%%") }

  /// For names in other scripts; what the code page was before returns at the end.
  private static let entersUTF8 = """
    for /f "tokens=2 delims=:." %%c in ('chcp') do set "codepage=%%c"
    chcp 65001 >nul

    """

  /// A subroutine's arguments are read twice by `cmd`, so names are none.
  private func calls(of label: String) -> String {
    "set \"number=0\"\n"
      + runs.map { "call :\(label) \($0.last) \($0.size)\nif errorlevel 1 goto stop" }
      .joined(separator: "\n")
  }

  /// The first number that has more digits than `width`, which is at most 9.
  private static func power(_ width: Int) -> Int {
    (0..<width).reduce(1) { power, _ in power * 10 }
  }
}
