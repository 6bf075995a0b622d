import BlueZ
import Bluetooth
import Codec

/// `bluefleet unpair`: removes a bond.
struct Unpair: Command {
    static let name = "unpair"
    static let summary = "removes the bond with a device"
    static let details = [
        "The device need not be in range. It keeps its keys of the bond until it is reset or paired again."
    ]
    static let operands = [Target.operand]
    static let options = [Target.configuration, MessageBus.option, .json]
    static let examples = ["bluefleet unpair C0:00:00:00:00:01"]

    private let target: Target
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        target = try Target(arguments)
        asJSON = arguments.contains(.json)
    }

    func run() throws(Failure) {
        try onRadio(target.bus) { radio in
            let address = target.address
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
