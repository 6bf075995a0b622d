import Bluetooth

/// The device on which a command operates: its address, the D-Bus of bluetoothd and the timeout of the search.
struct Target {
    let address: Address
    let bus: String
    /// The timeout of the search for the device.
    let limit: Duration

    /// The command-line arguments with which another command uses the same device and D-Bus.
    var words: String { "\(address)\(MessageBus.words(for: bus))" }

    static let options = [Option.limit, MessageBus.option]

    init(_ arguments: Arguments) throws(Failure) {
        address = try arguments.address
        bus = MessageBus.address(arguments)
        limit = try arguments.duration(.limit) ?? .seconds(30)
    }
}
