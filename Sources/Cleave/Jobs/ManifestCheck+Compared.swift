internal import Posix

extension ManifestCheck {
  /// Files with each list that they have been compared with.
  struct Compared {
    private var files: [FilePath: PathSet] = [:]
    /// Wholes of which the parts were.
    private var joined: [FilePath: PathSet] = [:]

    mutating func insert(_ check: ManifestCheck) {
      let manifest = check.manifest
      let named = manifest.listsBySubject
      for file in check.kind == .parts ? check.files : ListedFiles([check.base]) {
        // Lists of single parts that are read together are also known by the first of them.
        let own = manifest.isUnited ? [] : [manifest.path]
        for list in Set(manifest.lists(of: file, among: named) + own) {
          if check.kind == .joined {
            joined[list, default: PathSet()].insert(file)
          } else {
            files[list, default: PathSet()].insert(file)
          }
        }
      }
      for whole in check.wholes { insert(whole) }
    }

    /// Those of some files that have not been compared with each list that a manifest was read from.
    func others(
      of files: some Sequence<FilePath>,
      _ kind: Kind,
      in manifest: Manifest
    ) -> [FilePath] {
      let known = kind == .joined ? joined : self.files
      let named = manifest.listsBySubject
      return files.filter { file in
        !manifest.lists(of: file, among: named).allSatisfy { known[$0]?.contains(file) == true }
      }
    }
  }
}
