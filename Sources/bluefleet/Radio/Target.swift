import Bluetooth
import Codec
import Configuration

/// The device on which a command operates, the D-Bus of bluetoothd and the timeout of the search.
struct Target {
    let address: Address
    /// The entry of the device in the configuration; nil if there is no entry or the configuration cannot be read.
    let device: Configuration.Device?
    let bus: String
    /// The timeout of the search for the device.
    let limit: Duration

    /// The command-line arguments with which another command uses the same device and D-Bus.
    var words: String { "\(address)\(MessageBus.words(for: bus))" }

    static let operand = Operand(
        "DEVICE", "the address of the device, e.g. C0:00:00:00:00:01, or its name in the configuration")
    static let options = [Option.limit, configuration, MessageBus.option]

    static let configuration = Option(
        "config", value: "FILE", "the configuration with the device (default: \(ConfigurationFile.standard))")

    /// - Throws: `Failure` if the device is neither an address nor a name in the configuration.
    init(_ arguments: Arguments) throws(Failure) {
        let text = arguments[Self.operand]
        let file = ConfigurationFile(arguments)
        if let address = Address(text) {
            self.address = address
            // Mistakes in the configuration do not matter here, unless the user has named the file.
            device =
                try arguments.contains(.config)
                ? Self.configuration(file).devices.first { $0.address == address }
                : (try? file.read(checkingFiles: false))?.devices.first { $0.address == address }
        } else {
            let device = try Self.device(text, in: file)
            address = device.address
            self.device = device
        }
        bus = try MessageBus.address(arguments)
        limit = try arguments.duration(.limit) ?? .seconds(30)
    }

    private static func device(_ text: String, in file: ConfigurationFile) throws(Failure) -> Configuration.Device {
        let form = "an address such as C0:00:00:00:00:01"
        if let address = Address(separatedOtherwise: text) {
            throw Failure(.usage, "\(text.quotedForMessage) is not \(form): did you mean \(address)?")
        }
        guard !text.contains(":"), file.exists else {
            let advice =
                text.contains(":")
                ? "" : "; the name of a device requires \(file.name), which does not exist, or --config FILE"
            throw Failure(
                .usage, "\(text.quotedForMessage) is not \(form); bluefleet scan lists devices in range\(advice)")
        }
        let devices = try configuration(file).devices
        if let device = devices.first(where: { $0.name == text }) { return device }
        let problem = InvalidValue(unknown: "device", text, among: devices.map(\.name))
        let advice = "a device of \(file.name), or \(form)"
        throw Failure(
            .usage, "\(problem.message)\(problem.message.hasSuffix("?") ? " Expected" : "; expected") \(advice)")
    }

    private static func configuration(_ file: ConfigurationFile) throws(Failure) -> Configuration {
        do throws(ConfigurationError) {
            return try file.read(checkingFiles: false)
        } catch {
            throw file.failure(error)
        }
    }
}
