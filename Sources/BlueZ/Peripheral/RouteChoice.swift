import Bluetooth
import EventLoop
import System

/// The choice of the adapter through which a peripheral is connected, among the adapters that see the peripheral.
final class RouteChoice {
    /// The path of the peripheral's object at the chosen adapter; nil: there is no such object.
    private(set) var path: String?
    /// The path of the chosen adapter, also after the object is gone; nil: none was chosen yet.
    private(set) var adapterPath: String?
    /// Whether bluetoothd has the keys of a bond between the peripheral and the chosen adapter.
    private(set) var isBonded = false
    private(set) var isBlocked = false

    private var routes = Routes()
    /// The paths of the adapters that can be used.
    private var openAdapters: Set<String> = []
    /// Whether the route must not change, because the peripheral is being connected.
    private(set) var isHeld = false
    /// The paths of the adapters with which there was a bond according to the last report of bluetoothd.
    private var bondedAdapters: Set<String> = []
    private let loop: EventLoop

    init(loop: EventLoop) {
        self.loop = loop
    }

    var all: [Routes.Route] { routes.all }

    subscript(path: String) -> Routes.Route? { routes[path] }

    // MARK: Objects

    func add(_ path: String, through adapter: String) {
        routes.add(path, through: adapter)
    }

    func remove(_ path: String) {
        routes.remove(path)
    }

    func removeAll() {
        routes.removeAll()
    }

    /// Notes that the object of the chosen route is gone.
    func lost() {
        path = nil
    }

    /// Updates the route of an object with the properties that bluetoothd reports.
    ///
    /// - Parameters:
    ///   - path: The path of the object.
    ///   - properties: The properties.
    ///   - isSeen: Whether the properties come from an advertisement that has just arrived.
    func update(_ path: String, _ properties: DeviceProperties, isSeen: Bool) {
        routes.change(path) { route in
            if let blocked = properties.isBlocked { route.isBlocked = blocked }
            if let trusted = properties.isTrusted { route.isTrusted = trusted }
            if isSeen {
                route.lastSeen = loop.now
                if let rssi = properties.rssi { route.rssi = rssi }
            }
        }
    }

    /// Copies `isBonded` and `isBlocked` from the chosen route.
    func refresh() {
        guard let route = path.flatMap({ routes[$0] }) else { return }
        isBonded = route.isBonded
        isBlocked = route.isBlocked
    }

    // MARK: Bonds

    enum BondChange {
        case made
        case lost
    }

    /// Notes whether the peripheral is bonded with an adapter.
    ///
    /// - Parameters:
    ///   - isBonded: Whether the peripheral is bonded.
    ///   - path: The path of the peripheral's D-Bus object on the adapter.
    /// - Returns: The change of the bond; nil if the bond is unchanged.
    func noteBond(_ isBonded: Bool, at path: String) -> BondChange? {
        guard let adapter = routes[path]?.adapter else { return nil }
        routes.change(path) { $0.isBonded = isBonded }
        if isBonded { return bondedAdapters.insert(adapter).inserted ? .made : nil }
        return bondedAdapters.remove(adapter) != nil ? .lost : nil
    }

    /// Whether there was a bond with any adapter according to the last report; nil: bluetoothd has no object that shows it.
    var hasBond: Bool? { !bondedAdapters.isEmpty ? true : path == nil ? nil : false }

    /// Notes that the gateway removes the bond.
    func bondEnds() {
        isBonded = false
        for route in routes.all { routes.change(route.path) { $0.isBonded = false } }
        bondedAdapters = []
    }

    /// Notes that an adapter was removed.
    ///
    /// The keys of a bond with this adapter are lost.
    func adapterRemoved(_ adapter: String) {
        bondedAdapters.remove(adapter)
    }

    // MARK: The choice

    func setOpenAdapters(_ open: Set<String>) {
        openAdapters = open
    }

    /// Chooses the best route, unless the present route must not change.
    ///
    /// - Returns: The new route; nil if the route is unchanged.
    func choose(isConnected: Bool) -> Routes.Route? {
        guard !isConnected, !isHeld,
            let best = routes.best(instead: path, at: loop.now, isOpen: openAdapters.contains)
        else { return nil }
        return take(best)
    }

    /// Changes to a route.
    ///
    /// - Returns: The new route; nil if the route is unchanged.
    func take(_ route: Routes.Route) -> Routes.Route? {
        guard route.path != path else { return nil }
        path = route.path
        adapterPath = route.adapter
        isBonded = route.isBonded
        isBlocked = route.isBlocked
        return route
    }

    /// Keeps the present route until `release`.
    func hold() {
        isHeld = true
    }

    func release() {
        isHeld = false
    }

    /// Returns the route of another adapter with a free slot if the chosen adapter has none; nil otherwise.
    func alternative(avoiding full: Set<String>) -> Routes.Route? {
        guard let adapterPath, full.contains(adapterPath) else { return nil }
        let other = routes.best(instead: nil, at: loop.now) { openAdapters.contains($0) && !full.contains($0) }
        // An adapter that does not see the peripheral is useless, even with free slots. If all adapters are full, the
        // peripheral waits for the best adapter.
        guard let other, isSeen(by: other.adapter), !full.contains(other.adapter) else { return nil }
        return other
    }

    /// Notes that the peripheral could not be connected through the chosen adapter.
    func failed() {
        if let path { routes.change(path) { $0.failures += 1 } }
    }

    /// Notes a successful connect, and resets the number of failures.
    func succeeded() {
        for route in routes.all { routes.change(route.path) { $0.failures = 0 } }
    }

    /// Whether another adapter would be chosen if the present one failed now.
    var hasBetter: Bool {
        guard let path else { return false }
        return routes.isBetterElsewhere(than: path, at: loop.now, isOpen: openAdapters.contains)
    }

    /// Returns whether an adapter can be used for the peripheral and has seen it recently.
    func isSeen(by adapter: String) -> Bool {
        openAdapters.contains(adapter) && routes.all.contains { $0.adapter == adapter && isFresh($0) }
    }

    private func isFresh(_ route: Routes.Route) -> Bool {
        route.lastSeen.map { loop.now - $0 < Routes.freshness } ?? false
    }
}
