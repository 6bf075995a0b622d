import Bluetooth
import Configuration

extension Configuration.Characteristic {
    /// Returns one sentence per configured use that a characteristic with these properties does not support.
    func unavailable(in properties: CharacteristicProperties) -> [String] {
        var sentences: [String] = []
        if subscribe && !properties.canSubscribe {
            sentences.append("subscribe: the device does not notify this characteristic")
        }
        if read != nil && !properties.contains(.read) {
            sentences.append("read: this characteristic of the device is not readable")
        }
        if let sentence = write.flatMap({ unavailable($0, in: properties) }) { sentences.append("write: \(sentence)") }
        return sentences
    }

    private func unavailable(_ write: WritePolicy, in properties: CharacteristicProperties) -> String? {
        switch write {
        case .withResponse where !properties.contains(.write):
            properties.canWriteWithoutResponse
                ? "the device accepts writes without response only: set write: without response" : Self.notWritable
        case .withoutResponse where !properties.canWriteWithoutResponse:
            properties.contains(.write)
                ? "the device accepts writes with response only: set write: true" : Self.notWritable
        case .reliable where !properties.contains(.reliableWrite):
            "the device does not support reliable writes\(properties.contains(.write) ? ": set write: true" : "")"
        case .withResponse, .withoutResponse, .reliable: nil
        }
    }

    private static var notWritable: String { "this characteristic of the device is not writable" }
}
