package import Bluetooth

/// Encodes values as service data of BTHome, version 2, without encryption.
///
/// Source: bthome.io/format.
package enum BTHomePacket {
    package static let service: UUID = 0xFCD2

    /// The greatest number of bytes of all values: 31 bytes of an advertisement, without its flags and the header.
    package static let capacity = 21

    /// The number of bytes before the values.
    package static let headerSize = 3

    /// The version in the upper three bits; the packet is neither encrypted nor caused by an event.
    private static let information: UInt8 = 0x40

    /// An object that carries a number or a condition.
    private struct Object {
        let identifier: UInt8
        let field: Field
    }

    /// The objects by their names, the lowest identifier first.
    private static let objects: [String: [Object]] = {
        var objects: [String: [Object]] = [:]
        for (identifier, fields) in Advertisements.bthomeObjects.sorted(by: { $0.key < $1.key }) {
            guard let field = fields.first, fields.count == 1, field.fixedSize != nil, isSupported(field) else {
                continue
            }
            objects[field.name, default: []].append(Object(identifier: UInt8(identifier), field: field))
        }
        return objects.mapValues { list in list.filter { $0.field.unit == list[0].field.unit } }
    }()

    /// Objects that describe the sender or a moment are no values.
    private static func isSupported(_ field: Field) -> Bool {
        switch field.content {
        case .number(let number): number.meaning.values == nil && !excluded.contains(field.name)
        case .value(.boolean, _): true
        default: false
        }
    }

    private static let excluded: Set = ["packet_id", "device_type_id", "settings_revision", "channel"]

    /// The names of the values, sorted.
    package static let names: [String] = objects.keys.sorted()

    /// Returns whether a value is a condition, which is true or false.
    package static func isCondition(_ name: String) -> Bool {
        if case .value? = objects[name]?.first?.field.content { true } else { false }
    }

    /// Returns the number of bytes that a value usually needs; 0 for an unknown name.
    package static func size(of name: String) -> Int {
        objects[name]?.first.map { 1 + ($0.field.fixedSize ?? 0) } ?? 0
    }

    /// Returns the service data.
    ///
    /// - Parameters:
    ///   - values: The values by their names; a number is rounded to the resolution of its object.
    ///   - number: The number of the packet, which receivers use to recognize repetitions.
    /// - Returns: The service data, whose objects are in the order of their identifiers.
    /// - Throws: `EncodingError` for an unknown name, and for a value that no object with this name can carry.
    package static func encode(
        _ values: [(name: String, value: Value)], number: UInt8
    ) throws(EncodingError) -> [UInt8] {
        var encoded: [(identifier: UInt8, bytes: [UInt8])] = []
        for (name, value) in values { encoded.append(try encode(value, as: name)) }
        encoded.sort { $0.identifier < $1.identifier }
        return [information, 0, number] + encoded.flatMap { [$0.identifier] + $0.bytes }
    }

    private static func encode(
        _ value: Value, as name: String
    ) throws(EncodingError) -> (identifier: UInt8, bytes: [UInt8]) {
        guard let candidates = objects[name], let first = candidates.first else {
            throw .unknown(field: name, known: names)
        }
        for object in candidates {
            guard let bytes = try? Format([object.field]).encode(rounded(value, for: object.field)) else { continue }
            return (object.identifier, bytes)
        }
        return (first.identifier, try Format([first.field]).encode(rounded(value, for: first.field)))
    }

    /// Returns a number in whole steps of a field; any other value is returned unchanged.
    private static func rounded(_ value: Value, for field: Field) -> Value {
        guard case .number(let number) = value, let scale = field.meaning?.scale,
            let steps = number.steps(of: scale), let product = Decimal(steps).multiplied(by: scale)
        else { return value }
        return .number(product)
    }
}
