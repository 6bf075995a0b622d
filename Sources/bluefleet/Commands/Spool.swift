import Bridge
import Codec
import Configuration
import EventLoop
import JSON
import Spool
import System

/// `bluefleet spool`: lists or removes the messages that wait for the broker on the disk.
struct Spool: Command {
    static let name = "spool"
    static let summary = "lists the messages that wait for the broker on the disk"
    static let details = [
        """
        Lists the messages of each topic, with the number and the oldest time. A running bridge stores messages only while \
        the broker is away, from spool.sync on. With --drop, all of them are removed: stop the bridge first, or send it \
        the request spool with {"drop":true}.
        """
    ]
    static let operands = [ConfigurationFile.operand]
    static let options = [Option("drop", "remove all messages"), Option.config, .json]
    static let examples = ["bluefleet spool", "sudo -u bluefleet bluefleet spool --json"]

    private let file: ConfigurationFile
    private let drops: Bool
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        file = try ConfigurationFile(operandOf: arguments)
        drops = arguments.contains(Self.options[0])
        asJSON = arguments.contains(.json)
    }

    func run() throws(Failure) {
        let configuration = try file.load()
        try FolderOwner.takeIdentity(of: configuration)
        let folder = SpoolFolder.path(in: configuration.stateDirectory)
        if drops { return try drop(folder, configuration.stateDirectory) }
        do throws(SpoolError) {
            let contents = try SpoolContents(of: folder)
            StandardStream.output.print(asJSON ? contents.json : contents.text)
        } catch {
            throw Failure(.unavailable, "\(error)")
        }
        try Self.checkJournal(folder)
    }

    /// - Throws: `Failure` if a file of the journal is not used, such as a link: its messages are not counted.
    private static func checkJournal(_ folder: String) throws(Failure) {
        let refusals = SpoolJournal.refusals(in: folder)
        if !refusals.isEmpty { throw Failure(.unavailable, refusals.joined(separator: "\n")) }
    }

    private func drop(_ folder: String, _ stateFolder: String) throws(Failure) {
        let lock: FolderLock
        do throws(FolderLock.Obstacle) {
            lock = try FolderLock(stateFolder)
        } catch {
            switch error {
            case .held(let holder):
                throw Failure(
                    stateFolder, heldBy: holder,
                    advice: "stop that bridge, or send it the request spool with {\"drop\":true}")
            case .system(let error): throw Failure(.noPermission, "\(error)")
            }
        }
        defer { withExtendedLifetime(lock) {} }
        let asJSON = asJSON
        try onLoop { home in
            let spool = SpoolFile(in: folder, limits: SpoolLimits())
            let clock = ClockReading.present(on: home.loop)
            // A full disk does not keep the records from being removed: only their number is not known then.
            _ = try? await spool.recover(clock)
            let count = try await spool.removeAll(clock)
            await spool.close()
            SpoolJournal.remove(in: folder)
            StandardStream.output.print(
                asJSON ? "{\"removed\":\(count)}" : "removed \(count) message\(count == 1 ? "" : "s")")
            try Self.checkJournal(folder)
        }
    }
}

extension SpoolContents {
    /// The messages as a table.
    fileprivate var text: String {
        guard let oldest else { return "no messages wait for the broker" }
        let width = groups.map(\.topic.count).max() ?? 0
        let digits = "\(count)".count
        var lines = [
            "\(count) message\(count == 1 ? " waits" : "s wait"), \(bytes / 1000) kB, the oldest of \(oldest)"
        ]
        for (broker, groups) in Dictionary(grouping: groups, by: \.broker).sorted(by: { $0.key < $1.key }) {
            lines += ["", "for \(broker.printable):"]
            for group in groups {
                let topic = group.topic.printable
                let padding = String(repeating: " ", count: max(0, width - topic.count))
                let number = "\(group.count)"
                let space = String(repeating: " ", count: max(0, digits - number.count))
                lines.append("  \(topic)\(padding)  \(space)\(number)  \(group.oldest)")
            }
        }
        return lines.joined(separator: "\n")
    }

    fileprivate var json: String {
        let list = groups.map { group in
            Value.record(
                Record([
                    ("broker", .string(group.broker)), ("topic", .string(group.topic)),
                    ("count", .number(Decimal(group.count))), ("oldest", .string("\(group.oldest)")),
                ]))
        }
        return Value.record(
            Record([
                ("waiting", .number(Decimal(count))), ("bytes", .number(Decimal(bytes))),
                ("oldest", oldest.map { .string("\($0)") } ?? .null), ("topics", .list(list)),
            ])
        ).description
    }
}
