import JSON
import System
import Testing

@testable import Dashboard

@Suite struct HistoryTests {
    /// The begin of an hour.
    private let start: Int64 = 1_800_000_000_000 - 1_800_000_000_000 % 3_600_000

    private func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: start + seconds * 1000) }

    private func sample(
        _ value: Double, at seconds: Int64, _ name: String = "t", device: String = "a", retained: Bool = false
    ) throws -> Sample {
        let number = try #require(JSON.Number(value))
        let reading = DashboardReading(content: .number(number), unit: "°C", time: time(seconds), expiry: nil)
        return Sample(device: device, name: name, reading: reading, isRetained: retained)
    }

    private func sample(state: String, at seconds: Int64, device: String = "a") -> Sample {
        let reading = DashboardReading(content: .state(state), unit: nil, time: time(seconds), expiry: nil)
        return Sample(device: device, name: "s", reading: reading, isRetained: false)
    }

    private func values(_ history: History, _ member: String, from: Int64 = 0, to: Int64 = 3600) throws -> [Double?] {
        let range = try #require(
            HistoryRange(
                from: "\(start / 1000 + from)", to: "\(start / 1000 + to)", keep: .seconds(86_400), at: time(to)))
        let reply = try JSON(parsing: try #require(history.valuesReply("a", "t", range)))
        return reply[member]?.array?.map(\.double) ?? []
    }

    @Test func `a slot has the least, the mean and the greatest value, and gaps stay gaps`() throws {
        var history = History(keep: .seconds(86_400))
        for (value, seconds) in [(1.0, 0), (2, 100), (6, 299), (5, 900)] {
            history.add(try sample(value, at: Int64(seconds)), at: time(1000))
        }
        #expect(try values(history, "min", to: 1200) == [1, nil, nil, 5])
        #expect(try values(history, "mean", to: 1200) == [3, nil, nil, 5])
        #expect(try values(history, "max", to: 1200) == [6, nil, nil, 5])
    }

    @Test func `late values fill their slots`() throws {
        var history = History(keep: .seconds(86_400))
        history.add(try sample(1, at: 0), at: time(0))
        history.add(try sample(9, at: 900), at: time(900))
        history.add(try sample(3, at: 300), at: time(901))
        history.add(try sample(5, at: 310), at: time(902))
        history.add(try sample(11, at: 901), at: time(903))
        #expect(try values(history, "mean", to: 1200) == [1, 4, nil, 10])
        history.add(try sample(-1, at: -7200), at: time(904))
        #expect(try values(history, "mean", from: -7200, to: -6900) == [-1])
    }

    @Test func `a retained value counts once`() throws {
        var history = History(keep: .seconds(86_400))
        history.add(try sample(1, at: 0), at: time(0))
        history.add(try sample(5, at: 10), at: time(10))
        for _ in 0..<5 { history.add(try sample(5, at: 10, retained: true), at: time(20)) }
        #expect(try values(history, "mean", to: 300) == [3])
    }

    @Test func `values before the history and from the future do no harm`() throws {
        var history = History(keep: .seconds(86_400))
        history.add(try sample(1, at: -86_500), at: time(0))
        #expect(history.readings(of: "a").isEmpty)
        history.add(try sample(2, at: 86_400 * 365), at: time(0))
        #expect(try values(history, "mean", to: 300) == [2])
    }

    @Test func `the number of readings and of hours is bounded`() throws {
        var history = History(keep: .seconds(86_400))
        for number in 0..<4100 {
            history.add(try sample(1, at: 0, "r\(number % 100)", device: "d\(number / 100)"), at: time(0))
        }
        #expect((0..<41).reduce(0) { $0 + history.readings(of: "d\($1)").count } == 4000)
        var series = NumberSeries()
        for hour in 0..<200 as Range<Int64> { _ = series.add(1, at: hour * 3600, mostHours: 25) }
        #expect(series.hours == Array(175..<200))
        #expect(series.add(1, at: 3600, mostHours: 25) == nil)
    }

    // MARK: Clock

    /// Returns a history with a value and a state for each 5 minutes of the hour.
    private func hour() throws -> History {
        var history = History(keep: .seconds(86_400))
        for slot in 0..<12 as Range<Int64> {
            history.add(try sample(Double(slot), at: slot * 300), at: time(slot * 300))
            history.add(sample(state: slot < 6 ? "off" : "on", at: slot * 300), at: time(slot * 300))
        }
        return history
    }

    private func states(_ history: History, at seconds: Int64) throws -> [JSON?] {
        let range = try #require(HistoryRange(from: nil, to: nil, keep: .seconds(86_400), at: time(seconds)))
        let reply = try JSON(parsing: try #require(history.valuesReply("a", "s", range)))
        return reply["states"]?.array?.map { $0[1] } ?? []
    }

    @Test func `values of the future are not shown after the clock was set back, and new ones replace them`() throws {
        var history = try hour()
        history.clockSet(to: time(1200))
        #expect(try values(history, "mean") == [0, 1, 2, 3, 4] + [Double?](repeating: nil, count: 7))
        #expect(try states(history, at: 1200) == ["off"])
        // A device that is silent until 1,800 s: its old values must not fill the gap.
        history.add(try sample(70, at: 1800), at: time(1800))
        history.add(sample(state: "off", at: 1800), at: time(1800))
        #expect(try values(history, "mean") == [0, 1, 2, 3, 4, nil, 70] + [Double?](repeating: nil, count: 5))
        #expect(try states(history, at: 1800) == ["off"])
        // The stored rows agree.
        var restored = History(keep: .seconds(86_400))
        history.removeOld(at: time(3600))
        for row in history.takeChanges() { restored.restore(row) }
        #expect(try values(restored, "mean") == [0, 1, 2, 3, 4, nil, 70] + [Double?](repeating: nil, count: 5))
    }

    @Test func `values return if the clock is set forward again`() throws {
        var history = try hour()
        history.clockSet(to: time(1200))
        history.add(try sample(50, at: 1500), at: time(1500))
        history.clockSet(to: time(3600))
        #expect(try values(history, "mean") == [0, 1, 2, 3, 4, 50, 6, 7, 8, 9, 10, 11])
        #expect(try states(history, at: 3600) == ["off", "on"])
    }

    @Test func `a clock that is set forward and back leaves the history as it was`() throws {
        var history = try hour()
        history.clockSet(to: time(7200))
        history.add(try sample(99, at: 7200), at: time(7200))
        history.clockSet(to: time(3600))
        history.add(try sample(12, at: 3600), at: time(3600))
        #expect(try values(history, "mean", to: 3900) == (0...12).map { Double($0) })
        #expect(try values(history, "mean", from: 7200, to: 7500) == [nil])
    }

    @Test func `stored values of the future are not shown until the clock is right`() throws {
        var history = try hour()
        var restored = History(keep: .seconds(86_400))
        for row in history.takeChanges() { restored.restore(row) }
        restored.clockSet(to: time(600))
        #expect(try values(restored, "mean").compactMap(\.self) == [0, 1, 2])
        restored.clockSet(to: time(3600))
        #expect(try values(restored, "mean").count { $0 != nil } == 12)
    }

    @Test func `a reserve keeps values that a clock makes old`() throws {
        var history = try hour()
        history.removeOld(at: time(90_000 + 3600), reserve: .seconds(7200))
        #expect(history.readings(of: "a") == ["s", "t"])
        history.removeOld(at: time(90_000 + 3600))
        #expect(history.readings(of: "a").isEmpty)
    }

    // MARK: Age

    @Test func `old values are removed, and a state that goes on stays`() throws {
        var history = History(keep: .seconds(86_400))
        history.add(try sample(1, at: 0), at: time(0))
        history.add(sample(state: "off", at: 0), at: time(0))
        history.add(sample(state: "on", at: 60), at: time(60))
        history.add(sample(state: "on", at: 80_000), at: time(80_000))
        history.removeOld(at: time(90_000))
        #expect(history.readings(of: "a") == ["s"])
        let range = try #require(HistoryRange(from: nil, to: nil, keep: .seconds(86_400), at: time(90_000)))
        let reply = try JSON(parsing: try #require(history.valuesReply("a", "s", range)))
        #expect(reply["states"]?.array?.count == 1 && reply["states"]?[0]?[1] == "on")
    }

    @Test func `states are changes, with late ones in their place`() throws {
        var series = StateSeries()
        let steps: [(String, Int64, Bool)] = [
            ("off", 10, true), ("off", 20, false), ("on", 30, true), ("off", 40, true), ("on", 25, true),
        ]
        for (state, time, isChange) in steps { #expect(series.add(state, at: time) == isChange) }
        #expect(series.changes.map(\.time) == [10, 25, 40])
        for number in 0..<1000 as Range<Int64> { _ = series.add("s\(number)", at: 100 + number) }
        #expect(series.changes.count <= 300)
    }

    @Test func `rows restore the same values`() throws {
        var history = History(keep: .seconds(86_400))
        for (value, seconds) in [(1.5, 0), (2.5, 299), (-40.25, 3000), (7, 3700)] {
            history.add(try sample(value, at: Int64(seconds)), at: time(3700))
        }
        history.add(sample(state: "off", at: 0), at: time(0))
        history.add(sample(state: "on", at: 3700), at: time(3700))
        let rows = history.takeChanges()
        #expect(rows.count == 4)
        #expect(history.takeChanges().isEmpty)
        var restored = History(keep: .seconds(86_400))
        // A value that arrives before the rows are read stays.
        restored.add(try sample(9, at: 3000), at: time(3800))
        for row in rows { restored.restore(row) }
        #expect(try values(restored, "mean", to: 3900).compactMap(\.self) == [2, 9, 7])
        #expect(restored.readings(of: "a") == ["s", "t"])
        history.returnChanges(rows)
        #expect(history.takeChanges().count == 4)
        let damaged = HistoryRow(
            device: "a", reading: "u", unit: "", isState: false, hour: start / 3_600_000, data: [1, 2])
        restored.restore(damaged)
        #expect(try JSON(parsing: restored.readingsReply("a")) == ["readings": ["s", "t", "u"]])
    }

    @Test func `a renamed device keeps its history`() throws {
        var history = History(keep: .seconds(86_400))
        history.add(try sample(1, at: 0), at: time(0))
        _ = history.takeChanges()
        history.rename("a", to: "b")
        #expect(history.readings(of: "a").isEmpty && history.readings(of: "b") == ["t"])
        #expect(history.takeChanges().map(\.device) == ["b"])
    }

    @Test func `values that have arrived under the new name stay`() throws {
        var history = History(keep: .seconds(86_400))
        for (value, state, seconds) in [(1.0, "on", 0), (2, "off", 300), (3, "on", 7200)] {
            history.add(try sample(value, at: Int64(seconds), device: "old"), at: time(7300))
            history.add(sample(state: state, at: Int64(seconds), device: "old"), at: time(7300))
        }
        history.add(try sample(9, at: 7600), at: time(7600))
        history.add(try sample(5, at: 7600, "u"), at: time(7600))
        for (state, seconds) in [("on", 7600), ("off", 7700)] {
            history.add(sample(state: state, at: Int64(seconds)), at: time(7700))
        }
        history.rename("old", to: "a")
        #expect(try values(history, "mean", to: 8100).compactMap(\.self) == [1, 2, 3, 9])
        #expect(history.readings(of: "a") == ["s", "t", "u"])
        #expect(try states(history, at: 8100) == ["on", "off", "on", "off"])
        #expect(Set(history.takeChanges().map { "\($0.device) \($0.reading)" }) == ["a s", "a t", "a u"])
        history.rename("a", to: "a")
        #expect(history.readings(of: "a") == ["s", "t", "u"])
    }

    @Test(arguments: [Int64.max, Int64.max / 12, 1 << 40, -1])
    func `a damaged row with an impossible hour is ignored`(hour: Int64) throws {
        var history = History(keep: .seconds(86_400))
        let numbers = [UInt8](repeating: 0, count: 144)
        let states = Array("[[\(Int64.min),\"on\"],[\(Int64.max),\"off\"]]".utf8)
        history.restore(HistoryRow(device: "a", reading: "t", unit: "", isState: false, hour: hour, data: numbers))
        history.restore(HistoryRow(device: "a", reading: "s", unit: "", isState: true, hour: 1, data: states))
        history.clockSet(to: time(0))
        history.removeOld(at: time(0))
        #expect(history.readings(of: "a").isEmpty)
    }

    @Test func `CSV quotes what a spreadsheet would run`() throws {
        var history = History(keep: .seconds(86_400))
        history.add(sample(state: "=1+1", at: 0), at: time(0))
        history.add(sample(state: "a,\"b\"", at: 1), at: time(1))
        let range = try #require(HistoryRange(from: nil, to: nil, keep: .seconds(86_400), at: time(10)))
        let text = String(decoding: try #require(history.csvReply("a", "s", range)), as: UTF8.self)
        #expect(text.contains(",\"'=1+1\"\r\n") && text.contains(",\"a,\"\"b\"\"\"\r\n"))
    }

    @Test func `without a history nothing is kept`() throws {
        var history = History(keep: .zero)
        history.add(try sample(1, at: 0), at: time(0))
        #expect(history.readings(of: "a").isEmpty)
    }
}
