internal import EventLoop
internal import JSON
internal import Log

/// `bluefleet demo`: the whole product on one machine, without any hardware.
struct Demo: Command {
    static let name = "demo"
    static let summary = "the whole product on this machine, without any hardware"
    static let details = [
        """
        A simulated house of sensors, a broker and the bridge, all of them private to the demo. Readings are shown as \
        they arrive over MQTT: as a table on a terminal, as lines in a pipe. Ctrl-C ends it and leaves nothing behind.
        """
    ]
    static let options = [Option("json", "a JSON object for each reading, a line each"), duration]
    static let examples = ["bluefleet demo", "bluefleet demo --json --for 10s"]

    private static let duration = Option("for", value: "DURATION", "end after this time: 30s, 10m, 1h")

    private let asJSON: Bool
    private let duration: Duration?

    init(_ arguments: Arguments) throws(Failure) {
        asJSON = arguments.contains(.json)
        duration = try arguments.duration(Self.duration)
    }

    func run() throws(Failure) {
        try ExternalProgram.require(.messageBus, .broker)
        // A line of the log would tear the table; what is worth knowing of a simulated house is in it.
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
            StandardStream.error.print("Ending: the devices are disconnected first.")
            await house.close()
        }
    }

    /// Shows what happens until the end.
    private func show(
        _ guide: DemoGuide, _ events: Mailbox<DemoEvent>, _ loop: EventLoop,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(Failure) {
        if let duration { loop.schedule(after: duration) { events.put(.end(nil)) } }
        Self.tick(events, loop)
        var display = display(for: guide, loop)
        defer { display.end() }
        var isSeen = display.begin(guide.advice)
        while isSeen, let event = await events.next() {
            switch event {
            case .message(let topic, let payload):
                guard let source = guide.sources[topic], let json = try? JSON(parsing: payload),
                    let reading = DemoReading(from: source, payload: json)
                else { continue }
                isSeen = display.show(reading)
            case .tick: isSeen = display.refresh()
            case .end(nil): return
            case .end(let reason?): throw Failure(.unavailable, reason)
            }
        }
    }

    private func display(for guide: DemoGuide, _ loop: EventLoop) -> any ReadingDisplay {
        if asJSON { return JSONDisplay() }
        return Terminal.isThere ? TableDisplay(guide.sources.characteristics, on: loop) : LineDisplay()
    }

    /// Lets time pass for what is shown: often enough for a window that gets another size.
    private static func tick(_ events: Mailbox<DemoEvent>, _ loop: EventLoop) {
        loop.schedule(after: .milliseconds(200)) {
            events.put(.tick)
            tick(events, loop)
        }
    }

    private static func abandon(_ folder: TemporaryFolder) {
        if Terminal.isThere { Terminal.giveBack() }
        folder.remove()
    }
}
