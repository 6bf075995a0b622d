import CEmbeddedFiles
import System

/// The name and the version of the executable; `Program+Commands` runs it.
enum Program {
    static let name = "bluefleet"
    /// The version in the top entry of config/debian/changelog.
    static let version = unsafe Changelog.version(in: String(cString: changelog()))
}
