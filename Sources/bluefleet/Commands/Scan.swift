internal import BlueZ
internal import Bridge
internal import EventLoop
internal import JSON

/// `bluefleet scan`: who is in range.
struct Scan: Command {
    static let name = "scan"
    static let summary = "the devices in range, and what they say of themselves"
    static let details = [
        """
        Listens for ten seconds, or as long as --for says, and then lists what was heard, the strongest first. Ctrl-C \
        ends it before that. A bridge that runs beside it is not disturbed.
        """
    ]
    static let options = [duration, MessageBus.option, .json]
    static let examples = ["bluefleet scan", "bluefleet scan --for 1m --json"]

    private static let duration = Option("for", value: "DURATION", "how long to listen: 10s when it is not given")

    private let bus: String
    private let duration: Duration
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        bus = MessageBus.address(arguments)
        duration = try arguments.duration(Self.duration) ?? .seconds(10)
        asJSON = arguments.contains(.json)
    }

    private enum Event {
        case heard(Sighting)
        case tick
        case end
    }

    func run() throws(Failure) {
        try onRadio(bus) { radio in
            let loop = radio.loop
            let events = Mailbox<Event>()
            radio.onStop { events.put(.end) }
            loop.schedule(after: duration) { events.put(.end) }
            Self.tick(events, loop)
            let observation = await radio.central.observe { events.put(.heard($0)) }
            let end = loop.now + duration
            var neighbourhood = Neighbourhood()
            listening: while let event = await events.next() {
                switch event {
                case .heard(let sighting): neighbourhood.take(sighting, at: loop.timestamp)
                case .tick:
                    let rest = (end - loop.now).components.seconds
                    Progress.show("\(Self.count(neighbourhood.count)) heard, \(rest) s left")
                case .end: break listening
                }
            }
            Progress.clear()
            report(neighbourhood.all, at: loop.timestamp)
            await radio.central.stopObserving(observation)
        }
    }

    private func report(_ devices: [Neighbourhood.Neighbour], at now: Timestamp) {
        if asJSON {
            let result: JSON = ["devices": .array(devices.map(\.json))]
            StandardStream.output.print(result.description)
        } else if devices.isEmpty {
            StandardStream.error.print(
                "Nothing was heard. Is there a device near? More: bluefleet doctor" + MessageBus.words(for: bus))
        } else {
            StandardStream.output.print("ADDRESS            KIND    RSSI      AGE    NAME, AND WHAT IT SAYS")
            for line in devices.flatMap({ $0.lines(at: now) }) { StandardStream.output.print(line) }
        }
    }

    private static func count(_ number: Int) -> String {
        number == 1 ? "1 device" : "\(number) devices"
    }

    private static func tick(_ events: Mailbox<Event>, _ loop: EventLoop) {
        loop.schedule(after: .milliseconds(500)) {
            events.put(.tick)
            tick(events, loop)
        }
    }
}
