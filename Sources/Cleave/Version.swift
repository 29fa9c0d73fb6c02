/// The version of the package, in the sense of semver.org.
public let cleaveVersion = "0.1.0"
