/// The last changes, from which a page receives those that it has missed.
package struct ChangeLog {
    /// A change, as a page receives it.
    package struct Event: Equatable {
        package let id: Int
        package let topic: String
        /// The payload as JSON text; nil: the topic has no payload any more.
        package let payload: [UInt8]?
    }

    /// The page that receives events.
    package struct Reader: Sendable {
        /// The name of the device on the page of a device; nil: the page with all devices.
        package let device: String?
        package let visitor: String

        package init(device: String?, visitor: String) {
            self.device = device
            self.visitor = visitor
        }
    }

    private struct Entry {
        let id: Int
        let change: Change
    }

    private static let mostEntries = 8192
    private static let mostBytes = 4 << 20

    /// The entries, oldest first, from `head` on.
    private var entries: [Entry] = []
    private var head = 0
    private var bytes = 0
    /// The number of the last change.
    package private(set) var last: Int

    /// - Parameter first: A number above those of an earlier run: its pages must read everything again.
    package init(startingAt first: Int) {
        last = first
    }

    package mutating func append(_ change: Change) {
        last += 1
        entries.append(Entry(id: last, change: change))
        bytes += change.payload?.count ?? 0
        while entries.count - head > Self.mostEntries || bytes > Self.mostBytes {
            bytes -= entries[head].change.payload?.count ?? 0
            head += 1
        }
        if head > Self.mostEntries {
            entries.removeFirst(head)
            head = 0
        }
    }

    /// Returns the events after a number for a page, oldest first, each topic once except those with own payloads.
    ///
    /// - Parameters:
    ///   - id: The number of the last event that the page has received.
    ///   - reader: The page.
    ///   - world: The newest payloads.
    ///   - pairs: Returns whether a visitor pairs a device through a gateway.
    /// - Returns: The events; nil if some of them are no longer stored.
    package func events(
        after id: Int, for reader: Reader, in world: World, _ pairs: (_ visitor: String, _ gateway: String) -> Bool
    ) -> [Event]? {
        let oldest = head < entries.count ? entries[head].id : last + 1
        guard id >= oldest - 1, id <= last else { return nil }
        var events: [Event] = []
        var seen: Set<String> = []
        for entry in entries[(head + id - oldest + 1)...].reversed() {
            guard Self.wants(reader, entry.change, pairs) else { continue }
            let change = entry.change
            if change.payload == nil, !seen.insert(change.topic).inserted { continue }
            let payload = change.payload ?? world.payload(of: change.topic, device: change.device)
            events.append(Event(id: entry.id, topic: change.topic, payload: payload))
        }
        return events.reversed()
    }

    private static func wants(_ reader: Reader, _ change: Change, _ pairs: (String, String) -> Bool) -> Bool {
        switch change.audience {
        case .pairing(let gateway): pairs(reader.visitor, gateway)
        case .everyone: reader.device == nil || change.device == nil || change.device == reader.device
        case .devicePage: reader.device != nil && change.device == reader.device
        }
    }
}
