import BlueZ
import Bridge
import Codec
import EventLoop
import System

/// `bluefleet read`: reads a characteristic.
struct Read: Command {
    static let name = "read"
    static let summary = "reads a characteristic of a device"
    static let operands = [Target.operand, CharacteristicReference.accessOperand]
    static let options = [Format.accessOption] + Target.options + [.json]
    static let examples = [
        "bluefleet read greenhouse temperature", "bluefleet read C0:00:00:00:00:01 180F/2A19 --json",
    ]

    private let target: Target
    private let reference: CharacteristicReference
    private let format: Format?
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        target = try Target(arguments)
        reference = try CharacteristicReference(arguments[CharacteristicReference.accessOperand], of: target.device)
        format = try Format.given(in: arguments)
        asJSON = arguments.contains(.json)
    }

    func run() throws(Failure) {
        try onRadio(target.bus) { radio in
            let peripheral = try await radio.connect(to: target.address, within: target.limit)
            let accessed = try await reference.access(on: peripheral, target, as: format)
            Progress.show("Reading \(accessed.name)")
            let bytes = try await peripheral.readValue(of: accessed.characteristic)
            let value = ObservedValue(bytes, of: accessed, at: radio.loop.timestamp)
            Progress.clear()
            StandardStream.output.print(asJSON ? value.record.description : value.text)
        }
    }
}
