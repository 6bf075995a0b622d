import EventLoop
import Testing

@testable import BlueZ

/// Which adapter a peripheral is connected through.
@Suite struct RoutesTests {
    private static let start = Instant(nanoseconds: 1_000_000_000_000)

    /// Routes through hci0, hci1, …, each heard with one of these strengths just now.
    private static func heard(_ strengths: Int?...) -> Routes {
        var routes = Routes()
        for (number, strength) in strengths.enumerated() {
            routes.add("hci\(number)/dev", through: "hci\(number)")
            guard let strength else { continue }
            routes.change("hci\(number)/dev") { ($0.rssi, $0.lastHeard) = (strength, start) }
        }
        return routes
    }

    private static func best(
        _ routes: Routes, instead current: Int? = nil, after time: Duration = .zero, shut: Int? = nil
    ) -> String? {
        routes.best(instead: current.map { "hci\($0)/dev" }, at: start + time) { $0 != shut.map { "hci\($0)" } }?
            .adapter
    }

    @Test func `the adapter that hears it best is taken`() {
        #expect(Self.best(Self.heard(-70, -60, -80)) == "hci1")
        #expect(Self.best(Self.heard(nil, -90)) == "hci1")
        #expect(Self.best(Routes()) == nil)
    }

    @Test func `one that hears it a little better is no reason to change over`() {
        #expect(Self.best(Self.heard(-70, -66), instead: 0) == "hci0")
        #expect(Self.best(Self.heard(-70, -65), instead: 0) == "hci1")
    }

    @Test func `one that does not hear it any more is left`() {
        var routes = Self.heard(-50, -80)
        routes.change("hci1/dev") { $0.lastHeard = Self.start + .seconds(31) }
        #expect(Self.best(routes, instead: 0, after: .seconds(29)) == "hci0")
        #expect(Self.best(routes, instead: 0, after: .seconds(31)) == "hci1")
        #expect(Self.best(routes, instead: 0, after: .seconds(90)) == "hci0")
        #expect(Self.best(routes, after: .seconds(90)) == "hci1")
    }

    @Test func `one that is full, off or gone is passed over`() {
        #expect(Self.best(Self.heard(-50, -80), instead: 0, shut: 0) == "hci1")
        #expect(Self.best(Self.heard(-50), instead: 0, shut: 0) == "hci0")
        var routes = Self.heard(-50, -80)
        routes.remove("hci0/dev")
        #expect(Self.best(routes, instead: 0) == "hci1")
    }

    @Test func `the keys of a bond bind it to their adapter`() {
        var routes = Self.heard(-50, -80)
        routes.change("hci1/dev") { $0.isBonded = true }
        #expect(Self.best(routes, instead: 0) == "hci1")
    }

    @Test func `a bond's adapter is waited for while it is off`() {
        var routes = Self.heard(-50, -80)
        routes.change("hci1/dev") { $0.isBonded = true }
        #expect(Self.best(routes, instead: 1, shut: 1) == "hci1")
        #expect(Self.best(routes, instead: 0, shut: 1) == "hci1")
        routes.remove("hci1/dev")
        #expect(Self.best(routes) == "hci0")
    }

    @Test func `one that hears it and cannot connect it makes way for another, and not for one that is much farther`() {
        var routes = Self.heard(-50, -58, -90)
        routes.change("hci0/dev") { $0.failures = 1 }
        #expect(Self.best(routes, instead: 0) == "hci0")
        #expect(routes.isBetterElsewhere(than: "hci0/dev", at: Self.start) { _ in true })
        routes.change("hci0/dev") { $0.failures = 2 }
        #expect(Self.best(routes, instead: 0) == "hci1")
        routes.change("hci1/dev") { $0.failures = 2 }
        #expect(Self.best(routes, instead: 1) == "hci0")
    }
}
