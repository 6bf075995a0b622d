internal import Bluetooth

/// The device that a command is about, and how to get at it.
struct Target {
    let address: Address
    let bus: String
    /// How long to look for it.
    let limit: Duration

    /// What stands in the command line of another command about the same device.
    var words: String { "\(address)\(MessageBus.words(for: bus))" }

    static let options = [Option.limit, MessageBus.option]

    init(_ arguments: Arguments) throws(Failure) {
        address = try arguments.address
        bus = MessageBus.address(arguments)
        limit = try arguments.duration(.limit) ?? .seconds(30)
    }
}
