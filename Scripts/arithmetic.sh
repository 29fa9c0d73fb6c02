#!/bin/sh
# Finds sums, products and shifts that may overflow, in the files that read numbers from outside: names,
# manifests, zip records, headers, metadata and options. Swift ends the process where one overflows.
#
#     Scripts/arithmetic.sh
#
# In these files a line with +, *, << or an assignment of one of them does one of three things: it asks
# whether it overflows (…ReportingOverflow), it computes modulo (&+, &*), or it says why it cannot:
#
#     let end = start + 8  // bounded: the start is within the file
#
# also on a line of its own in front. It is text that is looked at: sums in several lines are not found, and
# whether a reason is right is for a reader to say. Differences are left out: of two numbers that are not
# negative, Int64 has every one.

cd "$(dirname "$0")/.." || exit 1

files='
Sources/Cleave/Bytes/JoinedBytes.swift
Sources/Cleave/Bytes/PartLayout.swift
Sources/Cleave/Checksums/BlockSums.swift
Sources/Cleave/Checksums/FlatJSON.swift
Sources/Cleave/Checksums/Manifest.swift
Sources/Cleave/Checksums/ManifestNumber.swift
Sources/Cleave/Checksums/RcloneMetadata.swift
Sources/Cleave/Checksums/SFVBlocks.swift
Sources/Cleave/Checksums/TotalCommanderCRC.swift
Sources/Cleave/Inspection/RARHeader.swift
Sources/Cleave/Inspection/SevenZipHeader.swift
Sources/Cleave/Inspection/TarHeader.swift
Sources/Cleave/Inspection/TarWalk.swift
Sources/Cleave/Jobs/MergePlan.swift
Sources/Cleave/Plan/SplitPlan.swift
Sources/Cleave/Plan/TransferPlan.swift
Sources/Cleave/Proof/ContentEnd+Media.swift
Sources/Cleave/Records/EvenChunks.swift
Sources/Cleave/Records/RecordCuts.swift
Sources/Cleave/Records/RecordScanner.swift
Sources/Cleave/Records/StreamCutter.swift
Sources/Cleave/Series/MissingParts.swift
Sources/Cleave/Series/Numbering.swift
Sources/Cleave/Series/PartDigits.swift
Sources/Cleave/Series/PartSeries+Complete.swift
Sources/Cleave/Series/PartSeries.swift
Sources/Cleave/Series/SuffixSequence.swift
Sources/Cleave/Zip/EntryPlace.swift
Sources/Cleave/Zip/JoinedBytes+CutEnd.swift
Sources/Cleave/Zip/MiscutPart.swift
Sources/Cleave/Zip/ZipRepair.swift
Sources/CommandLineKit/ByteRange.swift
Sources/CommandLineKit/ByteSize.swift
Sources/CommandLineKit/TimeSpan.swift
Sources/GNUSplit/ChunkPrinter.swift
Sources/GNUSplit/SplitNumber.swift
Sources/GNUSplit/SplitOptions.swift
'

# Every file that reads 8 bytes of a record, or digits by itself, is to be in the list, or among the others
# that were looked at: those use such numbers only in comparisons and checked sums.
looked_at='
Sources/Cleave/Inspection/FileFormat.swift
Sources/Cleave/Proof/ContentEnd.swift
Sources/Cleave/Proof/LzipProof.swift
Sources/Cleave/Proof/SevenZipProof.swift
Sources/Cleave/Zip/CentralRecord.swift
Sources/Cleave/Zip/DataDescriptor.swift
Sources/Cleave/Zip/EndRecords.swift
Sources/Cleave/Zip/LittleEndian.swift
Sources/Cleave/Zip/LocalHeader.swift
'

status=0
for file in $(grep -rlE 'uint64\(at:|multipliedReportingOverflow' Sources/Cleave Sources/CommandLineKit Sources/GNUSplit); do
  case "$files$looked_at" in
  *"
$file
"*) ;;
  *)
    echo "$file: reads numbers from outside, and is not in Scripts/arithmetic.sh" >&2
    status=1
    ;;
  esac
done

for file in $files; do
  awk -v file="$file" '
    { text = $0 }
    text ~ /^ *\/\// { above = text ~ /bounded:/; next }
    {
      reason = above || text ~ /\/\/ bounded:/ || text ~ /ReportingOverflow/
      above = 0
      sub(/\/\/.*/, "", text)
      # Texts and lists are put together, not summed.
      gsub(/"([^"\\]|\\.)*"/, "\"\"", text)
      if (text ~ /"" \+ |\+ ""|\] \+ |\+ \[|\.bytes \+|\+= Array|error\.text \+=/) next
      # The element behind another one, and constants.
      gsub(/[a-z.]+ \+ 1\)?(\.\.\.)?\]/, "]", text)
      gsub(/[0-9]+ << [0-9]+/, "0", text)
      if (!reason && text ~ /[^&](\+|\*|<<) |[+*<]= |<<= / && text ~ / (\+|\*|<<|\+=|\*=|<<=) /) {
        printf "%s:%d: may overflow, and says not why it cannot:%s\n", file, FNR, $0
        found = 1
      }
    }
    END { exit found }
  ' "$file" >&2 || status=1
done
exit $status
