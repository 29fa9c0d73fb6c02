"""Recorded runs of `cleave bench`: where they lie, how they are made and read. No program itself."""

import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys

BENCHMARKS = pathlib.Path(__file__).resolve().parent
ROOT = BENCHMARKS.parent


class RecordError(Exception):
    """Says in one line what is wrong with a record, or why there is none."""


# Making


def cleave():
    """The program that is measured."""
    path = pathlib.Path(os.environ.get("CLEAVE_BINARY", ROOT / ".build/release/cleave")).resolve()
    if not path.is_file():
        raise RecordError(f"{path} is missing; make build makes it")
    return path


def working_directory():
    """Where inputs and outputs are made, and so the disk that is measured."""
    path = pathlib.Path(os.environ.get("CLEAVE_BENCH_DIR", ROOT / ".build/benchmarks")).resolve()
    path.mkdir(parents=True, exist_ok=True)
    return path


def todays_directory():
    """`runs/DATE-HOST`. A system's kind says more than its name, which may also be private."""
    processors = f"{os.cpu_count()}cpu"
    host = "-".join([platform.system().lower(), platform.machine(), processors])
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    path = BENCHMARKS / "runs" / f"{today}-{os.environ.get('CLEAVE_BENCH_HOST', host)}"
    path.mkdir(parents=True, exist_ok=True)
    return path


def record(options, path):
    """Runs `cleave bench` and keeps what it exports; an earlier record stays until there is another.

    The program runs in the working directory and writes to standard output, so that no path of the
    machine gets into the record.
    """
    program, directory = cleave(), working_directory()
    command = [program, "bench", *options, "--export-json=-"]
    with subprocess.Popen(command, cwd=directory, stdout=subprocess.PIPE) as child:
        try:
            text, _ = child.communicate()
        except KeyboardInterrupt:
            # It was interrupted as well, and removes gigabytes, which subprocess.run would not await.
            child.wait()
            raise
    if child.returncode != 0:
        raise RecordError(f"cleave bench {' '.join(options)}: exit code {child.returncode}")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".partial")
    temporary.write_bytes(text)
    temporary.replace(path)


# Reading


def load(path):
    """The record in a file, its members checked as far as they are used.

    Raises RecordError for what is no record of at least one run.
    """
    try:
        record = json.loads(path.read_bytes())
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise RecordError(f"{path}: no JSON: {error}") from error
    if not is_record(record):
        raise RecordError(f"{path}: not an export of cleave bench")
    return record


def is_record(record):
    """Whether this has the members that are used, with numbers where numbers are expected."""
    try:
        host, results = record["host"], record["results"]
        return (
            all(isinstance(host[name], int) for name in ["bytes", "parts"])
            and len(results) > 0
            and all(map(is_result, results))
        )
    except (KeyError, TypeError):
        return False


def is_result(result):
    times, memory, ratios = result["times"], result["memory_usage_byte"], result["ratios"]
    return (
        len(times) > 0
        and len(memory) == len(times)
        and len(ratios) in [0, len(times)]
        and all(is_number(number) for number in [*times, *memory, *ratios])
        and isinstance(result["parameters"]["engine"], str)
        and all(isinstance(value, str) for value in result["parameters"].values())
    )


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0


def load_all(path):
    """The records in a directory, or of one file, by the names of their cases."""
    path = pathlib.Path(path)
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        raise RecordError(f"{path}: has no runs: no file *.json")
    return {file.stem: load(file) for file in files}


def quantile(values, share):
    """Linear interpolation between the two nearest (type 7), as in `cleave bench`."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def main(body):
    """Ends a program with what `body` returns; with 2 and a line for a RecordError."""
    name = pathlib.Path(sys.argv[0]).name
    try:
        sys.exit(body(sys.argv[1:]))
    except RecordError as error:
        print(f"{name}: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
