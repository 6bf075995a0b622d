package import Bluetooth

extension Configuration {
    /// The Bluetooth adapters of this gateway.
    package struct Adapters: Sendable, Equatable {
        package enum Connections: Sendable, Equatable {
            /// The number that the adapter supports, which is determined at run time.
            case automatic
            case perAdapter(Int)
        }

        /// How bluetoothd delivers notified values.
        package enum Notifications: String, Sendable, Equatable, CaseIterable {
            /// File descriptors if bluetoothd is recent enough, else signals.
            case automatic = "auto"
            case signals
            /// A file descriptor for each characteristic.
            case descriptors = "descriptor"
        }

        /// The adapters to use; nil for all adapters.
        package let addresses: [Address]?
        package let connections: Connections
        package let notifications: Notifications
        /// How long values are collected at a high rate before they are processed together.
        package let moderation: Duration
    }
}
