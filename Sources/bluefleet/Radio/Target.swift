import Bluetooth

/// The device of a command: its address, its D-Bus and the time to search for it.
struct Target {
    let address: Address
    let bus: String
    /// The time to search for the device.
    let limit: Duration

    /// The arguments of another command for the same device.
    var words: String { "\(address)\(MessageBus.words(for: bus))" }

    static let options = [Option.limit, MessageBus.option]

    init(_ arguments: Arguments) throws(Failure) {
        address = try arguments.address
        bus = MessageBus.address(arguments)
        limit = try arguments.duration(.limit) ?? .seconds(30)
    }
}
