import Bridge
import Configuration
import JSON
import System

/// `bluefleet release`: ends the connections to shared devices that a bridge has left behind.
struct Release: Command {
    static let name = "release"
    static let summary = "ends connections to shared devices after a bridge has ended"
    static let details = [
        """
        bluetoothd keeps the connections of a bridge that was killed, and no other gateway can then connect to the devices. \
        The systemd unit runs this command after each end of the bridge. It does nothing without the key share, and fails \
        while a bridge runs with the configuration.
        """
    ]
    static let operands = [ConfigurationFile.operand]
    static let options = [Option.config, MessageBus.option, .json]
    static let examples = ["bluefleet release", "sudo -u bluefleet bluefleet release --json"]

    private let file: ConfigurationFile
    private let bus: String
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        file = try ConfigurationFile(operandOf: arguments)
        bus = try MessageBus.address(arguments)
        asJSON = arguments.contains(.json)
    }

    func run() throws(Failure) {
        let configuration = try file.load()
        guard configuration.share != nil else { return report([]) }
        try FolderOwner.takeIdentity(of: configuration)
        let lock = try Self.lock(configuration.stateDirectory)
        defer { withExtendedLifetime(lock) {} }
        let connections = SharedConnections(configuration)
        guard !connections.isEmpty else { return report([]) }
        // Another bridge on this machine may have connections through the other adapters.
        try onRadio(bus, adapters: configuration.bluetooth.addresses) { radio in
            report(try await connections.end(on: radio.central))
        }
    }

    /// Locks the folder of the state, so that no connection of a bridge that runs is ended.
    ///
    /// - Returns: The lock; nil if the folder cannot be written.
    private static func lock(_ folder: String) throws(Failure) -> FolderLock? {
        do throws(FolderLock.Obstacle) {
            return try FolderLock(folder)
        } catch {
            guard case .held(let holder) = error else { return nil }
            throw Failure(folder, heldBy: holder, advice: "stop that bridge: it then ends its connections itself")
        }
    }

    private func report(_ names: [String]) {
        let text =
            names.isEmpty
            ? "no shared device is connected" : "disconnected: \(names.map(\.printable).joined(separator: ", "))"
        let list: JSON = ["disconnected": .array(names.map { .string($0) })]
        StandardStream.output.print(asJSON ? list.description : text)
    }
}
