internal import Codec
internal import Configuration

/// Where a reading comes from: a characteristic of a configured device, and its topic.
struct ReadingSource: Sendable {
    let topic: String
    let device: String
    /// The characteristic's.
    let name: String
    /// The units of its fields, where it has several.
    let units: [String: String]

    /// All that a configuration can give, in its order.
    static func all(in configuration: Configuration) -> [ReadingSource] {
        configuration.devices.flatMap { device in
            device.characteristics.map { characteristic in
                let format = characteristic.format ?? Characteristics.definition(of: characteristic.uuid)?.format
                let units = format?.quantities.compactMap { quantity in quantity.unit.map { (quantity.name, $0) } }
                return ReadingSource(
                    topic: "\(configuration.broker.prefix)/\(device.name)/\(characteristic.name)",
                    device: device.name, name: characteristic.name,
                    units: Dictionary(units ?? []) { first, _ in first })
            }
        }
    }
}
