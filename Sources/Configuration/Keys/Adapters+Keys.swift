import Bluetooth
import Codec

extension Configuration.Adapters {
    enum Keys {
        static let adapters = Key(
            "adapters",
            .list(
                of: .adapter, whenEmpty: "the list is empty: name an adapter, or remove the key",
                example: "[\"B8:27:EB:12:34:56\"]"),
            example: "[\"B8:27:EB:12:34:56\"]",
            "The adapters to use, by address; all adapters if left out.")
        static let connections = Key(
            "connections", Kind<Connections>.connections, default: "auto", example: "7",
            "The maximum number of connections of each adapter: auto, or a number.")
        static let notify = Key(
            "notify", Kind<Notifications>.word, default: "auto", example: "signals",
            "How bluetoothd delivers values: signals, descriptor (a file descriptor for each characteristic), or auto (the "
                + "best one for its version).")
        /// The key for the moderation time.
        ///
        /// The default is below the shortest connection interval, 7.5 ms (Core 6.0, Vol 6, Part B, 4.5.1).
        static let moderation = Key(
            "moderation", Kind<Duration>.moderation, default: "5ms", example: "0ms",
            "How long values are collected at a high rate, to be processed together; 0ms: process each value at once.")

        private static let scanAdvice = "the gateway scans as its devices need it: remove the key"

        static let section = Section(
            "bluetooth", adapters, connections, notify, moderation,
            advice: [
                "scan": Self.scanAdvice, "scanning": Self.scanAdvice, "passive": Self.scanAdvice,
                "passive_scan": Self.scanAdvice, "scan_mode": Self.scanAdvice, "scan_interval": Self.scanAdvice,
                "active_scan": Self.scanAdvice, "scan_duration": Self.scanAdvice,
                "power": "write AutoEnable=true into /etc/bluetooth/main.conf",
                "timeout": "within of a device limits its sessions: remove the key",
                "device": "did you mean 'adapters'?", "hci": "did you mean 'adapters'?",
                "interface": "did you mean 'adapters'?", "max_connections": "did you mean 'connections'?",
            ])
    }

    static let kind = Kind.mapping(Keys.section) { reader in
        let addresses = reader[Keys.adapters]
        if let addresses, Set(addresses).count < addresses.count {
            reader.report("duplicate adapter: name each adapter once", at: Keys.adapters)
        }
        return Configuration.Adapters(
            addresses: addresses, connections: reader[Keys.connections],
            notifications: reader[Keys.notify], moderation: reader[Keys.moderation])
    }
}

extension Kind where Value == Address {
    /// The address of an adapter.
    static var adapter: Kind {
        scalar("address") { text, _ throws(InvalidValue) in
            guard !text.hasPrefix("hci") else {
                // The kernel numbers the adapters in the order of their detection.
                throw
                    "\(text.quotedForMessage) can be another adapter after a restart: write its address, which bluefleet doctor shows"
            }
            guard let address = Address(text) else {
                throw "expected the address of an adapter such as B8:27:EB:12:34:56, found \(text.quotedForMessage)"
            }
            return address
        }
    }
}

extension Kind where Value == Duration {
    fileprivate static var moderation: Kind {
        scalar("duration") { text, _ throws(InvalidValue) in
            if ["0", "off", "none", "no", "false", "never"].contains(text) {
                throw "expected a duration such as 5ms, found \(text.quotedForMessage): write 0ms"
            }
            let duration = try Duration(text: text)
            guard duration <= .milliseconds(100) else { throw "expected at most 100ms, found \(text.quotedForMessage)" }
            return duration
        }
    }
}

extension Kind where Value == Configuration.Adapters.Connections {
    fileprivate static var connections: Kind {
        let number = Kind<Int>.integer(1...100).map { Value.perAdapter($0) }
        return .either("auto | whole number") { node in
            guard case .scalar(let text, _) = node.content, text.first?.isLetter ?? false else { return number }
            return .choice(
                ["auto": .automatic, "a number such as 7": .automatic],
                synonyms: Dictionary(
                    uniqueKeysWithValues: ["all", "max", "unlimited", "any", "default", "none", "true"].map {
                        ($0, "auto")
                    }))
        }
    }
}
