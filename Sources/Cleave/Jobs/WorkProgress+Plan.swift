extension WorkProgress {
  /// What is copied is that of several sources, or goes to several destinations.
  func follow(_ plan: TransferPlan) {
    follow { copied in
      guard let parts = plan.parts, parts.parts > 1 else { return nil }
      let index = parts.part(at: min(copied, parts.count))
      return Part(path: parts.paths[index], number: index + 1, count: parts.parts)
    }
  }
}

extension TransferPlan {
  fileprivate var parts: PartLayout? {
    sources.count > 1
      ? PartLayout(sources.paths, sizes: sources.sizes)
      : PartLayout(destinations.map(\.path), sizes: destinations.map(\.size))
  }
}
