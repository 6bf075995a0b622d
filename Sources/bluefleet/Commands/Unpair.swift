internal import BlueZ
internal import Bluetooth
internal import Codec

/// `bluefleet unpair`: the end of a bond.
struct Unpair: Command {
    static let name = "unpair"
    static let summary = "ends the bond with a device"
    static let details = [
        "The device need not be near. Its own side of the bond is ended at the device, or when it is paired again."
    ]
    static let operands = [Operand.address]
    static let options = [MessageBus.option, .json]
    static let examples = ["bluefleet unpair C0:00:00:00:00:01"]

    private let address: Address
    private let bus: String
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        address = try arguments.address
        bus = MessageBus.address(arguments)
        asJSON = arguments.contains(.json)
    }

    func run() throws(Failure) {
        try onRadio(bus) { radio in
            let peripheral = await radio.central.peripheral(at: address)
            try await radio.central.unpair(peripheral)
            if asJSON {
                let result: Value = ["address": .string("\(address)"), "paired": false]
                StandardStream.output.print(result.description)
            } else {
                StandardStream.output.print("\(address) is no longer paired")
            }
        }
    }
}
