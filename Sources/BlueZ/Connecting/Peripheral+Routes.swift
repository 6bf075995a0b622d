internal import Bluetooth
internal import DBus
internal import EventLoop

/// Which of the adapters that hear the peripheral it is connected through.
extension Peripheral {
    /// An adapter hears or knows it.
    func appeared(at path: String, of adapter: Adapter, _ connection: Connection) {
        self.connection = connection
        bluetoothd = adapter.bluetoothd
        routes.add(path, through: adapter.path)
        if self.path == nil, !holdsRoute { chooseRoute() }
    }

    /// An adapter does not know it any more.
    func disappeared(from path: String) {
        routes.remove(path)
        guard path == self.path else { return }
        routeLost()
        chooseRoute()
    }

    /// Takes note of what an adapter tells, and changes over to it where that is better.
    func noteRoute(_ path: String, _ properties: [String: Variant], _ advertisement: Advertisement?) {
        routes.change(path) { route in
            if let blocked = properties["Blocked"]?.boolean { route.isBlocked = blocked }
            if let trusted = properties["Trusted"]?.boolean { route.isTrusted = trusted }
            if let advertisement {
                route.lastHeard = loop.now
                if let rssi = advertisement.rssi { route.rssi = rssi }
            }
        }
        // Bonded is there since 5.65; before, what was paired was bonded as a rule.
        if let isBonded = (properties["Bonded"] ?? properties["Paired"])?.boolean { noteBond(isBonded, at: path) }
        if properties["Connected"]?.boolean == true, !isConnected, let route = routes[path] {
            // Whoever has made the link: it is up.
            take(route)
        } else {
            chooseRoute()
        }
        if holdsRoute, advertisement != nil, path != self.path, let other = routes[path] {
            otherRouteHandler?(other.adapter)
        }
        guard let route = self.path.flatMap({ routes[$0] }) else { return }
        isBonded = route.isBonded
        isBlocked = route.isBlocked
    }

    private func noteBond(_ isBonded: Bool, at path: String) {
        guard let adapter = routes[path]?.adapter else { return }
        routes.change(path) { $0.isBonded = isBonded }
        if isBonded {
            if bondedAdapters.insert(adapter).inserted { emit(.bonded) }
        } else if bondedAdapters.remove(adapter) != nil {
            emit(.bondLost)
        }
    }

    /// The adapter has gone, and the keys with it.
    func adapterGone(_ adapter: String) {
        bondedAdapters.remove(adapter)
    }

    /// These adapters can be used now.
    func adaptersChanged(_ open: Set<String>) {
        openAdapters = open
        chooseRoute()
    }

    // MARK: The choice

    /// Stays with one route from now on, to connect: with another than the best one where that has no connection left.
    func holdRoute(avoiding full: Set<String>) {
        chooseRoute()
        holdsRoute = true
        guard !isConnected, !isBonded, let adapterPath, full.contains(adapterPath) else { return }
        let other = routes.best(instead: nil, at: loop.now) { openAdapters.contains($0) && !full.contains($0) }
        // One that does not hear it is of no use, be it ever so free; where all are full, the best one is waited for.
        if let other, isHeard(by: other.adapter), !full.contains(other.adapter) { take(other) }
    }

    /// It could not be connected through the adapter.
    func routeFailed() {
        if let path { routes.change(path) { $0.failures += 1 } }
    }

    /// A link has been made.
    func routeHolds() {
        for route in routes.all { routes.change(route.path) { $0.failures = 0 } }
    }

    /// Whether another adapter would have to try, if this one has no success.
    var isBetterElsewhere: Bool {
        guard let path, !isConnected else { return false }
        return routes.isBetterElsewhere(than: path, at: loop.now, isOpen: openAdapters.contains)
    }

    /// Whether an adapter can be used for it and has heard it lately.
    func isHeard(by adapter: String) -> Bool {
        openAdapters.contains(adapter) && routes.all.contains { $0.adapter == adapter && isFresh($0) }
    }

    private func isFresh(_ route: Routes.Route) -> Bool {
        route.lastHeard.map { loop.now - $0 < Routes.freshness } ?? false
    }

    func releaseRoute() {
        holdsRoute = false
        chooseRoute()
    }

    private func chooseRoute() {
        guard !isConnected, !holdsRoute else { return }
        guard let best = routes.best(instead: path, at: loop.now, isOpen: openAdapters.contains) else { return }
        if best.path != path { take(best) }
    }

    private func take(_ route: Routes.Route) {
        guard route.path != path else { return }
        path = route.path
        adapterPath = route.adapter
        rssi = route.rssi ?? rssi
        isBonded = route.isBonded
        isBlocked = route.isBlocked
        areServicesResolved = false
        batteryLevel = nil
        tree = GATTTree()
    }
}
