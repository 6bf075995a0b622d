/// An interest in what is on the air; see `Central.observe`.
package struct ScanObservation: Hashable, Sendable {
    let number: Int
}

/// Who is interested, and in what.
struct ScanObserver {
    let filter: ScanFilter
    let handler: @Sendable (Sighting) -> Void
}
