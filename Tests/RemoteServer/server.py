"""A server of files with faults, on a free port of 127.0.0.1, which it prints.

    python3 server.py DIRECTORY

The first component of a path says how what is behind it is served:

    ranges       as it is, in ranges
    index        the same, with a page that lists each directory
    whole        all of a file, whatever range is asked for
    nohead       405 to HEAD
    headless     404 to HEAD
    redirect     led to ranges
    paged        the same as index, without the last names
    walled       the same, and 403 to these
    bare-S       the same as paged, and S to HEAD
    page         a page for every name that is not there
    slashes      the same as index, and a page for every other name with a slash at its end
    any          200 and nothing else for every name that is not there
    tagless      an ETag to HEAD alone
    headtag      the same, and a date to all
    gettag       an ETag to GET alone, and a date to all
    plus         as ranges, and + in a path is a space
    busy-N       503 to the first N questions for each range
    error-S      always the status S
    reset-N      the connection is cut behind N bytes of a body, each second time
    short        one byte less than promised, always
    stall        nothing behind 1000 bytes
    moved        other bytes under another ETag from the second answer with a body on
    lying        ranges that are not those asked for
    nosize       bodies of unknown length
    later-S      S seconds before each answer
    drips        a header without end, a byte at a time
    larger       whole answers with a byte more than there is
    escapes      errors whose code moves a cursor
    nothing      a size of 0 to HEAD
    half         half of a range that was asked for
    swollen      ranges with more bytes in front than they tell
    poured       the same, of a length that is not told
    untold       ranges of a whole whose size is not told
    nodate       neither an ETag nor a date
    weak         a weak ETag, and no date
    grown        a size 10 bytes too small to HEAD, and bodies of unknown length
    hides        403 for all that is not there
    signed       the same, and 403 to HEAD
    presigned    the same, and 403 to all without a query
    s3           an object store: /s3/BUCKET/KEY, signed by AKTEST and SKTEST

What a bucket is called says what is wrong with it:

    nosums       it heeds and tells no sums
    nocond       501 to a condition for what is made
    inside       200 with an error inside, the first time that something is copied or completed
    broken       the same each time
    lost         the first answer to what makes something is not sent
    busy         503 to the first try of everything that makes something
    full         403 to what is sent
    rot          one bit of what gets the name of a third part is another
    raced        the first to complete is too late: another object of the same size has the name
    long         a byte more than was sent gets the name
    halts        nothing is answered to what is sent
    nocopy       200 and nothing else to what is to be copied
    silent       it tells no sums of what it has copied, but that of the whole
    flip         one bit is another in what is copied
    twice        pages of lists that begin with the last name of the page before
    loses        when the second part is sent, the first is removed
    swaps        the same, and another has its name
    endless      lists that go on where they began
    cutlist      lists without their ends
    odd          lists with a size that is no number
    unclosed     lists with an object that does not end
    cdata        lists with names in another form of XML
    forgets      what is sent in one piece is answered with 200, and not kept
    nolist       403 to lists, and to what is not there
    gone         404 to each piece: the upload was given up
    conflict     409 to the first that gives a name
    keeps        503 to whoever completes or gives up what was begun

GET /log gives the lines of all questions so far. GET /fault/N/KIND has the Nth from now on fail once:

    STATUS       with this status and CODE, such as 503-SlowDown; with 200, an error in the body
    empty        200 and nothing else
    reset        the connection is cut instead of an answer
    lost         what was asked for is done, and the answer is not sent
    cut          half of the answer, then the connection is cut
    short        one byte less than promised
    flip         one bit in the middle of the body is another
    stall        half of the answer, and nothing more
    elsewhere    led to 127.0.0.2
"""

import base64, collections, hashlib, hmac, html, http.server, io, itertools, os, re, socket, sys
import threading, time, urllib.parse, zlib

ROOT = os.path.abspath(sys.argv[1])
LOCK = threading.Lock()
COUNTS = collections.Counter()
LOG = []
UPLOADS = {}
NUMBERS = itertools.count(1)
FAULT = [0, ""]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def handle_any(self):
        path, _, query = self.path.partition("?")
        if path == "/log":
            return self.answer(200, "\n".join(LOG).encode())
        if path.startswith("/fault/"):
            number, kind = path.split("/")[2:]
            FAULT[:] = [int(number), kind]
            LOG.clear()
            return self.answer(200, b"")
        with LOCK:
            LOG.append(f"{self.command} {self.path} {self.headers.get('range', '')}".strip())
            FAULT[0] -= 1
            kind = FAULT[1] if FAULT[0] == 0 else None
        return self.serve(path, query) if kind is None else self.fail(kind, path, query)

    def fail(self, kind, path, query):
        """Answers otherwise than it should."""
        if kind == "reset" or kind == "empty" or kind == "elsewhere" or kind[0].isdigit():
            self.rfile.read(int(self.headers.get("content-length", 0)))
            if kind == "elsewhere":
                place = f"http://127.0.0.2:{self.server.server_address[1]}{self.path}"
                return self.answer(307, b"", {"Location": place})
            if kind != "reset":
                status, _, code = kind.partition("-")
                return self.answer(200, b"") if kind == "empty" else self.refuse(int(status), code)
            answer = b""
        else:
            connection, self.wfile = self.wfile, io.BytesIO()
            try:
                self.serve(path, query)
            finally:
                answer, self.wfile = self.wfile.getvalue(), connection
        head, _, body = answer.partition(b"\r\n\r\n")
        middle = len(answer) - len(body) + len(body) // 2
        if kind == "flip" and body:
            answer = answer[:middle] + bytes([answer[middle] ^ 1]) + answer[middle + 1 :]
        ends = {"flip": len(answer), "short": len(answer) - 1, "cut": middle, "stall": middle}
        self.wfile.write(answer[: ends.get(kind, 0)])
        self.wfile.flush()
        if kind == "stall":
            self.connection.settimeout(60)
            self.connection.recv(1)
        if kind not in ("flip", "short"):
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.close_connection = True

    def serve(self, path, query):
        _, _, rest = path.partition("/")
        mode, _, name = rest.partition("/")
        if mode == "s3":
            return self.store(name, query)
        name = (urllib.parse.unquote_plus if mode == "plus" else urllib.parse.unquote)(name)
        file = os.path.join(ROOT, name)
        with LOCK:
            COUNTS[mode, name, self.headers.get("range"), self.command] += 1
            count = COUNTS[mode, name, self.headers.get("range"), self.command]
        if mode.startswith("busy-") and count <= int(mode[5:]):
            return self.answer(503, b"busy", {"Retry-After": "0"})
        if mode.startswith("later-"):
            time.sleep(float(mode[6:]))
        if mode == "drips":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
            try:
                while True:
                    self.wfile.write(b"x")
                    self.wfile.flush()
                    time.sleep(0.05)
            except OSError:
                self.close_connection = True
                return
        if mode == "escapes":
            return self.answer(403, b"<Error><Code>\x1b[2Jgone</Code></Error>")
        if mode.startswith("error-"):
            return self.answer(int(mode[6:]), b"no")
        if mode == "redirect":
            return self.answer(302, b"", {"Location": "/ranges/" + urllib.parse.quote(name)})
        if mode in ("signed", "presigned") and self.command == "HEAD" or mode == "presigned" and not query:
            return self.answer(403, b"")
        if mode == "walled" and not os.path.isdir(file) and name in sorted(os.listdir(ROOT))[2:]:
            return self.answer(403, b"")
        if mode in ("hides", "signed", "presigned") and not os.path.isfile(file):
            return self.answer(403, b"")
        if mode.startswith("bare-") and self.command == "HEAD":
            return self.answer(int(mode[5:]), b"")
        if mode in ("nohead", "headless") and self.command == "HEAD":
            return self.answer(405 if mode == "nohead" else 404, b"")
        if os.path.isdir(file):
            if mode not in ("index", "paged", "walled", "slashes") and not mode.startswith("bare-"):
                return self.answer(403, b"")
            if not path.endswith("/"):
                return self.answer(301, b"", {"Location": path + "/"})
            links = "".join(
                f'<li><a href="{urllib.parse.quote(n)}">{html.escape(n)}</a></li>'
                for n in sorted(os.listdir(file))[: None if mode in ("index", "slashes") else 2]
            )
            page = f'<html><a href="../">up</a><a href="?C=N">sort</a><ul>{links}</ul></html>'
            return self.answer(200, page.encode(), {"Content-Type": "text/html; charset=utf-8"})
        if not os.path.isfile(file):
            if mode == "page" or mode == "slashes" and name.endswith("/"):
                return self.answer(200, b"<html></html>", {"Content-Type": "text/html"})
            return self.answer(200 if mode == "any" else 404, b"")
        with open(file, "rb") as opened:
            data = opened.read()
        headers = {}
        if mode == "moved":
            with LOCK:
                if self.command == "GET":
                    COUNTS["moved", name] += 1
                isLater = COUNTS["moved", name] > 1
            if isLater:
                data = bytes(255 - byte for byte in data)
        tag = f'"{hashlib.md5(data).hexdigest()}"'
        isTagless = {"tagless": "GET", "headtag": "GET", "gettag": "HEAD"}.get(mode) == self.command
        if mode != "nodate" and not isTagless:
            headers["ETag"] = f"W/{tag}" if mode == "weak" else tag
        if mode in ("headtag", "gettag"):
            headers["Last-Modified"] = "Fri, 24 May 2013 00:00:00 GMT"
        wanted = self.headers.get("if-match")
        if wanted and wanted != tag:
            return self.answer(412, b"")
        status, size = 200, len(data)
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("range", ""))
        if found and mode not in ("whole", "grown"):
            first, last = int(found[1]), min(int(found[2]), size - 1)
            if first >= size:
                return self.answer(416, b"")
            if mode == "lying":
                first = max(0, first - 1) if first else 1
            if mode == "half":
                last = first + (last - first) // 2
            data, status = data[first : last + 1], 206
            told = "*" if mode == "untold" else size
            headers["Content-Range"] = f"bytes {first}-{last}/{told}"
            if mode in ("swollen", "poured"):
                data = b"LONGER" + data
        elif mode == "larger" and self.command == "GET":
            data += b"!"
        if mode == "nothing" and self.command == "HEAD":
            data = b""
        if mode != "whole":
            headers["Accept-Ranges"] = "bytes"
        cut = None
        if mode.startswith("reset-") and count % 2:
            cut = int(mode[6:])
        if mode == "short":
            cut = len(data) - 1
        if mode == "stall":
            cut = 1000
        if mode == "grown" and self.command == "HEAD":
            data = data[10:]
        if mode == "nosize" or mode in ("grown", "poured") and self.command != "HEAD":
            self.send_response(status)
            for key, value in headers.items() if mode == "poured" else []:
                self.send_header(key, value)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(b"%x\r\n" % len(data) + data + b"\r\n0\r\n\r\n")
            return
        self.answer(status, data, headers, cut, mode == "stall")

    def answer(self, status, data, headers={}, cut=None, stalls=False):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command == "HEAD":
            return
        try:
            if cut is None or cut >= len(data):
                self.wfile.write(data)
                return
            self.wfile.write(data[:cut])
            self.wfile.flush()
            if stalls:
                self.connection.settimeout(60)
                self.connection.recv(1)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        except OSError:
            pass
        self.close_connection = True

    # An object store.

    def store(self, name, query):
        length = int(self.headers.get("content-length", 0))
        body = self.rfile.read(length)
        fault = self.signature_fault(query, body)
        if fault:
            return self.refuse(403, fault)
        bucket, _, key = name.partition("/")
        key = urllib.parse.unquote(key)
        values = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        directory = os.path.join(ROOT, bucket)
        if not os.path.isdir(directory):
            return self.refuse(404, "NoSuchBucket")
        if not key and "uploads" in values:
            return self.list_uploads(bucket, values)
        if not key and "nolist" in bucket:
            return self.refuse(403, "AccessDenied")
        if not key:
            return self.list(directory, values)
        file = os.path.join(directory, key.replace("/", "\x01"))
        if self.command in ("PUT", "POST", "DELETE"):
            return self.make(bucket, key, file, values, body)
        return self.object(file, values, body, bucket)

    def first_time(self, *what):
        with LOCK:
            COUNTS[what] += 1
            return COUNTS[what] == 1

    def make(self, bucket, key, file, values, body):
        what = (bucket, key, self.command, values.get("partNumber"), "uploads" in values, "uploadId" in values)
        if "busy" in bucket and self.first_time("busy", *what):
            return self.refuse(503, "SlowDown")
        sums = "nosums" not in bucket
        identity = values.get("uploadId")
        if "keeps" in bucket and identity is not None and self.command != "PUT":
            return self.refuse(503, "SlowDown")
        if self.command == "DELETE":
            if identity is None:
                if os.path.exists(file):
                    os.unlink(file)
                return self.answer(204, b"")
            with LOCK:
                known = UPLOADS.pop(identity, None)
            return self.answer(204, b"") if known else self.refuse(404, "NoSuchUpload")
        if "uploads" in values:
            identity = f"attempt-{next(NUMBERS)}"
            with LOCK:
                UPLOADS[identity] = {"bucket": bucket, "key": key, "parts": {}}
            text = f"<InitiateMultipartUploadResult><UploadId>{identity}</UploadId></InitiateMultipartUploadResult>"
            return self.answer(200, text.encode())
        if identity is not None:
            with LOCK:
                upload = UPLOADS.get(identity)
            if not upload or (upload["bucket"], upload["key"]) != (bucket, key):
                return self.refuse(404, "NoSuchUpload")
        if identity is not None and "gone" in bucket:
            return self.refuse(404, "NoSuchUpload")
        isLate = identity is not None and key.endswith("002") and ("loses" in bucket or "swaps" in bucket)
        first = file[:-1] + "1"
        if isLate and os.path.exists(first) and self.first_time("late", bucket):
            os.unlink(first)
            if "swaps" in bucket:
                with open(first, "wb") as opened:
                    opened.write(b"other")
        if identity is not None and self.command == "PUT":
            return self.part(bucket, upload, int(values["partNumber"]), body, sums, what)
        if self.command == "PUT":
            if "full" in bucket:
                return self.refuse(403, "QuotaExceeded")
            sum = self.headers.get("x-amz-checksum-crc32")
            if sums and sum and sum != crc(body):
                return self.refuse(400, "BadDigest")
            if "forgets" in bucket:
                return self.answer(200, b"", {"ETag": f'"{hashlib.md5(body).hexdigest()}"'})
            return self.name(bucket, file, body, what, lambda: b"")
        return self.complete(bucket, file, identity, upload, body, sums, what)

    def part(self, bucket, upload, number, body, sums, what):
        source = self.headers.get("x-amz-copy-source")
        if not 1 <= number <= 10000:
            return self.refuse(400, "InvalidArgument")
        if source is None:
            if "full" in bucket:
                return self.refuse(403, "QuotaExceeded")
            if "halts" in bucket:
                self.connection.recv(1)
                self.close_connection = True
                return
            sum = self.headers.get("x-amz-checksum-crc32")
            if sums and sum and sum != crc(body):
                return self.refuse(400, "BadDigest")
        else:
            if "nocopy" in bucket:
                return self.answer(200, b"")
            if "broken" in bucket or "inside" in bucket and self.first_time("inside", *what):
                return self.refuse(200, "InternalError")
            origin, _, key = urllib.parse.unquote(source).lstrip("/").partition("/")
            file = os.path.join(ROOT, origin, key.replace("/", "\x01"))
            if not os.path.isfile(file):
                return self.refuse(404, "NoSuchKey")
            with open(file, "rb") as opened:
                body = opened.read()
            if self.headers.get("x-amz-copy-source-if-match") != f'"{hashlib.md5(body).hexdigest()}"':
                return self.refuse(412, "PreconditionFailed")
            wanted = self.headers.get("x-amz-copy-source-range")
            if wanted:
                first, last = map(int, re.fullmatch(r"bytes=(\d+)-(\d+)", wanted).groups())
                if len(body) <= 5 << 20 or not first <= last < len(body):
                    return self.refuse(400, "InvalidRequest")
                body = body[first : last + 1]
            if "flip" in bucket:
                body = bytes([body[0] ^ 1]) + body[1:]
        tag = hashlib.md5(body).hexdigest()
        upload["parts"][number] = (body, tag)
        told = f"<ChecksumCRC32>{crc(body)}</ChecksumCRC32>" if sums and "silent" not in bucket else ""
        text = f"<CopyPartResult><ETag>&quot;{tag}&quot;</ETag>{told}</CopyPartResult>" if source else ""
        self.answer(200, text.encode(), {"ETag": f'"{tag}"'})

    def complete(self, bucket, file, identity, upload, body, sums, what):
        if "broken" in bucket or "inside" in bucket and self.first_time("inside", *what):
            return self.refuse(200, "InternalError")
        asked = re.findall(r"<PartNumber>(\d+)</PartNumber><ETag>(.*?)</ETag>", body.decode())
        parts = [upload["parts"].get(int(n)) for n, _ in asked]
        if not parts or any(p is None or f'"{p[1]}"' != html.unescape(t) for p, (_, t) in zip(parts, asked)):
            return self.refuse(400, "InvalidPart")
        if any(len(p[0]) < 5 << 20 for p in parts[:-1]):
            return self.refuse(400, "EntityTooSmall")
        whole = b"".join(p[0] for p in parts)
        if "raced" in bucket and self.first_time("raced", *what):
            with open(file, "wb") as opened:
                opened.write(bytes(len(whole)))
            return self.refuse(503, "SlowDown")
        sum = self.headers.get("x-amz-checksum-crc32")
        if sums and sum and sum != crc(whole):
            return self.refuse(400, "BadDigest")
        told = f"<ChecksumCRC32>{crc(whole)}</ChecksumCRC32>" if sums else ""
        if "rot" in bucket and file.endswith("3"):
            whole = bytes([whole[0] ^ 1]) + whole[1:]
        if "long" in bucket:
            whole += b"!"

        def done():
            with LOCK:
                UPLOADS.pop(identity, None)
            return f"<CompleteMultipartUploadResult><ETag>&quot;{hashlib.md5(whole).hexdigest()}&quot;</ETag>{told}</CompleteMultipartUploadResult>".encode()

        self.name(bucket, file, whole, what, done)

    def name(self, bucket, file, data, what, done):
        if "conflict" in bucket and self.first_time("conflict", *what):
            return self.refuse(409, "ConditionalRequestConflict")
        if self.headers.get("if-none-match") and "nocond" in bucket:
            return self.refuse(501, "NotImplemented")
        with LOCK:
            if self.headers.get("if-none-match") == "*" and os.path.exists(file):
                return self.refuse(412, "PreconditionFailed")
            with open(file, "wb") as opened:
                opened.write(data)
        answer = done()
        if "lost" in bucket and self.first_time("lost", *what):
            self.close_connection = True
            return
        self.answer(200, answer, {"ETag": f'"{hashlib.md5(data).hexdigest()}"'})

    def list_uploads(self, bucket, values):
        with LOCK:
            known = [(u["key"], i) for i, u in UPLOADS.items() if u["bucket"] == bucket]
        known = sorted(k for k in known if k[0].startswith(values.get("prefix", "")))
        start = (values.get("key-marker", ""), values.get("upload-id-marker", ""))
        page = [k for k in known if k > start][:2]
        text = "<ListMultipartUploadsResult><EncodingType>url</EncodingType>"
        for key, identity in page:
            text += f"<Upload><Key>{urllib.parse.quote(key)}</Key><UploadId>{identity}</UploadId></Upload>"
        more = bool(page) and page[-1] != known[-1]
        text += f"<IsTruncated>{str(more).lower()}</IsTruncated>"
        if more:
            text += f"<NextKeyMarker>{urllib.parse.quote(page[-1][0])}</NextKeyMarker>"
            text += f"<NextUploadIdMarker>{page[-1][1]}</NextUploadIdMarker>"
        self.answer(200, (text + "</ListMultipartUploadsResult>").encode())

    def list(self, directory, values):
        prefix, delimiter = values.get("prefix", ""), values.get("delimiter")
        names = sorted(n.replace("\x01", "/") for n in os.listdir(directory))
        names = [n for n in names if n.startswith(prefix)]
        start = 0 if "endless" in directory else int(values.get("continuation-token", 0))
        page = names[start : start + min(3, int(values.get("max-keys", 3)))]
        quote = urllib.parse.quote if values.get("encoding-type") == "url" else html.escape
        text = "<ListBucketResult>"
        if values.get("encoding-type") == "url":
            text += "<EncodingType>url</EncodingType>"
        for n in page:
            if delimiter and delimiter in n[len(prefix) :]:
                continue
            with open(os.path.join(directory, n.replace("/", "\x01")), "rb") as opened:
                data = opened.read()
            tag = f"&quot;{hashlib.md5(data).hexdigest()}&quot;"
            size = f"{len(data)}.0" if "odd" in directory else len(data)
            key = f"<![CDATA[{n}]]>" if "cdata" in directory else quote(n)
            end = "" if "unclosed" in directory and n == page[-1] else "</Contents>"
            text += f"<Contents><Key>{key}</Key><Size>{size}</Size><ETag>{tag}</ETag>{end}"
        more = start + len(page) < len(names)
        text += f"<IsTruncated>{str(more).lower()}</IsTruncated>"
        if more:
            token = start + len(page) - ("twice" in directory)
            text += f"<NextContinuationToken>{token}</NextContinuationToken>"
        text += "" if "cutlist" in directory else "</ListBucketResult>"
        self.answer(200, text.encode(), {"Content-Type": "application/xml"})

    def object(self, file, values, body, bucket):
        if not os.path.isfile(file):
            isHidden = "nolist" in bucket
            return self.refuse(403, "AccessDenied") if isHidden else self.refuse(404, "NoSuchKey")
        with open(file, "rb") as opened:
            data = opened.read()
        tag = f'"{hashlib.md5(data).hexdigest()}"'
        if self.headers.get("if-match") not in (None, tag):
            return self.refuse(412, "PreconditionFailed")
        headers, status, size = {"ETag": tag, "Accept-Ranges": "bytes"}, 200, len(data)
        if self.headers.get("x-amz-checksum-mode") and "nosums" not in bucket:
            headers |= {"x-amz-checksum-crc32": crc(data), "x-amz-checksum-type": "FULL_OBJECT"}
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("range", ""))
        if found:
            first, last = int(found[1]), min(int(found[2]), size - 1)
            if first >= size:
                return self.refuse(416, "InvalidRange")
            data, status = data[first : last + 1], 206
            headers["Content-Range"] = f"bytes {first}-{last}/{size}"
        self.answer(status, data, headers)

    def refuse(self, status, code):
        self.answer(status, f"<Error><Code>{code}</Code></Error>".encode())

    def signature_fault(self, query, body):
        found = re.fullmatch(
            r"AWS4-HMAC-SHA256 Credential=(\w+)/(\d+)/([\w-]+)/s3/aws4_request,\s*SignedHeaders=([\w;-]+),\s*"
            r"Signature=([0-9a-f]+)",
            self.headers.get("authorization", ""),
        )
        if not found:
            return "AccessDenied"
        identity, day, region, names, signature = found.groups()
        if identity != "AKTEST":
            return "InvalidAccessKeyId"
        pairs = urllib.parse.parse_qsl(query, keep_blank_values=True)
        quote = lambda text: urllib.parse.quote(text, safe="-_.~")
        sorted_query = "&".join(sorted(f"{quote(n)}={quote(v)}" for n, v in pairs))
        lines = "".join(f"{n}:{self.headers.get(n, '').strip()}\n" for n in names.split(";"))
        path = self.path.partition("?")[0]
        given = self.headers["x-amz-content-sha256"]
        if given != "UNSIGNED-PAYLOAD" and given != hashlib.sha256(body).hexdigest():
            return "XAmzContentSHA256Mismatch"
        canonical = f"{self.command}\n{path}\n{sorted_query}\n{lines}\n{names}\n{given}"
        scope = f"{day}/{region}/s3/aws4_request"
        text = f"AWS4-HMAC-SHA256\n{self.headers['x-amz-date']}\n{scope}\n" + hashlib.sha256(canonical.encode()).hexdigest()
        key = b"AWS4SKTEST"
        for part in (day, region, "s3", "aws4_request"):
            key = hmac.new(key, part.encode(), hashlib.sha256).digest()
        right = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
        return None if hmac.compare_digest(right, signature) else "SignatureDoesNotMatch"

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_any


def crc(data):
    return base64.b64encode(zlib.crc32(data).to_bytes(4, "big")).decode()


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 64
    daemon_threads = True

    def handle_error(self, *_):
        pass


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
