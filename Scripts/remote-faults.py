"""Has each question of each job of a store fail in each way, once.

    remote-faults.py PROGRAM [JOB]...

A job has to do what it should, or end with one line and a code, with nothing or what was there before under the
name. The same again has to do it, and no upload may be left open behind `clean -f`. The server is the tests' own.
"""

import collections, os, shutil, subprocess, sys, tempfile, urllib.request

program, only = os.path.abspath(sys.argv[1]), sys.argv[2:]
if not only:
    # Side by side: most of the time is waiting.
    names = ["merge", "cat", "verify", "merge-in-store", "merge-over-old", "merge-readback", "merge-to-store",
             "split-to-store", "split-stream"]
    runs = [subprocess.Popen([sys.executable, __file__, program, name]) for name in names]
    sys.exit(1 if any([run.wait() for run in runs]) else 0)
here = tempfile.mkdtemp(prefix="cleave-faults.")
store = os.path.join(here, "store")
bucket = os.path.join(store, "b")
os.makedirs(bucket)
os.chdir(here)
script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Tests", "RemoteServer", "server.py")
server = subprocess.Popen([sys.executable, "-u", script, store], stdout=subprocess.PIPE)
address = f"http://127.0.0.1:{int(server.stdout.readline())}"
environment = {
    "PATH": os.environ["PATH"], "HOME": "/nowhere", "AWS_ENDPOINT_URL": f"{address}/s3", "AWS_REGION": "eu-test-1",
    "AWS_ACCESS_KEY_ID": "AKTEST", "AWS_SECRET_ACCESS_KEY": "SKTEST", "CLEAVE_REMOTE_TIMEOUT": "60",
    "CLEAVE_REMOTE_TRIES": "4", "no_proxy": "*",
}
KINDS = [
    "500-InternalError", "503-SlowDown", "403-AccessDenied", "400-ExpiredToken", "404-NoSuchKey", "412-PreconditionFailed",
    "200-InternalError", "empty", "reset", "lost", "cut", "short", "flip", "stall", "elsewhere",
]
# 1: what verify finds wrong.
CODES = {1, 65, 66, 73, 74, 75, 77}
whole = bytes(i * 7 + (i >> 8) & 255 for i in range(1 << 16)) * 175 + b"end"
with open("film", "wb") as file:
    file.write(whole)
# The same with other bytes, for what was there before.
with open("old", "wb") as file:
    file.write(b"old")


def run(words, source=None, kind=None):
    # A busy machine is slow, too.
    times = {"CLEAVE_REMOTE_TIMEOUT": "2"} if kind == "stall" else {}
    with open(source or "/dev/null", "rb") as stream:
        return subprocess.run(
            [program, *words], stdin=stream, capture_output=True, encoding="latin-1", env=environment | times, timeout=120
        )


def ask(path):
    with urllib.request.urlopen(address + path) as answer:
        return answer.read().decode().splitlines()


def object(name):
    path = os.path.join(bucket, f"dir\x01{name}")
    return open(path, "rb").read() if os.path.exists(path) else None


assert run(["split", "-q", "-b5M", "film"]).returncode == 0
PARTS = {name: open(name, "rb").read() for name in sorted(os.listdir(".")) if name.startswith("film.")}


def prepare(parts=False, old=None, here_too=False):
    for name in os.listdir(bucket):
        os.unlink(os.path.join(bucket, name))
    for name in os.listdir("."):
        if name not in ("film", "old", "store"):
            os.unlink(name)
    for name, data in PARTS.items():
        if parts:
            with open(os.path.join(bucket, f"dir\x01{name}"), "wb") as file:
                file.write(data)
        if here_too:
            with open(name, "wb") as file:
                file.write(data)
    if old:
        with open(os.path.join(bucket, f"dir\x01{old}"), "wb") as file:
            file.write(b"old")


def is_whole():
    return object("whole") == whole


def is_absent():
    return object("whole") is None


def local_whole():
    return os.path.exists("out") and open("out", "rb").read() == whole


def split_parts():
    return {n: object(f"new.{n}") for n in ["001", "002", "003", "sfv"]}


def is_split():
    found = split_parts()
    return all(found.values()) and found["001"] + found["002"] + found["003"] == whole


def has_only_right_parts():
    found, places = split_parts(), {"001": 0, "002": 5 << 20, "003": 10 << 20}
    if found["sfv"]:
        return is_split()
    return all(data is None or data == whole[places[n] : places[n] + (5 << 20)] for n, data in found.items() if n != "sfv")


P, W = "s3://b/dir/film.001", "s3://b/dir/whole"
# Name, what is there, the words, what it reads, whether it is done, and what may be there when it has failed.
JOBS = [
    ("merge", dict(parts=True), ["merge", "-q", "--no-sync", "-o", "out", P], None, local_whole, lambda: not os.path.exists("out")),
    ("cat", dict(parts=True), ["cat", P], None, None, lambda: True),
    ("verify", dict(parts=True), ["verify", "s3://b/dir/film.sfv"], None, lambda: True, lambda: True),
    ("merge-in-store", dict(parts=True), ["merge", "-q", "-o", W, P], None, is_whole, is_absent),
    ("merge-over-old", dict(parts=True, old="whole"), ["merge", "-q", "-f", "-o", W, P], None, is_whole,
     lambda: object("whole") == b"old"),
    ("merge-readback", dict(parts=True), ["merge", "-q", "--verify=readback", "-o", W, P], None, is_whole, is_absent),
    ("merge-to-store", dict(here_too=True), ["merge", "-q", "-o", W, "film.001"], None, is_whole, is_absent),
    ("split-to-store", dict(), ["split", "-q", "-b5M", "film", "s3://b/dir/new"], None, is_split, has_only_right_parts),
    ("split-stream", dict(), ["split", "-q", "-b5M", "-", "s3://b/dir/new"], "film", is_split, has_only_right_parts),
]
runs, kinds_of_ends, bad = 0, collections.Counter(), 0
try:
    for name, state, words, source, is_done, is_left in JOBS:
        if name not in only:
            continue
        prepare(**state)
        ask("/fault/0/none")
        first = run(words, source)
        usual, output = ask("/log"), first.stdout
        assert first.returncode == 0, (name, first)
        ends = collections.Counter()
        for kind in KINDS:
            # Ranges of a part are all alike.
            for number in [n for n in range(1, len(usual) + 1) if n <= 16 or n % 8 == 0 or n > len(usual) - 4]:
                prepare(**state)
                ask(f"/fault/{number}/{kind}")
                runs += 1
                what = f"{name}: {kind} at {number} ({usual[number - 1]})"
                try:
                    result = run(words, source, kind)
                except subprocess.TimeoutExpired:
                    print(f"{what}: hangs")
                    bad += 1
                    continue
                asked = ask("/log")
                what = f"{name}: {kind} at {number} ({asked[number - 1] if number <= len(asked) else ''})"
                ends[result.returncode] += 1
                ask("/fault/0/none")
                faults = []
                lines = [line for line in result.stderr.splitlines() if line.startswith("cleave: ") and "warning" not in line]
                if result.returncode == 0:
                    if not (is_done() if is_done else result.stdout == output):
                        faults.append("0 with a wrong result")
                elif result.returncode not in CODES or len(lines) != 1:
                    faults.append("not a line and a code")
                elif not is_left() and not (is_done and is_done()):
                    faults.append("something is left")
                if any(secret in result.stderr for secret in ("SKTEST", "AWS4-HMAC")):
                    faults.append("a secret is told")
                left = run(["clean", "-fn", "s3://b/dir"])
                if left.stdout and "uploads=" not in (asked[number - 1] if number <= len(asked) else ""):
                    faults.append(f"an upload is open: {left.stdout.strip()}")
                again = run(words + ["-f"] if name.startswith(("merge", "split")) and "-f" not in words else words, source)
                if again.returncode != 0 or not (is_done() if is_done else again.stdout == output):
                    faults.append(f"again: {again.returncode} {again.stderr.strip()}")
                run(["clean", "-f", "s3://b/dir"])
                if run(["clean", "-fn", "s3://b/dir"]).stdout:
                    faults.append("an upload is open behind clean")
                for fault in faults:
                    print(f"{what}: {fault}: {result.returncode} {result.stderr.strip()}", flush=True)
                bad += bool(faults)
        told = ", ".join(f"{count} with {code}" for code, count in sorted(ends.items()))
        print(f"remote-faults: {name}: {len(usual)} questions, {told}", flush=True)
finally:
    server.kill()
    shutil.rmtree(here)
print(f"remote-faults: {' '.join(only)}: {runs} runs, {bad} bad")
sys.exit(1 if bad or not runs else 0)
