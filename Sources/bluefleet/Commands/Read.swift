import BlueZ
import Bluetooth
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
            try checkReadable(accessed.characteristic.properties)
            Progress.show("Reading \(accessed.name)")
            let bytes = try await peripheral.readValue(of: accessed.characteristic)
            let value = ObservedValue(bytes, of: accessed, at: radio.loop.timestamp)
            Progress.clear()
            StandardStream.output.print(asJSON ? value.record.description : value.text)
        }
    }

    /// - Throws: `Failure` with the command that the characteristic supports in the place of `read`.
    private func checkReadable(_ properties: CharacteristicProperties) throws(Failure) {
        guard !properties.contains(.read) else { return }
        let place = "\(target.address) \(reference.text)"
        let advice =
            properties.canSubscribe
            ? "it notifies: bluefleet watch \(place)" : "it can only be written: bluefleet write \(place) VALUE"
        throw Failure(
            .unavailable, "\(reference.text) cannot be read: \(advice)" + MessageBus.words(for: target.bus))
    }
}
