extension Device {
    /// Calls `body` on the device at once, for a part of the gateway.
    ///
    /// The gateway and its devices share one thread. The gateway does not wait for a device (`await`): requests would
    /// overtake each other, and a message about all devices would show them at different times.
    nonisolated func enter<Result: Sendable>(_ body: (isolated Device) throws -> Result) rethrows -> Result {
        try assumeIsolated(body)
    }
}
