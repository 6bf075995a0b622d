import DBus
import EventLoop
import System
import Testing

@testable import BlueZ

@Suite struct RoutesTests {
    private static let start = Instant(nanoseconds: 1_000_000_000_000)

    /// Returns routes through hci0, hci1, …, each with one of these strengths just now.
    private static func routes(_ strengths: Int?...) -> Routes {
        var routes = Routes()
        for (number, strength) in strengths.enumerated() {
            routes.add("hci\(number)/dev", through: "hci\(number)")
            guard let strength else { continue }
            routes.change("hci\(number)/dev") { ($0.rssi, $0.lastSeen) = (strength, start) }
        }
        return routes
    }

    private static func best(
        _ routes: Routes, instead current: Int? = nil, after time: Duration = .zero, closed: Int? = nil
    ) -> String? {
        routes.best(instead: current.map { "hci\($0)/dev" }, at: start + time) { $0 != closed.map { "hci\($0)" } }?
            .adapter
    }

    @Test func `Routes chooses the adapter with the strongest signal`() {
        #expect(Self.best(Self.routes(-70, -60, -80)) == "hci1")
        #expect(Self.best(Self.routes(nil, -90)) == "hci1")
        #expect(Self.best(Routes()) == nil)
    }

    @Test func `Routes does not change for a slightly stronger signal`() {
        #expect(Self.best(Self.routes(-70, -66), instead: 0) == "hci0")
        #expect(Self.best(Self.routes(-70, -65), instead: 0) == "hci1")
    }

    @Test func `Routes leaves an adapter that no longer sees the peripheral`() {
        var routes = Self.routes(-50, -80)
        routes.change("hci1/dev") { $0.lastSeen = Self.start + .seconds(31) }
        #expect(Self.best(routes, instead: 0, after: .seconds(29)) == "hci0")
        #expect(Self.best(routes, instead: 0, after: .seconds(31)) == "hci1")
        #expect(Self.best(routes, instead: 0, after: .seconds(90)) == "hci0")
        #expect(Self.best(routes, after: .seconds(90)) == "hci1")
    }

    @Test func `Routes does not choose an adapter that is full, off or removed`() {
        #expect(Self.best(Self.routes(-50, -80), instead: 0, closed: 0) == "hci1")
        #expect(Self.best(Self.routes(-50), instead: 0, closed: 0) == "hci0")
        var routes = Self.routes(-50, -80)
        routes.remove("hci0/dev")
        #expect(Self.best(routes, instead: 0) == "hci1")
    }

    @Test func `Routes chooses the adapter that has the keys of a bond`() {
        var routes = Self.routes(-50, -80)
        routes.change("hci1/dev") { $0.isBonded = true }
        #expect(Self.best(routes, instead: 0) == "hci1")
    }

    @Test func `Routes keeps the adapter of a bond while it is off`() {
        var routes = Self.routes(-50, -80)
        routes.change("hci1/dev") { $0.isBonded = true }
        #expect(Self.best(routes, instead: 1, closed: 1) == "hci1")
        #expect(Self.best(routes, instead: 0, closed: 1) == "hci1")
        routes.remove("hci1/dev")
        #expect(Self.best(routes) == "hci0")
    }

    @Test func `Routes leaves an adapter that fails to connect, but not for one with a much weaker signal`() {
        var routes = Self.routes(-50, -58, -90)
        routes.change("hci0/dev") { $0.failures = 1 }
        #expect(Self.best(routes, instead: 0) == "hci0")
        #expect(routes.isBetterElsewhere(than: "hci0/dev", at: Self.start) { _ in true })
        routes.change("hci0/dev") { $0.failures = 2 }
        #expect(Self.best(routes, instead: 0) == "hci1")
        routes.change("hci1/dev") { $0.failures = 2 }
        #expect(Self.best(routes, instead: 1) == "hci0")
    }

    @Test(arguments: [
        (-127, -127), (-60, -60), (20, 20), (127, nil), (21, nil), (-128, nil), (-32_768, nil),
    ])
    func `a signal strength outside of the specification's range is not used`(reported: Int16, used: Int?) {
        #expect(DeviceProperties(["RSSI": .int16(reported)]).rssi == used)
    }
}
