"""Kills each job of a store at random moments, goes on, and looks at what came of it; see test-remote.sh.

    remote-kills.py PROGRAM S5CMD KILLS DIRECTORY

KILLS of each job in its course; after every one the same command line with --resume has to make the right objects, and no upload may
be left open behind `clean -f`. Prints its seed; SEED=N is the same again.
"""

import os, random, signal, subprocess, sys, time

program, s5cmd, kills, directory = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
seed = int(os.environ.get("SEED", random.randrange(10**6)))
print(f"remote-kills: seed {seed}")
random.seed(seed)
os.chdir(directory)
for name in os.listdir("."):
    os.unlink(name)
with open("/dev/urandom", "rb") as source, open("film", "wb") as film:
    film.write(source.read(60_000_001))
subprocess.run([program, "split", "-q", "-b", "9M", "film"], check=True)
subprocess.run([s5cmd, "cp", "film.*", "s3://bucket/kills/"], check=True, capture_output=True)
with open("film", "rb") as film:
    whole = film.read()
NAMES = [f"film.00{number}" for number in range(1, 8)]

JOBS = {
    "merge in the store": ["merge", "-q", "--resume", "-o", "s3://bucket/kills/whole", "s3://bucket/kills/film.001"],
    "merge to the store": ["merge", "-q", "--resume", "-o", "s3://bucket/kills/whole", "film.001"],
    "merge to a file": ["merge", "-q", "--resume", "--checkpoint=4M", "-o", "whole", "s3://bucket/kills/film.001"],
    "split to the store": ["split", "-q", "--resume", "-b", "9M", "film", "s3://bucket/kills/new/film."],
}


def run(*words):
    return subprocess.run([program, *words], capture_output=True, text=True)


def remove():
    subprocess.run([s5cmd, "rm", "s3://bucket/kills/whole", "s3://bucket/kills/new/*"], capture_output=True)
    for key in ["whole", "new/*"]:
        subprocess.run([s5cmd, "rm", f"s3://bucket/kills/{key}"], capture_output=True)
    run("clean", "-f", ".")
    if os.path.exists("whole"):
        os.unlink("whole")


def made(kind):
    if kind == "merge to a file":
        return [] if not os.path.exists("whole") else [open("whole", "rb").read()]
    keys = [f"new/film.{n}" for n in ["001", "002", "003", "004", "005", "006", "007"]] if "split" in kind else ["whole"]
    found = [subprocess.run([s5cmd, "cat", f"s3://bucket/kills/{key}"], capture_output=True) for key in keys]
    return [answer.stdout for answer in found if answer.returncode == 0]


for kind, words in JOBS.items():
    remove()
    start = time.monotonic()
    assert run(*words).returncode == 0, kind
    usual, bad, killed = time.monotonic() - start, 0, 0
    remove()
    while killed < kills:
        start = time.monotonic()
        process = subprocess.Popen([program, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0, usual))
        process.send_signal(signal.SIGKILL)
        if process.wait() == -signal.SIGKILL:
            killed += 1
        else:
            # Done before: on a machine that is less busy by now.
            usual = min(usual, time.monotonic() - start)
        # What has a name is whole.
        names = made(kind)
        if kind != "split to the store":
            isRight = all(data == whole for data in names)
        else:
            isRight = all(data in whole for data in names)
        again = run(*words)
        names = made(kind)
        isRight = isRight and b"".join(names) == whole
        # The one that was killed last may have been done.
        isRight = isRight and again.returncode in ([0] if kind != "merge to a file" else [0, 73])
        for place in ["s3://bucket/kills", "s3://bucket/kills/new"]:
            run("clean", "-f", place)
            left = run("clean", place)
            isRight = isRight and left.returncode == 0 and not left.stdout
        if not isRight:
            bad += 1
            print(f"remote-kills: {kind}: {again.returncode} {again.stderr.strip()}")
        remove()
    print(f"remote-kills: {kind}: {killed} killed, {bad} bad")
    if bad:
        sys.exit(1)
