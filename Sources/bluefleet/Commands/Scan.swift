import BlueZ
import Bluetooth
import Bridge
import Configuration
import EventLoop
import JSON
import Survey
import System

/// `bluefleet scan`: lists the devices in range.
struct Scan: Command {
    static let name = "scan"
    static let summary = "lists the devices in range with their advertised data"
    static let details = [
        """
        Scans for 10 s, or for the duration of --for, and lists the devices by signal strength, the strongest first. \
        Ctrl-C ends the scan early. A running bridge is not disturbed.
        """
    ]
    static let options = [duration, MessageBus.option, .json]
    static let examples = ["bluefleet scan", "bluefleet scan --for 1m --json"]

    private static let duration = Option("for", value: "DURATION", "how long to scan (default: 10s)")

    private let bus: String
    private let duration: Duration
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        bus = try MessageBus.address(arguments)
        duration = try arguments.duration(Self.duration) ?? .seconds(10)
        asJSON = arguments.contains(.json)
    }

    private enum Event {
        case seen(Sighting)
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
            let observation = await radio.central.observe { events.put(.seen($0)) }
            let end = loop.now + duration
            var nearbyDevices = NearbyDevices()
            listening: while let event = await events.next() {
                switch event {
                case .seen(let sighting): nearbyDevices.add(sighting, at: loop.timestamp)
                case .tick:
                    let rest = (end - loop.now).components.seconds
                    Progress.show("\(Self.count(nearbyDevices.count)) seen, \(rest) s left")
                case .end: break listening
                }
            }
            Progress.clear()
            report(nearbyDevices.all, at: loop.timestamp)
            await radio.central.stopObserving(observation)
        }
    }

    private func report(_ devices: [NearbyDevice], at now: Timestamp) {
        let recognition = ProfileRecognition(ProfileLibrary(beside: ConfigurationFile.standard))
        if asJSON {
            let result: JSON = ["devices": .array(devices.map { recognition.json($0) })]
            StandardStream.output.print(result.description)
        } else if devices.isEmpty {
            StandardStream.error.print(
                "No device was seen. Check that a device is near and advertises. More: bluefleet doctor"
                    + MessageBus.words(for: bus))
        } else {
            StandardStream.output.print("ADDRESS            KIND    RSSI      AGE    NAME AND ADVERTISED DATA")
            for line in devices.flatMap({ $0.lines(at: now, recognition) }) { StandardStream.output.print(line) }
            let options = MessageBus.words(for: bus)
            StandardStream.error.print(
                "Next: bluefleet inspect ADDRESS --yaml\(options) prints an entry for the configuration")
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
