// swift-tools-version: 6.0
import PackageDescription

// Programs that embed cleave, each as small as it can be. Names of executables are those of folders.
let names = ["merge", "own-engine", "split-to-stream", "verify"]

let package = Package(
  name: "examples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "cleave", path: "..")],
  targets: names.map { name in
    .executableTarget(name: name, dependencies: [.product(name: "Cleave", package: "cleave")])
  },
  swiftLanguageModes: [.v6]
)
