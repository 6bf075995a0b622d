import Bluetooth
import Codec
import Configuration

/// A typed reference to a characteristic: a name in the configuration, `temperature`, `2A6E`, or with its service
/// `environmental_sensing/temperature`.
struct CharacteristicReference {
    static let operand = Operand(
        "CHARACTERISTIC",
        "the SIG name (temperature), UUID (2A6E) or SERVICE/CHARACTERISTIC; append #2 for the second of several")

    let text: String
    let uuid: UUID
    /// The UUID of the service; nil for any service.
    let service: UUID?
    /// The number among characteristics with the same UUID, from 1; nil if the characteristic must be unique.
    let instance: Int?
    /// The entry in the configuration; nil if the reference is not a name in the configuration.
    let configured: Configuration.Characteristic?

    static let accessOperand = Operand(
        operand.name,
        "its name in the configuration, the SIG name (temperature), UUID (2A6E) or SERVICE/CHARACTERISTIC; append #2 for "
            + "the second of several")

    /// Creates a reference to a characteristic of a device that the configuration may contain.
    ///
    /// - Parameters:
    ///   - text: The name in the configuration, or another reference.
    ///   - device: The device in the configuration; nil: it has none.
    ///   - isWritten: Whether the characteristic is written: several ones are then an error, unless the configuration
    ///     decides among them. Otherwise the first one is meant, as in the bridge.
    /// - Throws: `Failure` for an unknown name, with similar names.
    init(_ text: String, of device: Configuration.Device?, isWritten: Bool = false) throws(Failure) {
        if let device, let configured = device.characteristics.first(where: { $0.name == text }) {
            self.init(configured, isUnique: isWritten && !device.decidesInstance(of: configured))
            return
        }
        do throws(Failure) {
            try self.init(text)
        } catch {
            if let device, device.connect == .never { throw Failure(.usage, device.onlyAdvertises) }
            // A name of the device is more probable than one of 300 names of the Bluetooth SIG.
            guard let device, let first = device.characteristics.first?.name else { throw error }
            let names = device.characteristics.map(\.name)
            let advice =
                text.nearest(in: names).map { "did you mean \($0.quotedForMessage)?" }
                ?? "expected \(names.count == 1 ? first : "one of \(names.joined(separator: ", "))"), or a UUID"
            throw Failure(
                .usage,
                "device \(device.name.quotedForMessage) has no characteristic \(text.quotedForMessage): \(advice)")
        }
    }

    private init(_ configured: Configuration.Characteristic, isUnique: Bool) {
        text = configured.name
        uuid = configured.uuid
        service = configured.service
        instance = isUnique ? nil : configured.instance
        self.configured = configured
    }

    /// - Throws: `Failure` for an unknown name, with similar names.
    init(_ text: String) throws(Failure) {
        self.text = text
        configured = nil
        let (text, instance) = try Self.instance(in: text)
        self.instance = instance
        guard let slash = text.lastIndex(of: "/") else {
            uuid = try Self.uuid(text, "characteristic", AssignedNumbers.characteristics)
            service = nil
            return
        }
        service = try Self.uuid(String(text[..<slash]), "service", AssignedNumbers.services)
        uuid = try Self.uuid(String(text[slash...].dropFirst()), "characteristic", AssignedNumbers.characteristics)
    }

    /// Returns the text before the last `#`, and the number after it; without `#`, the whole text and nil.
    private static func instance(in text: String) throws(Failure) -> (text: String, instance: Int?) {
        guard let mark = text.lastIndex(of: "#") else { return (text, nil) }
        guard let number = Int(text[mark...].dropFirst()), number > 0 else {
            throw Failure(.usage, "\(text.quotedForMessage): expected a number of at least 1 after #")
        }
        return (String(text[..<mark]), number)
    }

    /// The format of the characteristic or descriptor.
    ///
    /// - Throws: `Failure` if the Bluetooth SIG does not define the format.
    var format: Format {
        get throws(Failure) {
            let definition = Characteristics.definition(of: uuid) ?? Descriptors.definition(of: uuid)
            if let definition { return definition.format }
            throw Failure(
                .badData,
                "the format of \(text.quotedForMessage) is unknown: give it with --format")
        }
    }

    private static func uuid(_ text: String, _ noun: String, _ names: NumberedNames) throws(Failure) -> UUID {
        // Values of descriptors can be decoded too.
        if let uuid = names[text] ?? AssignedNumbers.descriptors[text] ?? UUID(text) { return uuid }
        let advice = names.advice(for: text) ?? "expected a Bluetooth SIG name or a UUID"
        throw Failure(.usage, "unknown \(noun) \(text.quotedForMessage): \(advice)")
    }
}

extension Configuration.Device {
    /// The reason why a value of the device cannot be accessed, with advice, for a device with `connect: never`.
    var onlyAdvertises: String {
        "device \(name.quotedForMessage) has connect: never: bluefleet scan shows the values that it advertises"
    }
}
