"""A server of files with faults, on a free port of 127.0.0.1, which it prints.

    python3 server.py DIRECTORY

The first component of a path says how what is behind it is served:

    ranges       as it is, in ranges
    index        the same, with a page that lists each directory
    whole        all of a file, whatever range is asked for
    nohead       405 to HEAD
    redirect     led to ranges
    page         a page for every name that is not there
    busy-N       503 to the first N questions for each range
    error-S      always the status S
    reset-N      the connection is cut behind N bytes of a body, each second time
    short        one byte less than promised, always
    stall        nothing behind 1000 bytes
    moved        other bytes under another ETag from the second answer with a body on
    lying        ranges that are not those asked for
    nosize       bodies of unknown length
    s3           an object store: /s3/BUCKET/KEY, signed by AKTEST and SKTEST

GET /log gives the lines of all questions so far.
"""

import base64, collections, hashlib, hmac, html, http.server, os, re, socket, sys, threading, urllib.parse, zlib

ROOT = os.path.abspath(sys.argv[1])
LOCK = threading.Lock()
COUNTS = collections.Counter()
LOG = []
UPLOADS = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def handle_any(self):
        path, _, query = self.path.partition("?")
        if path == "/log":
            return self.answer(200, "\n".join(LOG).encode())
        with LOCK:
            LOG.append(f"{self.command} {self.path} {self.headers.get('range', '')}".strip())
        _, _, rest = path.partition("/")
        mode, _, name = rest.partition("/")
        if mode == "s3":
            return self.store(name, query)
        name = urllib.parse.unquote(name)
        file = os.path.join(ROOT, name)
        with LOCK:
            COUNTS[mode, name, self.headers.get("range"), self.command] += 1
            count = COUNTS[mode, name, self.headers.get("range"), self.command]
        if mode.startswith("busy-") and count <= int(mode[5:]):
            return self.answer(503, b"busy", {"Retry-After": "0"})
        if mode.startswith("error-"):
            return self.answer(int(mode[6:]), b"no")
        if mode == "redirect":
            return self.answer(302, b"", {"Location": "/ranges/" + urllib.parse.quote(name)})
        if mode == "nohead" and self.command == "HEAD":
            return self.answer(405, b"")
        if os.path.isdir(file):
            if mode != "index":
                return self.answer(403, b"")
            if not path.endswith("/"):
                return self.answer(301, b"", {"Location": path + "/"})
            links = "".join(
                f'<li><a href="{urllib.parse.quote(n)}">{html.escape(n)}</a></li>'
                for n in sorted(os.listdir(file))
            )
            page = f'<html><a href="../">up</a><a href="?C=N">sort</a><ul>{links}</ul></html>'
            return self.answer(200, page.encode(), {"Content-Type": "text/html; charset=utf-8"})
        if not os.path.isfile(file):
            if mode == "page":
                return self.answer(200, b"<html></html>", {"Content-Type": "text/html"})
            return self.answer(404, b"")
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
        headers["ETag"] = tag
        wanted = self.headers.get("if-match")
        if wanted and wanted != tag:
            return self.answer(412, b"")
        status, size = 200, len(data)
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("range", ""))
        if found and mode != "whole":
            first, last = int(found[1]), min(int(found[2]), size - 1)
            if first >= size:
                return self.answer(416, b"")
            if mode == "lying":
                first = max(0, first - 1) if first else 1
            data, status = data[first : last + 1], 206
            headers["Content-Range"] = f"bytes {first}-{last}/{size}"
        if mode != "whole":
            headers["Accept-Ranges"] = "bytes"
        cut = None
        if mode.startswith("reset-") and count % 2:
            cut = int(mode[6:])
        if mode == "short":
            cut = len(data) - 1
        if mode == "stall":
            cut = 1000
        if mode == "nosize":
            self.send_response(status)
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
        if not key:
            return self.list(directory, values)
        file = os.path.join(directory, key.replace("/", "\x01"))
        return self.object(file, values, body)

    def list(self, directory, values):
        prefix, delimiter = values.get("prefix", ""), values.get("delimiter")
        names = sorted(n.replace("\x01", "/") for n in os.listdir(directory))
        names = [n for n in names if n.startswith(prefix)]
        start = int(values.get("continuation-token", 0))
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
            text += f"<Contents><Key>{quote(n)}</Key><Size>{len(data)}</Size><ETag>{tag}</ETag></Contents>"
        more = start + len(page) < len(names)
        text += f"<IsTruncated>{str(more).lower()}</IsTruncated>"
        if more:
            text += f"<NextContinuationToken>{start + len(page)}</NextContinuationToken>"
        self.answer(200, (text + "</ListBucketResult>").encode(), {"Content-Type": "application/xml"})

    def object(self, file, values, body):
        if not os.path.isfile(file):
            return self.refuse(404, "NoSuchKey")
        with open(file, "rb") as opened:
            data = opened.read()
        tag = f'"{hashlib.md5(data).hexdigest()}"'
        if self.headers.get("if-match") not in (None, tag):
            return self.refuse(412, "PreconditionFailed")
        headers, status, size = {"ETag": tag, "Accept-Ranges": "bytes"}, 200, len(data)
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("range", ""))
        if found:
            first, last = int(found[1]), min(int(found[2]), size - 1)
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


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 64
    daemon_threads = True

    def handle_error(self, *_):
        pass


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
