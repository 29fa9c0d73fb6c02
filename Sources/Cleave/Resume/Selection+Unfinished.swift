internal import Posix

/// Files of a split that did not end.
extension Selection {
  /// Looks for what says that the split that made the files had not given all their names, or that other shares of it are
  /// not done yet.
  ///
  /// - Parameter remedy: what to do where those that are done are all that is wanted.
  mutating func noteUnfinished(_ remedy: Sentence) {
    guard !request.isAsGiven, manifest?.isOwn != true, manifest?.whole(of: base) == nil,
      !names.contains("-")
    else { return }
    let listings = names.firstOfEachDirectory.filter { !$0.isRemote }.compactMap { first in
      try? DirectoryListing(beside: first, unless: listing(beside: first))
    }
    let isBounded = request.reading.bounds.last != nil
    for listing in listings {
      guard
        let doubt = (isBounded ? nil : undone(in: listing, remedy)) ?? unnamed(in: listing, remedy)
      else { continue }
      return evidence.suspect(.beside, doubt)
    }
  }

  private func unnamed(in listing: DirectoryListing, _ remedy: Sentence) -> Doubt? {
    let areAll = request.reading.bounds == PartSeries.Bounds()
    for mark in NamingMark.all(in: listing) {
      guard let finding = mark.finding(about: names, in: listing), areAll || finding == .mixed
      else {
        continue
      }
      if let job = Journal.remedy(ofJob: mark.job, in: listing) { return unnamed(job) }
      let text: Sentence
      if TemporaryName.freesSources(mark.job) {
        text =
          "a run that frees its source was giving parts their names, which not all may have: "
          + "'\(Leftovers.cleaning(listing.path))' tells more"
      } else if finding == .lacking {
        text =
          "\(mark.path.lastComponent) says that a run that did not end has not given all parts their names: run it "
          + "again with \(.replacing), or \(remedy)"
      } else {
        text =
          "a run that did not end was giving parts their names, so that they may be of two sets: run it again with "
          + "\(.replacing), or where they are of one, \(Leftovers.givingUp(mark.path)) ends the doubt"
      }
      return Doubt(.partIsDownloading, base ?? names[0], text)
    }
    // The mark may be lost.
    return names.first.flatMap { Journal.naming($0, in: listing) }.map {
      unnamed($0.journal.remedy)
    }
  }

  private func unnamed(_ remedy: String) -> Doubt {
    let text: Sentence =
      "is of a split that has not given all of its parts their names; \(remedy), and \(.asGiven()) merges the files "
      + "that are named"
    return Doubt(.partIsDownloading, names[0], text)
  }

  private func undone(in listing: DirectoryListing, _ remedy: Sentence) -> Doubt? {
    for (path, receipt) in ShareReceipt.all(in: listing) {
      let isUndone =
        if let receipt {
          receipt.undonePart(in: listing).map { part in
            names.contains { $0 == $0.sibling(part) }
          } ?? false
        } else {
          names.contains { ShareReceipt.mayBe(path, about: $0, in: listing) }
        }
      if !isUndone { continue }
      let says = receipt == nil ? "cannot be read, and may say" : "says"
      let text: Sentence =
        "\(path.lastComponent) \(says) that other shares of the split are not done: \(remedy)"
      return Doubt(.nextIsDownloading, base ?? names[0], text)
    }
    return nil
  }
}
