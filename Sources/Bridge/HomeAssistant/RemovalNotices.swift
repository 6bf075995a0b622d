import JSON

/// The messages that precede the end of the discovery of devices.
///
/// In Home Assistant 2026.2, an empty discovery does not remove the disabled entities of the device. Home Assistant removes
/// them later with the device, empties the discovery again for each of them, and logs the warning "No device components to
/// cleanup". It does not do this for a disabled entity that was replaced: the notice puts a new, enabled entity in the place
/// of each disabled one. An enabled entity ignores the change of its identifier. Home Assistant 2026.11 needs no notice.
///
/// A value without I/O.
struct RemovalNotices {
    /// The notices of devices that stop, by the topics of their discovery.
    private var prepared: [String: JSON.Object] = [:]
    /// The topics on which a notice was published and that are not cleared yet.
    private var underWay: Set<String> = []

    /// Prepares the notice of a device that stops.
    ///
    /// - Parameter message: the discovery of the device.
    mutating func prepare(_ message: DiscoveryMessage) {
        prepared["\(message.topic)"] = message.removalNotice
    }

    /// Begins the removal of a device; returns the notice, or nil if none was prepared.
    mutating func begin(_ topic: String) -> JSON.Object? {
        guard let notice = prepared.removeValue(forKey: topic) else { return nil }
        underWay.insert(topic)
        return notice
    }

    /// Forgets the prepared notices of devices that continue.
    mutating func forgetOthers() {
        prepared = [:]
    }

    func isUnderWay(_ topic: String) -> Bool { underWay.contains(topic) }

    /// Returns whether a removal was under way, and ends it.
    mutating func cancel(_ topic: String) -> Bool {
        underWay.remove(topic) != nil
    }

    /// Ends all removals; returns their topics, sorted.
    mutating func end() -> [String] {
        defer { underWay = [] }
        return underWay.sorted()
    }
}
