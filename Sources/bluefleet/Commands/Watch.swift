import BlueZ
import Bluetooth
import Codec
import EventLoop
import System

/// `bluefleet watch`: prints notified values.
struct Watch: Command {
    static let name = "watch"
    static let summary = "prints the notified values of a device"
    static let details = [
        """
        Subscribes and prints one line per value. Ctrl-C cancels the subscriptions and disconnects.
        """
    ]
    static let operands = [Target.operand, characteristics]
    static let options = [duration, Format.accessOption] + Target.options + [.json]
    static let examples = [
        "bluefleet watch greenhouse temperature humidity",
        "bluefleet watch C0:00:00:00:00:04 2A37 --json --for 1m",
    ]

    private static let characteristics = Operand(
        CharacteristicReference.operand.name, CharacteristicReference.accessOperand.summary, isRepeated: true)
    private static let duration = Option("for", value: "DURATION", "stop after this time, e.g. 30s, 10m or 1h")

    private let target: Target
    private let references: [CharacteristicReference]
    private let format: Format?
    private let duration: Duration?
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        target = try Target(arguments)
        var references: [CharacteristicReference] = []
        for text in arguments[all: Self.characteristics] {
            references.append(try CharacteristicReference(text, of: target.device))
        }
        self.references = references
        format = try Format.given(in: arguments)
        if format != nil, references.count > 1 {
            throw Failure(.usage, "--format applies to a single CHARACTERISTIC, found \(references.count)")
        }
        duration = try arguments.duration(Self.duration)
        asJSON = arguments.contains(.json)
    }

    private enum Event {
        case value(ObservedValue)
        case lost
        case end
    }

    func run() throws(Failure) {
        try onRadio(target.bus) { radio in
            let peripheral = try await radio.connect(to: target.address, within: target.limit)
            let events = Mailbox<Event>()
            let watched = try await subscribe(to: peripheral, radio.loop, events)
            Progress.clear()
            radio.onStop { events.put(.end) }
            if let duration { radio.loop.schedule(after: duration) { events.put(.end) } }
            watching: while let event = await events.next() {
                switch event {
                case .value(let value):
                    // The command ends when its standard output has been closed.
                    guard show(value) else { break watching }
                case .lost: throw Failure(.unavailable, "\(target.address): the connection was lost")
                case .end: break watching
                }
            }
            // A subscription that cannot be cancelled ends with the connection.
            for characteristic in watched { try? await peripheral.setNotify(false, for: characteristic) }
        }
    }

    private func subscribe(
        to peripheral: Peripheral, _ loop: EventLoop, _ events: Mailbox<Event>,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> [BlueZ.Characteristic] {
        var wanted: [BlueZ.Characteristic: AccessedCharacteristic] = [:]
        for reference in references {
            let accessed = try await reference.access(on: peripheral, target, as: format)
            let properties = accessed.characteristic.properties
            guard properties.canSubscribe else {
                let place = "\(target.address) \(reference.text)"
                let advice =
                    properties.contains(.read)
                    ? "read it with bluefleet read \(place)" : "it can only be written: bluefleet write \(place) VALUE"
                throw Failure(
                    .unavailable, "\(reference.text) does not notify: \(advice)" + MessageBus.words(for: target.bus))
            }
            wanted[accessed.characteristic] = accessed
        }
        let watched = wanted
        await peripheral.onEvent { event in
            if case .disconnected = event { events.put(.lost) }
        }
        await peripheral.onValue { bytes, characteristic, _ in
            guard let accessed = watched[characteristic] else { return }
            events.put(.value(ObservedValue([UInt8](bytes), of: accessed, at: loop.timestamp)))
        }
        for characteristic in watched.keys { try await peripheral.setNotify(true, for: characteristic) }
        return Array(watched.keys)
    }

    private func show(_ value: ObservedValue) -> Bool {
        if asJSON { return StandardStream.output.print(value: value.record.description) }
        let name = Style.bold(value.name)
        let text = value.text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        return StandardStream.output.print(value: "\(value.time) \(name) \(text.joined(separator: ", "))")
    }
}
