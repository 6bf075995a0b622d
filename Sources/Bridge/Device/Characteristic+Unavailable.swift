internal import Bluetooth
internal import Configuration

extension Configuration.Characteristic {
    /// What is configured that a characteristic with these flags does not do, each in a sentence.
    func unavailable(in flags: CharacteristicProperties) -> [String] {
        var sentences: [String] = []
        if subscribe && !flags.canSubscribe { sentences.append("subscribe: the device does not notify it") }
        if read != nil && !flags.contains(.read) { sentences.append("read: the device does not let it be read") }
        if let sentence = write.flatMap({ unavailable($0, in: flags) }) { sentences.append("write: \(sentence)") }
        return sentences
    }

    private func unavailable(_ write: WritePolicy, in flags: CharacteristicProperties) -> String? {
        switch write {
        case .withResponse where !flags.contains(.write):
            flags.canWriteWithoutResponse
                ? "the device takes it without a response only: set write: without response"
                : "the device does not let it be written"
        case .withoutResponse where !flags.canWriteWithoutResponse:
            flags.contains(.write)
                ? "the device takes it with a response only: set write: true" : "the device does not let it be written"
        case .reliable where !flags.contains(.reliableWrite):
            "the device has no reliable writes of it\(flags.contains(.write) ? ": set write: true" : "")"
        case .withResponse, .withoutResponse, .reliable: nil
        }
    }
}
