import Bluetooth
import EventLoop
import System

/// The adapter through which the peripheral is connected, and the D-Bus objects of the peripheral.
extension Peripheral {
    /// Whether bluetoothd has the keys of a bond between the peripheral and the chosen adapter.
    package var isBonded: Bool { route.isBonded }
    /// Whether there is a bond with any adapter; nil: not known, because bluetoothd has no object for the peripheral.
    var hasBond: Bool? { route.hasBond }
    /// bluetoothd's name of the chosen adapter, for example `hci0`; nil: no adapter has seen the peripheral.
    package var adapterName: String? { adapterPath?.split(separator: "/").last.map(String.init) }
    /// The path of the peripheral's object at the chosen adapter; nil: there is no such object.
    var path: String? { route.path }
    var adapterPath: String? { route.adapterPath }
    var routes: [Routes.Route] { route.all }
    var isBlocked: Bool { route.isBlocked }

    /// Returns whether a connect may succeed without another advertisement: the peripheral is connected, or bluetoothd
    /// has an object for the peripheral and the last advertisement is not older than `freshness`.
    package func isReachable(within freshness: Duration) -> Bool {
        guard path != nil else { return false }
        if isConnected { return true }
        return lastSeen.map { loop.now - $0 < freshness } ?? false
    }

    /// Returns whether the peripheral is connected, or has been seen since `start`.
    func isReachable(since start: Instant) -> Bool {
        path != nil && (isConnected || lastSeen.map { $0 >= start } ?? false)
    }

    /// The D-Bus objects that bluetoothd keeps only because the gateway connected to the peripheral.
    ///
    /// They can be removed: the peripheral is not bonded, trusted or blocked on their adapters.
    var traces: [Routes.Route] {
        isConnected || connectionCount == 0 ? [] : routes.filter { !$0.isBonded && !$0.isTrusted && !$0.isBlocked }
    }

    // MARK: The choice of the adapter

    /// Sets the adapters that can be used.
    func adaptersChanged(_ open: Set<String>) {
        route.setOpenAdapters(open)
        chooseRoute()
    }

    /// Keeps the route until `releaseRoute`, so that the peripheral can be connected.
    ///
    /// If the adapter of the route has no free slot, another adapter may be chosen first.
    func holdRoute(avoiding full: Set<String>) {
        chooseRoute()
        route.hold()
        guard !isConnected, !isBonded, let other = route.alternative(avoiding: full) else { return }
        routeChanged(to: route.take(other))
    }

    func releaseRoute() {
        route.release()
        chooseRoute()
    }

    /// Notes that the peripheral could not be connected through the chosen adapter.
    func routeFailed() {
        route.failed()
    }

    /// Whether another adapter would be chosen if the present one failed now.
    var hasBetterRoute: Bool { !isConnected && route.hasBetter }

    /// Returns whether an adapter can be used for the peripheral and has seen it recently.
    func isSeen(by adapter: String) -> Bool {
        route.isSeen(by: adapter)
    }
}
