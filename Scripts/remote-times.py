"""Times 1 GiB in 4 parts in a store against what other programs do; see test-remote.sh, which starts it.

    remote-times.py PROGRAM S5CMD RCLONE ROUNDS FILE

The parts are s3://bucket/big/big.001 and so on, and FILE is their whole. All of a round is run one after the other, so
that the ratios are of the same minutes.
"""

import os, socket, statistics, subprocess, sys, threading, time, urllib.parse

program, s5cmd, rclone, rounds, big = sys.argv[1:6]
big = os.path.abspath(big)
KINDS = ["merge to a file", "merge in the store", "split to the store"]


def run(command, environment=None):
    """Seconds, and the most memory in MiB."""
    start = time.monotonic()
    process = subprocess.Popen(["sh", "-ec", command], stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return time.monotonic() - start, usage.ru_maxrss / 1024


def tidy():
    for name in os.listdir("."):
        os.unlink(name)
    for key in ["big/big", "split/*", "other/*"]:
        subprocess.run([s5cmd, "rm", f"s3://bucket/{key}"], capture_output=True)


class Counting:
    """A way to the store that counts what passes."""

    def __init__(self, host, port):
        self.target, self.bytes, self.lock = (host, port), 0, threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near, _ = self.listener.accept()
            far = socket.create_connection(self.target)
            for source, sink in [(near, far), (far, near)]:
                threading.Thread(target=self.carry, args=(source, sink), daemon=True).start()

    def carry(self, source, sink):
        try:
            while data := source.recv(1 << 16):
                with self.lock:
                    self.bytes += len(data)
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass


own = {
    KINDS[0]: f"exec {program} merge -q --no-sync s3://bucket/big/big.001",
    KINDS[1]: f"exec {program} merge -q -o s3://bucket/big/big s3://bucket/big/big.001",
    KINDS[2]: f"exec {program} split -q -b 256M {big} s3://bucket/split/big.",
}
others = {
    KINDS[0]: {
        "s5cmd": f"{s5cmd} cp 's3://bucket/big/big.0*' . && cat big.0* >big",
        "rclone": f"{rclone} copy -q --include 'big.0*' store:bucket/big . && cat big.0* >big",
    },
    KINDS[1]: {
        "s5cmd": f"{s5cmd} cp 's3://bucket/big/big.0*' . && cat big.0* >big && {s5cmd} cp big s3://bucket/other/big",
        "rclone": f"{rclone} copy -q --include 'big.0*' store:bucket/big . && cat big.0* >big"
        f" && {rclone} copyto -q big store:bucket/other/big",
    },
    KINDS[2]: {
        "s5cmd": f"split -b 256M {big} big. && {s5cmd} cp 'big.*' s3://bucket/other/",
        "rclone": f"split -b 256M {big} big. && {rclone} copy -q . store:bucket/other",
    },
}

ratios, memory = {}, {}
for _ in range(int(rounds)):
    for kind in KINDS:
        tidy()
        mine, peak = run(own[kind])
        memory[kind] = max(memory.get(kind, 0), peak)
        for name, command in others[kind].items():
            tidy()
            ratios.setdefault((kind, name), []).append(mine / run(command)[0])
tidy()
for (kind, name), values in ratios.items():
    low, middle, high = statistics.quantiles(values, n=4)
    print(f"1 GiB in 4 parts, {kind} / {name}: {middle:.2f} ({low:.2f}-{high:.2f}), at most {memory[kind]:.1f} MiB")

place = urllib.parse.urlsplit(os.environ["AWS_ENDPOINT_URL"])
counting = Counting(place.hostname, place.port)
port = counting.listener.getsockname()[1]
run(own[KINDS[1]], os.environ | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}"})
print(f"1 GiB in 4 parts, {KINDS[1]}: {counting.bytes} bytes to and from the store")
tidy()
