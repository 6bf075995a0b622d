package import Bluetooth

extension Configuration {
    /// The Bluetooth adapters of this gateway.
    package struct Adapters: Sendable, Equatable {
        package enum Connections: Sendable, Equatable {
            /// As many as the adapter turns out to hold.
            case automatic
            case perAdapter(Int)
        }

        /// How notified values come from bluetoothd.
        package enum Notifications: String, Sendable, Equatable, CaseIterable {
            /// Through descriptors where bluetoothd is recent enough, else by signals.
            case automatic = "auto"
            case signals
            /// Through a descriptor for each characteristic.
            case descriptors = "descriptor"
        }

        /// The adapters to use; nil: every one.
        package let addresses: [Address]?
        package let connections: Connections
        package let notifications: Notifications
        /// How long values may gather while many come.
        package let moderation: Duration
    }
}
