import EventLoop
import JSON
import Log
import System

/// `bluefleet demo`: runs the complete product with simulated devices.
struct Demo: Command {
    static let name = "demo"
    static let summary = "runs the complete product with simulated devices"
    static let details = [
        """
        Starts simulated sensors, an MQTT broker, the bridge and, if it is installed, the page of bluefleet-dashboard, \
        without any hardware. Prints the readings as they arrive over MQTT: as a table on a terminal, as lines in a \
        pipe. Ctrl-C stops everything and removes all files.
        """
    ]
    static let options = [Option("json", "print each reading as a JSON object on a line"), duration]
    static let examples = ["bluefleet demo", "bluefleet demo --json --for 10s"]

    private static let duration = Option("for", value: "DURATION", "stop after this time, e.g. 30s, 10m or 1h")

    private let asJSON: Bool
    private let duration: Duration?

    init(_ arguments: Arguments) throws(Failure) {
        asJSON = arguments.contains(.json)
        duration = try arguments.duration(Self.duration)
    }

    func run() throws(Failure) {
        try ExternalProgram.require(.messageBus, .broker)
        // Log lines would overwrite the table, which shows all changes anyway.
        Log.level = .error
        try onLoop { home in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let events = Mailbox<DemoEvent>()
            try home.loop.onRequests(abandon: { Self.abandon(folder) }) { _ in events.put(.end(nil)) }
            let house = DemoHouse(in: folder, on: home.loop) { events.put($0) }
            do {
                let guide = try await house.open()
                try await show(guide, events, home.loop)
            } catch {
                await house.close()
                throw error
            }
            StandardStream.error.print("Stopping: disconnecting the devices.")
            await house.close()
        }
    }

    /// Shows readings until the end of the demo.
    private func show(
        _ guide: DemoGuide, _ events: Mailbox<DemoEvent>, _ loop: EventLoop,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(Failure) {
        if let duration { loop.schedule(after: duration) { events.put(.end(nil)) } }
        Self.tick(events, loop)
        var display = display(for: guide, loop)
        defer { display.end() }
        var isVisible = display.begin(guide.advice)
        while isVisible, let event = await events.next() {
            switch event {
            case .message(let topic, let payload):
                guard let source = guide.sources[topic], let json = try? JSON(parsing: payload),
                    let reading = DemoReading(from: source, payload: json)
                else { continue }
                isVisible = display.show(reading)
            case .tick: isVisible = display.refresh()
            case .end(nil): return
            case .end(let reason?): throw Failure(.unavailable, reason)
            }
        }
    }

    private func display(for guide: DemoGuide, _ loop: EventLoop) -> any ReadingDisplay {
        if asJSON { return JSONDisplay() }
        return Terminal.isAvailable ? TableDisplay(guide.sources.characteristics, on: loop) : LineDisplay()
    }

    /// Refreshes the display every 200 ms, often enough to follow changes of the window size.
    private static func tick(_ events: Mailbox<DemoEvent>, _ loop: EventLoop) {
        loop.schedule(after: .milliseconds(200)) {
            events.put(.tick)
            tick(events, loop)
        }
    }

    private static func abandon(_ folder: TemporaryFolder) {
        if Terminal.isAvailable { Terminal.restore() }
        folder.remove()
    }
}
