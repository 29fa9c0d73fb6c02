import Posix

extension JoinedSeries {
  /// A script for Windows PowerShell 5.1 and for PowerShell 7, which has no other classes than .NET's.
  ///
  /// In UTF-8 with a byte order mark, without which 5.1 reads another code page.
  func powerShell(_ version: String) -> [UInt8] {
    let text = """
      # Puts the parts beside this script together, and checks them. Made by cleave \(version).
      #
      #     powershell -ExecutionPolicy Bypass -File THIS-FILE

      $name = '\(Self.quotedForPowerShell(name.string ?? ""))'
      $width = \(width)
      $size = \(whole.count)
      $separator = '\(separator)'
      $crc32 = '\(whole.crc32Text)'
      $sha256 = '\(sha256)'
      # The number of the last part of each size, and that size in bytes.
      $lasts = @(\(runs.map { "\($0.last)" }.joined(separator: ", ")))
      $sizes = @(\(runs.map { "\($0.size)" }.joined(separator: ", ")))
      # The name as messages show it.
      $shown = '\(Self.quotedForPowerShell(name.description))'

      \(Self.powerShellBody)
      """
    return SFV.byteOrderMark + Array(text.substituting("\n", with: "\r\n").utf8)
  }

  /// Typographic quotes end a string like straight ones; see about_Quoting_Rules.
  private static func quotedForPowerShell(_ name: String) -> String {
    name.map { "'\u{2018}\u{2019}\u{201A}\u{201B}".contains($0) ? "\($0)\($0)" : "\($0)" }.joined()
  }

  private static let powerShellBody = #"""
    $ErrorActionPreference = 'Stop'
    $output = [IO.Path]::Combine($PSScriptRoot, $name)
    $temporary = $null
    $target = $null
    $gzip = $null
    $hash = $null
    $code = 1

    function Get-Ending([int] $number) { $separator + $number.ToString("D$width") }
    function Get-PartName([int] $number) { $name + (Get-Ending $number) }

    try {
        if ([IO.File]::Exists($output) -or [IO.Directory]::Exists($output)) { throw "$shown exists already" }

        $number = 0
        $bad = 0
        for ($run = 0; $run -lt $lasts.Length; $run++) {
            while ($number -lt $lasts[$run]) {
                $number++
                $part = New-Object IO.FileInfo ([IO.Path]::Combine($PSScriptRoot, (Get-PartName $number)))
                $problem = $null
                if (-not $part.Exists) { $problem = 'is missing' }
                elseif ($part.Length -ne $sizes[$run]) { $problem = "has $($part.Length) bytes, not $($sizes[$run])" }
                if ($problem -and ++$bad -eq 1) { $first = "$shown$(Get-Ending $number) $problem" }
            }
        }
        if ($bad -gt 1) { $first += "; $bad parts are missing or wrong" }
        if ($bad -gt 0) { throw $first }

        $name_of_temporary = [IO.Path]::Combine($PSScriptRoot, '.cleave-join-' + [Guid]::NewGuid().ToString('N'))
        $target = New-Object IO.FileStream ($name_of_temporary, [IO.FileMode]::CreateNew)
        $temporary = $name_of_temporary
        if ($sha256) { $hash = [Security.Cryptography.SHA256]::Create() }
        else {
            # A gzip stream ends in the CRC-32 of what went into it; all before that is thrown away.
            $packed = New-Object IO.MemoryStream
            $gzip = New-Object IO.Compression.GZipStream ($packed, [IO.Compression.CompressionLevel]::NoCompression, $true)
        }
        $buffer = New-Object byte[] 1048576
        for ($number = 1; $number -le $lasts[-1]; $number++) {
            $source = [IO.File]::OpenRead([IO.Path]::Combine($PSScriptRoot, (Get-PartName $number)))
            try {
                while (($count = $source.Read($buffer, 0, $buffer.Length)) -gt 0) {
                    $target.Write($buffer, 0, $count)
                    if ($hash) { [void] $hash.TransformBlock($buffer, 0, $count, $null, 0) }
                    else {
                        $gzip.Write($buffer, 0, $count)
                        $packed.SetLength(0)
                    }
                }
            } finally { $source.Dispose() }
        }
        $found = $target.Length
        $target.Flush($true)
        $target.Dispose()
        if ($found -ne $size) { throw "$shown has $found bytes after joining, not $size" }

        if ($hash) {
            [void] $hash.TransformFinalBlock($buffer, 0, 0)
            ($kind, $expected) = ('SHA-256', $sha256)
            $sum = [BitConverter]::ToString($hash.Hash).Replace('-', '')
        } else {
            $gzip.Dispose()
            $end = $packed.ToArray()
            ($kind, $expected) = ('CRC-32', $crc32)
            # Without a byte, nothing may come out.
            $sum = '00000000'
            if ($end.Length -ge 8) { $sum = [BitConverter]::ToUInt32($end, $end.Length - 8).ToString('x8') }
        }
        if ($sum -ne $expected) { throw "$shown has $kind $sum, not ${expected}: a part is damaged" }

        # Fails where the name is taken by now.
        [IO.File]::Move($temporary, $output)
        $temporary = $null
        [Console]::Out.WriteLine("${shown}: $size bytes from $($lasts[-1]) parts, $kind $expected")
        $code = 0
    } catch {
        [Console]::Error.WriteLine($_.Exception.GetBaseException().Message)
    } finally {
        if ($gzip) { $gzip.Dispose() }
        if ($target) { $target.Dispose() }
        if ($temporary) { [IO.File]::Delete($temporary) }
    }
    exit $code

    """#
}
