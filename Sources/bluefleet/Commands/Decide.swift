import Bridge
import Configuration

/// `bluefleet decide`: decides which gateway owns which shared device, without Bluetooth.
struct Decide: Command {
    static let name = DecidingGateway.command
    static let summary = "decides which gateway owns which device, without Bluetooth"
    static let details = [
        """
        Needs the key share. Each gateway with this key can decide, so a house needs no such process. On a campus, two of \
        them beside the brokers decide before all others: their rank is 0. Reads the same file as the gateways, and connects \
        to no device. A bridge on the same machine needs another name and another state_directory.
        """
    ]
    static let operands = [ConfigurationFile.operand]
    static let options = [Option.config]
    static let examples = ["bluefleet decide", "BLUEFLEET_GATEWAY=hall bluefleet decide fleet.yaml"]

    private let file: ConfigurationFile

    init(_ arguments: Arguments) throws(Failure) {
        file = try ConfigurationFile(operandOf: arguments)
    }

    func run() throws(Failure) {
        let configuration = try file.load()
        guard configuration.share != nil else {
            throw Failure(.badConfiguration, "\(file.name): no devices are shared: add share: true")
        }
        try GatewayProcess(configuration.ofDecider, file.source.ofDecider, bus: nil).run(in: self)
    }
}
