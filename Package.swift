// swift-tools-version: 6.0
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "cleave",
  // Synchronization's Mutex and Atomic came with macOS 15.
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Cleave", targets: ["Cleave", "Posix"]),
    .executable(name: "cleave", targets: ["cleave"]),
  ],
  targets: [
    .systemLibrary(
      name: "CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
    ),
    .target(name: "CPlatform"),
    .target(name: "Posix", dependencies: ["CPlatform"], swiftSettings: strict),
    .target(name: "Cleave", dependencies: ["Posix", "CZlib"], swiftSettings: strict),
    .target(
      name: "CommandLineKit",
      dependencies: ["CPlatform", "Posix"],
      swiftSettings: strict
    ),
    .target(
      name: "CleaveCLI",
      dependencies: ["Cleave", "CommandLineKit", "Posix"],
      swiftSettings: strict
    ),
    .executableTarget(name: "cleave", dependencies: ["CleaveCLI"], swiftSettings: strict),
    .executableTarget(name: "cleave-sample", dependencies: ["Posix"], swiftSettings: strict),
    .target(
      name: "TestSupport",
      dependencies: ["CZlib", "Posix"],
      path: "Tests/TestSupport",
      swiftSettings: strict
    ),
    .testTarget(
      name: "PosixTests",
      dependencies: ["Posix", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "CleaveTests",
      dependencies: ["Cleave", "Posix", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "CommandLineKitTests",
      dependencies: ["CommandLineKit", "Posix", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "CommandLineTests",
      dependencies: ["cleave", "Posix", "TestSupport"],
      swiftSettings: strict
    ),
  ],
  swiftLanguageModes: [.v6]
)
