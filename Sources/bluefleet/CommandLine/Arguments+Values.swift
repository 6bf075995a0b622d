internal import Bluetooth
internal import Codec
internal import Configuration

extension Operand {
    static let address = Operand("ADDRESS", "the device's address, such as C0:00:00:00:00:01")
}

extension Option {
    static let limit = Option(
        "within", value: "DURATION", "how long to look for the device: 30s when it is not given")
}

extension Arguments {
    /// The address that was given.
    var address: Address {
        get throws(Failure) {
            let text = self[Operand.address]
            if let address = Address(text) { return address }
            throw Failure(
                .usage,
                "\(text.quotedForMessage) is no address, such as C0:00:00:00:00:01; bluefleet scan lists those in range"
            )
        }
    }

    /// The duration that was given for an option; nil when it was not given.
    func duration(_ option: Option) throws(Failure) -> Duration? {
        guard let text = self[option] else { return nil }
        do throws(Complaint) {
            return try Duration(positive: text)
        } catch {
            throw Failure(.usage, "--\(option.name): \(error.sentence)")
        }
    }
}
