import Posix

extension JoinedSeries {
  /// A script for Python 3.5 and newer, on any system, which uses its standard library alone.
  ///
  /// In ASCII: names are bytes with escapes.
  func python(_ version: String) -> [UInt8] {
    Array(
      """
      #!/usr/bin/env python3
      # Puts the parts beside this script together, and checks them. Made by cleave \(version).
      #
      #     python3 THIS-FILE

      name = b'\(Self.quotedForPython(name))'
      # The name as messages show it.
      shown = b'\(Self.quotedForPython(FilePath(name.description)))'.decode()
      separator = '\(separator)'
      width = \(width)
      size = \(whole.count)
      crc32 = '\(whole.crc32Text)'
      sha256 = '\(sha256)'
      # The number of the last part of each size, and that size in bytes.
      runs = [\(runs.map { "(\($0.last), \($0.size))" }.joined(separator: ", "))]

      \(Self.pythonBody)
      """.utf8
    )
  }

  /// What is no plain character of ASCII is an escape.
  private static func quotedForPython(_ name: FilePath) -> String {
    name.bytes.map { byte in
      let isPlain = (0x20..<0x7F).contains(byte) && byte != 0x27 && byte != 0x5C
      return isPlain ? String(UnicodeScalar(byte)) : "\\x" + byte.hex
    }.joined()
  }

  private static let pythonBody = #"""
    import sys

    # A file beside the parts may be called like a module that is imported here.
    if not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
        del sys.path[0]

    import binascii
    import hashlib
    import os
    import signal
    import stat
    import tempfile

    place = os.path.dirname(os.path.abspath(os.fsencode(__file__)))
    signals = [getattr(signal, word) for word in ("SIGHUP", "SIGINT", "SIGTERM") if hasattr(signal, word)]


    class Stop(Exception):
        pass


    def say(stream, text):
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


    def parts():
        """The suffix, the path and the size of one part after the other."""
        number = 0
        for last, count in runs:
            while number < last:
                number += 1
                suffix = separator + str(number).zfill(width)
                yield suffix, os.path.join(place, name + suffix.encode()), count


    def problem(part, count):
        try:
            status = os.stat(part)
        except FileNotFoundError:
            return "is missing"
        except OSError as error:
            return "cannot be read: " + error.strerror
        if not stat.S_ISREG(status.st_mode):
            return "is not a regular file"
        if status.st_size != count:
            return "has %d bytes, not %d" % (status.st_size, count)
        return None


    def check_parts():
        bad = 0
        for suffix, part, count in parts():
            found = problem(part, count)
            if found:
                bad += 1
                if bad == 1:
                    first = shown + suffix + " " + found
        if bad > 1:
            first += "; %d parts are missing or wrong" % bad
        if bad:
            raise Stop(first)


    def refuse_taken(output):
        if os.path.lexists(output):
            raise Stop(shown + " exists already")


    def pieces():
        """What the parts hold."""
        for suffix, part, _ in parts():
            try:
                with open(part, "rb") as source:
                    piece = source.read(1 << 20)
                    while piece:
                        yield piece
                        piece = source.read(1 << 20)
            except OSError as error:
                raise Stop("%s%s cannot be read: %s" % (shown, suffix, error.strerror))


    def join(temporary):
        """Writes the parts to a new file, and tells the sum that it has."""
        found = 0
        crc = 0
        digest = hashlib.sha256() if sha256 else None
        with open(temporary, "xb") as target:
            for piece in pieces():
                target.write(piece)
                found += len(piece)
                if digest:
                    digest.update(piece)
                else:
                    crc = binascii.crc32(piece, crc)
            target.flush()
            os.fsync(target.fileno())
        if found != size:
            raise Stop("%s has %d bytes after joining, not %d" % (shown, found, size))
        kind, expected = ("SHA-256", sha256) if digest else ("CRC-32", crc32)
        computed = digest.hexdigest() if digest else "%08x" % (crc & 0xFFFFFFFF)
        if computed != expected:
            raise Stop("%s has %s %s, not %s: a part is damaged" % (shown, kind, computed, expected))
        return kind + " " + computed


    def publish(temporary, output):
        """Gives the file its name, which nobody else may have by now."""
        refuse_taken(output)
        try:
            if os.name == "nt":
                os.rename(temporary, output)
            else:
                os.link(temporary, output)
        except FileExistsError:
            refuse_taken(output)
            raise
        except OSError:
            if os.name == "nt":
                raise
            # There are no hard links, as on FAT. An empty file keeps the name from others until it is replaced.
            refuse_taken(output)
            for number in signals:
                signal.signal(number, signal.SIG_IGN)
            os.close(os.open(output, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            try:
                os.replace(temporary, output)
            except OSError:
                os.unlink(output)
                raise


    def remove(temporary, directory):
        if os.path.lexists(temporary):
            os.unlink(temporary)
        os.rmdir(directory)


    def main():
        output = os.path.join(place, name)
        refuse_taken(output)
        check_parts()
        # A directory of our own: nobody else's file has the temporary's name.
        directory = tempfile.mkdtemp(prefix=b".cleave-join-", dir=place)
        temporary = os.path.join(directory, b"joined")
        try:
            checked = join(temporary)
            publish(temporary, output)
        finally:
            remove(temporary, directory)
        say(sys.stdout, "%s: %d bytes from %d parts, %s" % (shown, size, runs[-1][0], checked))


    def end(number, frame):
        raise SystemExit(128 + number)


    for number in signals:
        signal.signal(number, end)
    try:
        main()
    except Stop as stop:
        say(sys.stderr, str(stop))
        sys.exit(1)
    except OSError as error:
        say(sys.stderr, "%s: %s" % (shown, error.strerror))
        sys.exit(1)

    """#
}
