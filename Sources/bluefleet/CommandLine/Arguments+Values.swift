import Bluetooth
import Codec
import Configuration

extension Operand {
    static let address = Operand("ADDRESS", "the address of the device, e.g. C0:00:00:00:00:01")
}

extension Option {
    static let limit = Option(
        "within", value: "DURATION", "how long to search for the device (default: 30s)")
}

extension Arguments {
    /// The address of the device.
    ///
    /// - Throws: `Failure` for an invalid address.
    var address: Address {
        get throws(Failure) {
            let text = self[Operand.address]
            if let address = Address(text) { return address }
            throw Failure(
                .usage,
                "\(text.quotedForMessage) is not an address such as C0:00:00:00:00:01; bluefleet scan lists devices in range"
            )
        }
    }

    /// Returns the duration of an option; nil if the option is missing.
    ///
    /// - Throws: `Failure` for an invalid duration.
    func duration(_ option: Option) throws(Failure) -> Duration? {
        guard let text = self[option] else { return nil }
        do throws(InvalidValue) {
            return try Duration(positive: text)
        } catch {
            throw Failure(.usage, "--\(option.name): \(error.message)")
        }
    }
}
