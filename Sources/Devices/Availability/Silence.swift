package import System

/// Since when a device that is only observed has sent no advertisement that the gateway accepts, and how long this is
/// tolerated.
package struct Silence: Equatable {
    /// When the last advertisement was accepted.
    package let begin: Instant
    /// When the device becomes `stale`.
    package let deadline: Instant
    /// When the device becomes `offline`.
    package let end: Instant
}
