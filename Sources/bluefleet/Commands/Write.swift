import BlueZ
import Bluetooth
import Bridge
import Codec
import Configuration
import Contract
import EventLoop

/// `bluefleet write`: writes a characteristic.
struct Write: Command {
    static let name = "write"
    static let summary = "writes a characteristic of a device"
    static let details = [
        """
        VALUE is JSON, as on a set topic: a number, an object of fields, or {"hex":"0a01"} for raw bytes. A text needs \
        quotation marks only inside an object. The value is written as the configuration says, else with response if the characteristic supports \
        it. The key write of the configuration is not needed here: it is for requests over MQTT.
        """
    ]
    static let operands = [Target.operand, CharacteristicReference.accessOperand, value]
    static let options = [hex, Format.accessOption, withoutResponse, reliable, split] + Target.options + [.json]
    static let examples = [
        #"bluefleet write relay output '{"channel":1,"level":50}'"#,
        #"""
        bluefleet write C0:00:00:00:00:05 \
              6e400002-b5a3-f393-e0a9-e50e24dcca9e 01 --hex
        """#,
    ]

    private static let value = Operand("VALUE", "the value in JSON, a text, or hexadecimal digits with --hex")
    private static let hex = Option("hex", "VALUE is raw bytes, e.g. 01f4")
    private static let withoutResponse = Option("without-response", "write without waiting for a confirmation")

    private static let reliable = Option("reliable", "the device sends the value back for verification first")

    private static let split = Option("split", "write a value longer than one packet in pieces, in order")

    private let target: Target
    private let reference: CharacteristicReference
    private let input: SetValue
    private let format: Format?
    private let requestedType: WriteType
    private let isSplit: Bool
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        target = try Target(arguments)
        reference = try CharacteristicReference(
            arguments[CharacteristicReference.accessOperand], of: target.device, isWritten: true)
        format = try Format.given(in: arguments)
        let text = arguments[Self.value]
        let known = format ?? reference.configured?.format ?? Characteristics.definition(of: reference.uuid)?.format
        input =
            arguments.contains(Self.hex)
            ? .bytes(try HexadecimalText(typed: text).bytes) : try SetValue(text, of: known)
        requestedType = try Self.type(arguments) ?? reference.configured?.write?.type ?? .withResponse
        let isReliable = requestedType == .reliable
        if isReliable, arguments.contains(Self.split) {
            throw Failure(.usage, "--split and a reliable write exclude each other: remove one")
        }
        isSplit = !isReliable && (arguments.contains(Self.split) || reference.configured?.split == true)
        asJSON = arguments.contains(.json)
    }

    private static func type(_ arguments: Arguments) throws(Failure) -> WriteType? {
        switch (arguments.contains(Self.reliable), arguments.contains(Self.withoutResponse)) {
        case (true, true): throw Failure(.usage, "--reliable and --without-response exclude each other: remove one")
        case (true, false): .reliable
        case (false, true): .withoutResponse
        case (false, false): nil
        }
    }

    func run() throws(Failure) {
        try onRadio(target.bus) { radio in
            let peripheral = try await radio.connect(to: target.address, within: target.limit)
            let accessed = try await reference.access(on: peripheral, target, as: format)
            let bytes = try self.bytes(accessed.format, at: LocalMoment(radio.loop.timestamp))
            let type = try type(for: accessed.characteristic, bytes.count)
            Progress.show("Writing \(accessed.name)")
            if isSplit {
                let (count, error) = await peripheral.writePieces(bytes, of: accessed.characteristic, type)
                if let error, count > 0 {
                    throw Failure(.unavailable, "\(error): \(count) of \(bytes.count) bytes were written")
                }
                if let error { throw error }
            } else {
                try await peripheral.writeValue(bytes, of: accessed.characteristic, type)
            }
            Progress.clear()
            report(bytes, accessed.name, isConfirmed: type != .withoutResponse)
        }
    }

    private func bytes(_ format: Format?, at moment: LocalMoment) throws(Failure) -> [UInt8] {
        switch input {
        case .bytes(let bytes): return bytes
        case .value(let json):
            let format = try known(format)
            return try encode(SetValue.value(of: json, for: format), in: format, at: moment)
        case .text(let text, let failure):
            let format = try known(format)
            guard format.takesPlainText(text) else { throw failure }
            return try encode(.string(text), in: format, at: moment)
        }
    }

    private func known(_ format: Format?) throws(Failure) -> Format {
        if let format { return format }
        throw Failure(
            .badData,
            "the format of \(reference.text) is unknown: give the bytes with --hex, or the format with --format")
    }

    private func encode(_ value: Value, in format: Format, at moment: LocalMoment) throws(Failure) -> [UInt8] {
        do throws(EncodingError) {
            return try format.encode(value, at: moment)
        } catch {
            throw Failure(.badData, "\(reference.text): \(error)")
        }
    }

    private func type(for characteristic: BlueZ.Characteristic, _ count: Int) throws(Failure) -> WriteType {
        let properties = characteristic.properties
        guard properties.canWrite else {
            let flags = properties.flags.joined(separator: ", ")
            throw Failure(.unavailable, "\(reference.text) cannot be written: its flags are \(flags)")
        }
        let needsNoResponse = requestedType == .withResponse && !properties.contains(.write)
        let type = needsNoResponse ? .withoutResponse : requestedType
        let most =
            isSplit
            ? BlueZ.Characteristic.maximumSplitLength
            : characteristic.maximumWriteLength(withResponse: type != .withoutResponse)
        guard count <= most else { throw Failure(.badData, "the value has \(count) bytes, the maximum is \(most)") }
        return type
    }

    private func report(_ bytes: [UInt8], _ name: String, isConfirmed: Bool) {
        if asJSON {
            let result: Value = [
                "characteristic": .string(name), "hex": .string(bytes.hexadecimal),
                "response": .boolean(isConfirmed),
            ]
            StandardStream.output.print(result.description)
        } else {
            StandardStream.output.print(
                "\(name): \(bytes.hexadecimal) \(isConfirmed ? "written" : "sent without response")")
        }
    }
}

extension Configuration.Characteristic.WritePolicy {
    fileprivate var type: WriteType {
        switch self {
        case .withResponse: .withResponse
        case .withoutResponse: .withoutResponse
        case .reliable: .reliable
        }
    }
}
