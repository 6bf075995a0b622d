import Codec
import Configuration
import System
import Testing

@testable import Devices

/// The key `average`.
@Suite struct AveragerTests {
    private func averager(_ method: Configuration.PublishRules.Average.Method = .mean) -> Averager {
        Averager(.init(window: .seconds(300), method: method))
    }

    @Test(
        arguments: [
            (.mean, [20, 21, 21.5], 20.83), (.mean, [20.123, 20.124, 20.124], 20.124), (.min, [20, 19.5, 21], 19.5),
            (.max, [20, 19.5, 21], 21), (.last, [20, 19.5], 19.5), (.median, [1, 100, 3], 3),
            (.median, [1, 2, 100, 3], 2.5),
            (.mean, [20, .null, 22], 21), (.mean, [.null, .null], .null), (.mean, [true, false], false),
            (.mean, ["a", "b"], "b"),
        ] as [(Configuration.PublishRules.Average.Method, [Value], Value)])
    func `Averager returns one value for the values of a window`(
        method: Configuration.PublishRules.Average.Method, values: [Value], expected: Value
    ) throws {
        var averager = averager(method)
        for value in values { averager.add(.value(value, unit: "°C")) }
        let average = averager.take()
        let result = try #require(average)
        #expect(result.reading == .value(expected, unit: "°C"))
        #expect(result.samples == values.count)
        #expect(averager.take() == nil)
    }

    @Test(arguments: [([350, 10], 0), ([350, 20], 5), ([90, 180], 135), ([0, 180], .null)] as [([Value], Value)])
    func `the mean of angles is that of their directions`(angles: [Value], mean: Value) throws {
        var averager = averager()
        for angle in angles { averager.add(.value(angle, unit: "°")) }
        #expect(averager.take()?.reading == .value(mean, unit: "°"))
    }

    @Test func `each field has an average, even if a reading lacks it`() throws {
        var averager = averager()
        averager.add(.fields([.init(name: "a", value: 1), .init(name: "b", value: 5, unit: "V")]))
        averager.add(.fields([.init(name: "a", value: 2)]))
        let average = averager.take()
        let result = try #require(average)
        #expect(result.reading == .fields([.init(name: "a", value: 1.5), .init(name: "b", value: 5, unit: "V")]))
        #expect(result.samples == 2)
    }

    @Test func `a median of many values uses a bounded number of them`() throws {
        var averager = averager(.median)
        for value in 0..<100_000 { averager.add(.value(.number(Decimal(value)), unit: nil)) }
        guard case .value(.number(let median), _)? = averager.take()?.reading else { return #expect(Bool(false)) }
        #expect(abs(median.doubleValue - 50_000) < 1_000)
    }

    @Test(arguments: [(0, 300_000), (1, 299_999), (299_999, 1), (300_000, 300_000), (-1, 1)] as [(Int64, Int64)])
    func `a window ends at a multiple of its duration on the wall clock`(time: Int64, rest: Int64) {
        #expect(averager().rest(of: Timestamp(milliseconds: time)) == .milliseconds(rest))
    }
}
