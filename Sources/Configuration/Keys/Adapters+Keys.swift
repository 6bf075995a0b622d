import Bluetooth
import Codec

extension Configuration.Adapters {
    enum Keys {
        static let adapters = Key(
            "adapters", .list(of: .adapter, whenEmpty: "no adapter is left: name one, or leave the key out"),
            example: "[\"B8:27:EB:12:34:56\"]",
            "The adapters to use, by address; every adapter if left out.")
        static let connections = Key(
            "connections", Kind<Connections>.connections, default: "auto", example: "7",
            "How many connections an adapter may hold at once: auto, or a number.")
        static let notify = Key(
            "notify", Kind<Notifications>.word, default: "auto", example: "signals",
            "How bluetoothd hands values on: by signals, through a descriptor each, or what its version does well.")
        /// By itself less than the shortest connection interval, 7.5 ms (Core 6.0, Vol 6, Part B, 4.5.1): that long, and
        /// mostly longer, a value has waited for its turn on the air.
        static let moderation = Key(
            "moderation", Kind<Duration>.moderation, default: "5ms", example: "0ms",
            "How long values may gather while many come, to be handled in one go; 0ms: each at once.")

        static let section = Section("bluetooth", adapters, connections, notify, moderation)
    }

    static let kind = Kind.mapping(Keys.section) { reader in
        let addresses = reader[Keys.adapters]
        if let addresses, Set(addresses).count < addresses.count {
            reader.report("an adapter is named twice", at: Keys.adapters)
        }
        return Configuration.Adapters(
            addresses: addresses, connections: reader[Keys.connections],
            notifications: reader[Keys.notify], moderation: reader[Keys.moderation])
    }
}

extension Kind where Value == Address {
    fileprivate static var adapter: Kind {
        scalar("address") { text, _ throws(Complaint) in
            guard !text.hasPrefix("hci") else {
                // The kernel numbers adapters as it finds them.
                throw "\(text.quotedForMessage) may be another adapter after a restart: write its address"
            }
            guard let address = Address(text) else {
                throw "expected an adapter's address such as B8:27:EB:12:34:56, found \(text.quotedForMessage)"
            }
            return address
        }
    }
}

extension Kind where Value == Duration {
    fileprivate static var moderation: Kind {
        scalar("duration") { text, _ throws(Complaint) in
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
            if case .scalar("auto", _) = node.content { return Kind("auto") { _, _ in .automatic } }
            return number
        }
    }
}
