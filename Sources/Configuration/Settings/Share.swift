extension Configuration {
    /// How the gateway shares its devices with other gateways of the same broker.
    package struct Share: Sendable, Equatable {
        /// The patterns of the names of the shared devices; nil: all.
        package let only: [Glob]?
        /// Which gateway decides: the one with the smallest rank, at the next change.
        package let rank: Int
        /// The lock that a gateway must hold while it decides; nil: none.
        package let seat: Seat?

        /// Returns the value with another rank.
        func with(rank: Int) -> Share { Share(only: only, rank: rank, seat: seat) }

        /// Returns whether the gateway shares a device.
        ///
        /// A device whose records are asked for is not shared, because each gateway knows only the records that it has
        /// published.
        package func includes(_ device: Device) -> Bool {
            matches(device.name) && !device.characteristics.contains { $0.exchange?.history != nil }
        }

        /// Returns whether the patterns allow a name.
        func matches(_ name: String) -> Bool {
            only?.contains { $0.matches(name) } ?? true
        }
    }
}
