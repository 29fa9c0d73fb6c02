#!/bin/sh
# Checks that the folders of Sources/Cleave use each other one way. Their order, from the bottom up, is that of
# their rows in CONTRIBUTING.md; files outside of the folders are below all. A file may name the types of its own
# folder and of those below it.
#
#     Scripts/layers.sh          fails where a file names a type of a folder above its own
#     Scripts/layers.sh graph    prints how many types of which folders each folder names
#
# It is text that is looked at. A type is one that a file declares at its left margin and that is not private.
# A folder that has a nested or a private type of the same name is taken to mean its own. Methods and properties that
# extensions add to types are not seen.
#
# It also checks that each target depends on all that its files import: without that, whether a fresh build works is
# decided by the order in which it happens to compile.

set -eu

cd "$(dirname "$0")/.."

exec python3 - "$@" <<'EOF'
import collections, glob, os, re, sys

# File, type of a folder above it, and why the file may name it.
EXCEPTIONS = {
    ("Inspection/FileFormat", "ZstdProof"): "the magic numbers of skippable frames are known there",
    ("Output/Outputs", "ProofRun"): "an output tells the proof what it has written",
    ("Plan/TransferPlan", "Checksum"): "a plan has the sums of bytes that it leaves out",
    ("Remedy", "NamingStyle"): "a remedy is a choice that an operand leaves open",
    ("Remedy", "PartFormat"): "a remedy is a choice that an operand leaves open",
    ("Selection/Selection+Operands", "Consumption"): "what consuming left of a file is no operand",
    ("Series/NameGroups", "Manifest"): "the name of a manifest is no part's",
    ("Series/PartName", "Manifest"): "the name of a manifest is no part's",
    ("Series/Neighbours", "Manifest"): "the name of a manifest is no part's",
    ("Series/SeriesCandidate", "Manifest"): "a manifest beside the parts confirms that they are parts",
    ("Series/SeriesCandidate", "SizePattern"): "sizes confirm that files are parts",
    ("Zip/ZipArchive+Search", "FileFormat"): "only some formats may have a zip at their end",
    ("Zip/ZipArchive+Search", "Selection"): "the kind of an operand decides how to search",
}

ROOT = "Sources/Cleave/"
DECLARATION = re.compile(
    r"^( *)((?:(?:public|package|internal|private|fileprivate|final|indirect|@\w+(?:\([^)]*\))?)\s+)*)"
    r"(?:struct|class|enum|protocol|actor|typealias)\s+(\w+)"
)


def code(path):
    """The text without comments, and of string literals only what is interpolated."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"//.*", "", file.read())
    inserted = lambda literal: " ".join(re.findall(r"\\\(([^\"]*)\)", literal.group()))
    return re.sub(r'"(?:[^"\\\n]|\\.)*"', inserted, text)


with open("CONTRIBUTING.md", encoding="utf-8") as file:
    order = re.findall(r"^\| `Sources/Cleave/(\w+)`", file.read(), re.MULTILINE)
files = {path[len(ROOT):-len(".swift")]: code(path) for path in glob.glob(ROOT + "**/*.swift", recursive=True)}
# Files outside of the folders are below all of them.
height = {folder: index for index, folder in enumerate([""] + order)}
problems = [
    f"{ROOT}{folder}: has no row in CONTRIBUTING.md"
    for folder in sorted({os.path.dirname(name) for name in files} - height.keys())
]

owners, nested = {}, collections.defaultdict(set)
for name, text in files.items():
    for line in text.split("\n"):
        if declared := DECLARATION.match(line):
            if declared[1] or "private" in declared[2]:
                nested[os.path.dirname(name)].add(declared[3])
            else:
                owners[declared[3]] = name

graph = collections.defaultdict(set)
unused = dict(EXCEPTIONS)
for name, text in sorted(files.items()):
    folder = os.path.dirname(name)
    for used in sorted(set(re.findall(r"(?<![.\w])[A-Z]\w*", text)) & owners.keys()):
        owner = os.path.dirname(owners[used])
        if owner == folder or used in nested[folder]:
            continue
        graph[folder, owner].add(used)
        if height.get(owner, 0) <= height.get(folder, 0) or unused.pop((name, used), None):
            continue
        problems.append(f"{ROOT}{name}.swift: names {used} of {owner}, which is above {folder}")
problems += [f"Scripts/layers.sh: {name} no longer names {used}" for name, used in unused]

with open("Package.swift", encoding="utf-8") as file:
    targets = re.split(r"\.(?:target|testTarget|executableTarget|systemLibrary)\(", file.read())[1:]
dependencies = {
    re.search(r'name: "([\w-]+)"', target)[1]: set(re.findall(r'"([\w-]+)"', target)) for target in targets
}
IMPORT = re.compile(r"^(?:@\w+ |\w+ )*import (\w+)", re.MULTILINE)
for path in glob.glob("Sources/**/*.swift", recursive=True) + glob.glob("Tests/**/*.swift", recursive=True):
    target = path.split("/")[1]
    with open(path, encoding="utf-8") as file:
        for module in IMPORT.findall(file.read()):
            if module in dependencies and module not in dependencies.get(target, {module}):
                problems.append(f"{path}: imports {module}, on which {target} does not depend in Package.swift")

if sys.argv[1:] == ["graph"]:
    for folder in order:
        counts = [f"{owner} {len(graph[folder, owner])}" for owner in order if graph[folder, owner]]
        print(f"{folder}: {', '.join(counts)}")
for problem in problems:
    print(problem, file=sys.stderr)
sys.exit(bool(problems))
EOF
