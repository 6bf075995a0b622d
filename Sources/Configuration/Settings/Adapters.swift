package import Bluetooth

extension Configuration {
    /// The Bluetooth adapters of this gateway.
    package struct Adapters: Sendable, Equatable {
        package enum Connections: Sendable, Equatable {
            /// As many as the adapter turns out to hold.
            case automatic
            case perAdapter(Int)
        }

        /// The adapters to use; nil: every one.
        package let addresses: [Address]?
        package let connections: Connections
    }
}
