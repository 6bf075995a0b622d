import BlueZ
import Bridge
import Codec
import EventLoop
import System

/// `bluefleet read`: reads a characteristic.
struct Read: Command {
    static let name = "read"
    static let summary = "reads a characteristic of a device"
    static let operands = [Operand.address, CharacteristicReference.operand]
    static let options = Target.options + [.json]
    static let examples = [
        "bluefleet read C0:00:00:00:00:01 temperature", "bluefleet read C0:00:00:00:00:01 180F/2A19 --json",
    ]

    private let target: Target
    private let reference: CharacteristicReference
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        target = try Target(arguments)
        reference = try CharacteristicReference(arguments[CharacteristicReference.operand])
        asJSON = arguments.contains(.json)
    }

    func run() throws(Failure) {
        try onRadio(target.bus) { radio in
            let peripheral = try await radio.connect(to: target.address, within: target.limit)
            let services = try await peripheral.discoverServices()
            let characteristic = try reference.find(in: services, of: target)
            Progress.show("Reading \(characteristic.name)")
            let format = try await Inspection.Finding.format(of: characteristic, of: peripheral)
            let bytes = try await peripheral.readValue(of: characteristic)
            let value = ObservedValue(bytes, of: characteristic, format, at: radio.loop.timestamp)
            Progress.clear()
            StandardStream.output.print(asJSON ? value.record.description : value.text)
        }
    }
}
