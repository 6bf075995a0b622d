import System

/// Since when a device that is only observed has sent no advertisement that the gateway accepts, and how long this is
/// tolerated.
struct Silence: Equatable {
    /// When the last advertisement was accepted.
    let begin: Instant
    /// When the device becomes `stale`.
    let deadline: Instant
    /// When the device becomes `offline`.
    let end: Instant
}
