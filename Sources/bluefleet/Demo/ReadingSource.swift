internal import Codec
internal import Configuration

/// Where a reading comes from: a characteristic or an advertisement of a configured device, and its topic.
struct ReadingSource: Sendable {
    let topic: String
    let device: String
    /// The characteristic's, or the advertised quantity's.
    let name: String
    /// The units of its fields, where it has several.
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
