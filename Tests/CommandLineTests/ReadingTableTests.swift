import Configuration
import EventLoop
import JSON
import System
import TestSupport
import Testing

@testable import bluefleet

@Suite struct ReadingTableTests {
    static let sources = [
        ReadingSource(topic: "b/cellar/temperature", device: "cellar", name: "temperature", units: [:]),
        ReadingSource(topic: "b/strap/heart_rate", device: "strap", name: "heart_rate", units: ["heart_rate": "bpm"]),
    ]

    private let start = Instant(nanoseconds: 0)

    private func reading(_ source: ReadingSource, _ payload: JSON) throws -> DemoReading {
        try #require(DemoReading(from: source, payload: payload))
    }

    private func table() throws -> ReadingTable {
        var table = ReadingTable(Self.sources)
        let pulse = try reading(
            Self.sources[1], ["heart_rate": 72, "sensor_contact": true, "time": "2026-11-21T05:09:00.123Z"])
        table.update(with: pulse, at: start)
        let warmth = try reading(
            Self.sources[0],
            ["value": .number(verbatim: "21.50"), "unit": "°C", "time": "2026-11-21T05:09:01.000Z"])
        table.update(with: warmth, at: start + .seconds(61))
        return table
    }

    @Test func `rows have the order of the configuration`() throws {
        #expect(
            try table().lines(columns: 80, rows: 24, at: start + .seconds(64)) == [
                "DEVICE  READING                    VALUE    AGE   ",
                "cellar  temperature                21.5 °C  3 s   ",
                "strap   heart_rate                 72 bpm   1 min ",
                "strap   heart_rate sensor_contact  true     1 min ",
            ])
    }

    @Test func `advertised quantities follow the configured characteristics`() throws {
        let configuration = try Configuration(
            yaml: """
                devices:
                  porch: {address: C0:00:00:00:00:06, connect: never}
                  cellar: {address: C0:00:00:00:00:01, characteristics: {temperature: {read: 1h}}}
                """)
        let sources = ReadingSources(configuration)
        var table = ReadingTable(sources.characteristics)
        for topic in ["bluefleet/porch/humidity", "bluefleet/cellar/temperature"] {
            let source = try #require(sources[topic])
            table.update(with: try reading(source, ["value": 5, "time": ""]), at: start)
        }
        let lines = table.lines(columns: 80, rows: 24, at: start)
        #expect(lines.map { $0.prefix(19) } == ["DEVICE  READING    ", "cellar  temperature", "porch   humidity   "])
        #expect(sources["bluefleet/cellar/humidity"] == nil)
        #expect(sources["bluefleet/porch/connection"] == nil)
    }

    @Test func `a newer reading replaces the older one`() throws {
        var table = try table()
        table.update(with: try reading(Self.sources[0], ["value": nil, "time": ""]), at: start + .seconds(64))
        let lines = table.lines(columns: 80, rows: 24, at: start + .seconds(64))
        #expect(lines.count == 4)
        #expect(lines[1].hasPrefix("cellar  temperature                not known  now"))
    }

    @Test(arguments: [10, 30, 45, 80, 200])
    func `no line reaches the edge of the window`(columns: Int) throws {
        let size = Terminal.Size(columns: columns, rows: 24)
        let lines = try table().lines(columns: columns, rows: size.rows, at: start)
        let drawn = Terminal.picture(of: lines, size: size).split(separator: "\r\n")
        #expect(drawn.count == 4)
        #expect(drawn.allSatisfy { $0.count - Terminal.clearLine.count < columns })
    }

    @Test func `a low window shows the number of missing rows`() throws {
        let lines = try table().lines(columns: 80, rows: 3, at: start)
        #expect(lines.count == 3)
        #expect(lines.last == "… 2 more rows: enlarge the window")
    }

    @Test func `a payload that is not a reading is not shown`() {
        #expect(DemoReading(from: Self.sources[0], payload: ["state": "online"]) == nil)
        #expect(DemoReading(from: Self.sources[0], payload: 5) == nil)
    }

    @Test func `control characters in a value are not printed`() throws {
        let text = try reading(Self.sources[0], ["value": "\u{1B}[2J", "time": ""]).quantities.first?.text
        #expect(text == "\u{FFFD}[2J")
    }
}
