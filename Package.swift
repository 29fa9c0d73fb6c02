// swift-tools-version: 6.0
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// ISA-L sums and inflates several times as fast as zlib. make uses it where it is installed; a plain
// swift build needs zlib alone.
let usesISAL = Context.environment["CLEAVE_ISAL"] == "1"

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
    .target(name: "CCrypto"),
    .target(name: "CCurl"),
    .target(name: "CPlatform"),
    .target(name: "Posix", dependencies: ["CPlatform"], swiftSettings: strict),
    .target(
      name: "Cleave",
      dependencies: ["CCrypto", "CPlatform", "CZlib", "Posix"] + (usesISAL ? ["CISAL"] : []),
      swiftSettings: strict + (usesISAL ? [.define("CLEAVE_ISAL")] : [])
    ),
    .target(
      name: "CleaveRemote",
      dependencies: ["CCurl", "Cleave", "Posix"],
      swiftSettings: strict
    ),
    .target(
      name: "CommandLineKit",
      dependencies: ["CPlatform", "Posix"],
      swiftSettings: strict
    ),
    .target(name: "SampleFile", dependencies: ["Posix"], swiftSettings: strict),
    .target(
      name: "CleaveBench",
      dependencies: ["Cleave", "CommandLineKit", "Posix", "SampleFile"],
      swiftSettings: strict
    ),
    .target(
      name: "GNUSplit",
      dependencies: ["Cleave", "Posix"],
      swiftSettings: strict
    ),
    .target(
      name: "CleaveCLI",
      dependencies: [
        "Cleave", "CleaveBench", "CleaveRemote", "CommandLineKit", "GNUSplit", "Posix",
      ],
      swiftSettings: strict
    ),
    .executableTarget(name: "cleave", dependencies: ["CleaveCLI"], swiftSettings: strict),
    .executableTarget(
      name: "cleave-sample",
      dependencies: ["Posix", "SampleFile"],
      swiftSettings: strict
    ),
    .target(
      name: "TestSupport",
      dependencies: ["CZlib", "Posix"],
      path: "Tests/TestSupport",
      swiftSettings: strict
    ),
    .target(
      name: "Trials",
      dependencies: ["Cleave", "CommandLineKit", "Posix", "TestSupport"],
      path: "Tests/Trials",
      swiftSettings: strict
    ),
    .testTarget(
      name: "PosixTests",
      dependencies: ["Posix", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "CleaveTests",
      dependencies: ["Cleave", "CZlib", "Posix", "TestSupport", "Trials"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "CleaveRemoteTests",
      dependencies: ["Cleave", "CleaveRemote", "Posix", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "CommandLineKitTests",
      dependencies: ["CleaveCLI", "CommandLineKit", "Posix", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "CleaveBenchTests",
      dependencies: ["Cleave", "CleaveBench", "CommandLineKit", "Posix", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "GNUSplitTests",
      dependencies: ["Cleave", "GNUSplit", "Posix", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "CleaveCLITests",
      dependencies: ["Cleave", "CleaveCLI", "CommandLineKit", "Posix", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "CommandLineTests",
      dependencies: ["cleave", "Cleave", "Posix", "TestSupport"],
      swiftSettings: strict
    ),
  ],
  swiftLanguageModes: [.v6]
)

// What is tested takes half the time so. Nothing can depend on a package with such flags.
if Context.environment["CLEAVE_OPTIMIZED"] == "1" {
  for target in package.targets where target.path == nil && !target.isTest {
    target.swiftSettings?.append(.unsafeFlags(["-O"]))
  }
}

if usesISAL {
  package.targets.append(.target(name: "CISAL", linkerSettings: [.linkedLibrary("isal")]))
}

// make fuzz: a program that only libFuzzer makes whole.
if Context.environment["CLEAVE_FUZZ"] == "1" {
  package.targets.append(
    .executableTarget(
      name: "cleave-fuzz",
      dependencies: ["Trials"],
      path: "Tests/Fuzz",
      exclude: ["corpus", "outcomes"]
    )
  )
}
