import Codec
import Configuration

/// The source of a reading: a characteristic or an advertised quantity of a configured device, with its topic.
struct ReadingSource: Sendable {
    let topic: String
    let device: String
    /// The name of the characteristic or advertised quantity.
    let name: String
    /// The units of the reading's fields, by the names of the fields.
    let units: [String: String]
}

extension ReadingSource {
    init(_ characteristic: Configuration.Characteristic, of device: String, topic: String) {
        let format = characteristic.format ?? Characteristics.definition(of: characteristic.uuid)?.format
        let units = format?.quantities.compactMap { quantity in quantity.unit.map { (quantity.name, $0) } }
        self.init(
            topic: topic, device: device, name: characteristic.name,
            units: Dictionary(units ?? []) { first, _ in first })
    }
}
