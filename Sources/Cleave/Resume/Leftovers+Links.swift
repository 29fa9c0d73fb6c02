import Posix

/// Links to jobs that are in other directories.
extension Leftovers {
  /// What may have taken parts beside one away, though no journal that can be read and is believed says so; nil where
  /// there is nothing.
  static func unknown(beside part: FilePath, in listing: DirectoryListing?) -> Group? {
    guard let listing = try? DirectoryListing(beside: part, unless: listing),
      listing.hidden.contains(where: {
        TemporaryName($0)?.freesSources == true || Signpost.isName($0)
      })
    else { return nil }
    return try? Leftovers(in: part.directory).groups.first { group in
      if let link = group.journal, let journal = Signpost.journal(of: link) {
        return group.doubt != nil || group.leadsElsewhere && !Journal.isThere(journal)
      }
      if group.unknownSources.contains(part.lastComponent) { return !group.isInUse }
      if group.temporaries.contains(where: { Signpost.isOfOther($0.path) }) { return true }
      return !group.isInUse && group.freesSources && (group.isOrphan || group.doubt != nil)
    }
  }

  /// The link to a journal in another directory, nil of anything else. It is of no use where no job is there that has
  /// freed any part.
  static func group(ofLink link: FilePath) -> Group? {
    guard let journal = Signpost.journal(of: link) else {
      guard Signpost.isOfOther(link) else { return nil }
      let text: Sentence = "is another user's link to a job that frees parts"
      return Group(temporaries: [(link, 0)], doubt: CleaveError(.notPermitted, link, text))
    }
    var group = Group(journal: link)
    let isBegun = temporaries(beside: journal).contains {
      $0.freesSources && Journal.isThere($0.path)
    }
    do throws(CleaveError) {
      let (found, isInUse) = try JournalFile.peek(at: journal, from: link)
      group.isInUse = isInUse
      if let found {
        (group.isOnlyCopy, group.leadsElsewhere) = (found.hasConsumed, found.hasConsumed)
        group.remedy = found.remedy
        if isBegun, !isInUse, found.hasLostEntries(journal, orIn: link.directory) {
          let text: Sentence = "has lost its end, and not all sources are what they were"
          group.doubt = CleaveError(.badData, journal, text)
        }
      } else if !isInUse {
        let text: Sentence = "has lost its beginning; \(link) leads to it"
        group.doubt = CleaveError(.badData, journal, text)
      }
    } catch  where error.system?.errno != .notFound {
      group.doubt = error
    } catch {
      if isBegun {
        let clean = cleaning(journal.directory)
        let text: Sentence = "is gone, and what its run has made is there: '\(clean)' tells more"
        group.doubt = CleaveError(.badData, journal, text)
      } else if !hasOutput(of: journal) {
        (group.isOnlyCopy, group.leadsElsewhere) = (true, true)
        group.remedy =
          "neither the journal nor an output of that run is in \(journal.directory) now: its drive may have to be "
          + "mounted; where the run is over, 'rm \(link.quoted)' removes the link"
      }
    }
    return group
  }

  /// Whether what a job has made is there under its name, so that the job is over.
  private static func hasOutput(of journal: FilePath) -> Bool {
    let output = FilePath(bytes: stem(of: journal).dropFirst())
    let names = (try? FileSystem.names(in: journal.directory)) ?? PathList()
    return names.contains { name in
      // A long name was cut.
      name == output || output.bytes.count > 100 && name.bytes.starts(with: output.bytes)
        || PartName.reading(of: name, for: output) != nil || ManifestName(name)?.subject == output
    }
  }
}
