import Bluetooth
import EventLoop
import System
import Testing

@testable import BlueZ

@Suite struct CapacityEstimateTests {
    private static let start = Instant(nanoseconds: 0)
    private static let (a, b) = (Address(1), Address(2))

    /// Two peripherals that could not be connected while there were five connections.
    private static let limited = {
        var estimate = CapacityEstimate()
        for address in [a, b, a] { estimate.refused(address, with: 5, at: start) }
        return estimate
    }()

    @Test func `CapacityEstimate takes the number of connections with which several peripherals fail`() {
        #expect(Self.limited.capacity(at: Self.start) == 5)
        var estimate = CapacityEstimate()
        #expect(estimate.capacity(at: Self.start) == nil)
        for _ in 0..<10 { estimate.refused(Self.a, with: 5, at: Self.start) }
        #expect(estimate.capacity(at: Self.start) == nil, "the cause may be the peripheral")
    }

    @Test func `CapacityEstimate ignores peripherals that also fail with fewer connections`() {
        var estimate = CapacityEstimate()
        for address in [Self.a, Self.b] { estimate.refused(address, with: 1, at: Self.start) }
        for address in [Self.a, Self.b, Self.a] { estimate.refused(address, with: 5, at: Self.start) }
        #expect(estimate.capacity(at: Self.start) == nil)
        var limited = Self.limited
        limited.refused(Self.a, with: 4, at: Self.start)
        #expect(limited.capacity(at: Self.start) == nil)
    }

    @Test func `CapacityEstimate is void after one more connection, and after some time`() {
        var estimate = Self.limited
        estimate.connected(Self.a, as: 5)
        #expect(estimate.capacity(at: Self.start) == 5)
        #expect(estimate.capacity(at: Self.start + .seconds(600)) == nil)
        estimate.connected(Self.b, as: 6)
        #expect(estimate.capacity(at: Self.start) == nil)
    }

    @Test func `CapacityEstimate is never below the number that every controller holds`() {
        var estimate = CapacityEstimate()
        for address in [Self.a, Self.b, Self.a] { estimate.refused(address, with: 2, at: Self.start) }
        #expect(estimate.capacity(at: Self.start) == nil)
    }
}
