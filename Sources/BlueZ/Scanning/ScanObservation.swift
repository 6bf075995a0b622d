/// An interest in what is on the air; see `Central.observe`.
package struct ScanObservation: Hashable, Sendable {
    let number: Int
}

/// Who is interested, and in what.
struct ScanObserver {
    let filter: ScanFilter
    /// Whether it needs packets that say nothing new.
    let needsEachPacket: Bool
    let handler: @Sendable (Sighting) -> Void
}
