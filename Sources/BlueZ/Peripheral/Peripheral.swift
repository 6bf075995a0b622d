package import Bluetooth
import DBus
package import EventLoop
package import System

/// A Bluetooth LE device with its connection, its services and its values.
///
/// The counterpart of Core Bluetooth's `CBPeripheral`. There is one object per address. It stays in use when
/// connections end, adapters are removed and bluetoothd restarts. Operations run one at a time, in the order of the
/// calls.
@safe package actor Peripheral: LoopBound {
    package nonisolated let unownedExecutor: UnownedSerialExecutor
    package nonisolated let loop: EventLoop
    package nonisolated let address: Address

    let route: RouteChoice
    let attributes = AttributeCache()
    let operations: OperationQueue
    let notificationPath: NotificationPath
    private(set) var inbox = ValueInbox()
    private var facts = PeripheralFacts()
    private var record = ConnectionRecord()
    private(set) var connection: Connection?
    /// The version of bluetoothd; nil: not reported.
    private(set) var bluetoothd: BluetoothdVersion?
    private var conditions = ConditionList()

    private var eventHandler: ((PeripheralEvent) -> Void)?
    private var valueHandler: ((Span<UInt8>, Characteristic, Instant?) -> Void)?
    private var connectionHandler: ((_ isConnected: Bool, _ adapter: String?) -> Void)?
    private var otherRouteHandler: ((_ adapter: String) -> Void)?

    init(address: Address, notifications: NotificationPath, loop: EventLoop) {
        self.address = address
        notificationPath = notifications
        self.loop = loop
        route = RouteChoice(loop: loop)
        operations = OperationQueue(loop: loop)
        unsafe unownedExecutor = loop.asUnownedSerialExecutor()
    }

    // MARK: Handlers

    /// Calls `handler` on the loop with each event from now on.
    package func onEvent(_ handler: @escaping @Sendable (PeripheralEvent) -> Void) {
        eventHandler = handler
    }

    /// Calls `handler` on the loop with each notified or indicated value; the bytes are valid only during the call.
    package func onValue(_ handler: @escaping @Sendable (Span<UInt8>, Characteristic, Instant?) -> Void) {
        valueHandler = handler
    }

    /// Calls `handler` on the loop whenever an adapter sees the peripheral while another adapter connects it.
    func onOtherRoute(_ handler: @escaping @Sendable (_ adapter: String) -> Void) {
        otherRouteHandler = handler
    }

    /// Calls `handler` on the loop whenever the peripheral has connected or disconnected.
    func onConnectionChange(_ handler: @escaping @Sendable (_ isConnected: Bool, _ adapter: String?) -> Void) {
        connectionHandler = handler
    }

    func emit(_ event: PeripheralEvent) {
        eventHandler?(event)
    }

    // MARK: State

    package var isConnected: Bool { record.isConnected }
    /// The name that the peripheral last advertised or reported by GAP.
    package var name: String? { facts.name }
    /// The last signal strength in dBm; bluetoothd does not report it during a connection.
    ///
    /// Nil: not known.
    package var rssi: Int? { facts.rssi }
    /// When an advertisement of the peripheral was last received; nil: never.
    package var lastSeen: Instant? { facts.lastSeen }
    /// The identity address, if it differs from `address`; nil otherwise.
    package var identity: Address? { facts.identity }
    /// Whether bluetoothd reports why a connection has ended, just after its end.
    package var reportsDisconnectReasons: Bool { bluetoothd?.reportsDisconnectReasons ?? false }

    nonisolated var object: String { address.description }
    var preferredBearer: String? { facts.preferredBearer }
    var areServicesResolved: Bool { record.areServicesResolved }
    /// The number of connections so far.
    var connectionCount: Int { record.count }
    var agentCapability: AgentCapability? { record.agentCapability }
    /// Whether the address is private and there is no bond: after the next change of the address, bluetoothd cannot
    /// recognize the peripheral.
    var hasPrivateAddress: Bool { address.isPrivate(facts.addressKind) && !isBonded }

    // MARK: Reports of bluetoothd

    /// Notes that bluetoothd has created a D-Bus object for the peripheral on an adapter.
    func appeared(at path: String, of adapter: Adapter, _ connection: Connection) {
        self.connection = connection
        bluetoothd = adapter.bluetoothd
        route.add(path, through: adapter.path)
        if self.path == nil { chooseRoute() }
    }

    /// Notes that bluetoothd has removed one of the D-Bus objects of the peripheral.
    func disappeared(from path: String) {
        route.remove(path)
        guard path == self.path else { return }
        routeLost()
        chooseRoute()
    }

    /// Notes that bluetoothd or the bus is gone, and with it all D-Bus objects of the peripheral.
    ///
    /// - Returns: Whether the peripheral was connected.
    func serviceEnded() -> Bool {
        let wasConnected = isConnected
        if wasConnected { emit(.serviceEnded) }
        route.removeAll()
        routeLost()
        return wasConnected
    }

    /// Notes that an adapter was removed.
    ///
    /// The keys of a bond with this adapter are lost.
    func adapterRemoved(_ adapter: String) {
        route.adapterRemoved(adapter)
    }

    private func routeLost() {
        route.lost()
        attributes.removeObjects()
        update(connected: false, resolved: false)
        checkConditions()
    }

    /// Applies properties of the device.
    ///
    /// - Parameters:
    ///   - properties: The properties.
    ///   - path: The path of the D-Bus object; there is one object for each adapter that sees the peripheral.
    ///   - isSnapshot: Whether `properties` contains all properties, and not only changed properties.
    func update(_ properties: DeviceProperties, at path: String, isSnapshot: Bool = false) {
        // bluetoothd keeps properties of old advertisements; when a scan ends, it removes only the strength.
        let isSeen = properties.areOfAdvertisement && (!isSnapshot || properties.hasRSSI)
        attributes.noteServices(properties.services)
        facts.update(properties)
        updateRoute(path, properties, isSeen: isSeen)
        // Usually each adapter receives the same advertisement: only the chosen adapter's advertisement is reported.
        guard path == self.path else { return }
        update(connected: properties.isConnected, resolved: properties.areServicesResolved)
        // The conditions are checked after all changes.
        defer { checkConditions() }
        if isSeen {
            facts.seen(properties.rssi, at: loop.now)
            emit(.advertised)
        }
    }

    private func updateRoute(_ path: String, _ properties: DeviceProperties, isSeen: Bool) {
        route.update(path, properties, isSeen: isSeen)
        if let isBonded = properties.isBonded {
            switch route.noteBond(isBonded, at: path) {
            case .made: emit(.bonded)
            case .lost: emit(.bondLost)
            case nil: break
            }
        }
        if properties.isConnected == true, !isConnected, let connected = route[path] {
            // The connection exists, possibly made by another program.
            routeChanged(to: route.take(connected))
        } else {
            chooseRoute()
        }
        if route.isHeld, isSeen, path != self.path, let other = route[path] {
            otherRouteHandler?(other.adapter)
        }
        route.refresh()
    }

    private func update(connected: Bool?, resolved: Bool?) {
        if let resolved, resolved != areServicesResolved {
            record.setResolved(resolved)
            // If the services are resolved for a second time during the connection, they may have changed.
            if resolved { servicesChanged() }
        }
        guard let connected, connected != isConnected else { return }
        if connected { record.connected() } else { record.disconnected() }
        connectionHandler?(connected, adapterPath)
        guard !connected else { return emit(.connected) }
        record.reset()
        attributes.clearChange()
        forgetServices()
        operations.failAll(with: CentralError(.peripheralDisconnected, object, "the connection is down"))
        emit(.disconnected)
    }

    /// Reports the held values, and drops the discovered services and the subscriptions.
    func forgetServices() {
        for held in inbox.takeHeld() {
            for value in held.values { deliver(value, of: held.characteristic) }
        }
        attributes.removeDiscovered()
        inbox.removeAll()
    }

    /// Chooses the best adapter, unless the peripheral is connected or the route is held.
    func chooseRoute() {
        routeChanged(to: route.choose(isConnected: isConnected))
    }

    /// Applies a change of the route; nil: the route is unchanged.
    func routeChanged(to route: Routes.Route?) {
        guard let route else { return }
        facts.routeChanged(route.rssi)
        record.setResolved(false)
        attributes.removeObjects()
    }

    // MARK: Connections and bonds

    /// Notes that a connection is requested while the agent has this capability.
    func connectionBegins(with capability: AgentCapability?) {
        record.begins(with: capability)
    }

    /// Notes a successful connect.
    func connectionSucceeded() {
        record.succeeded()
        route.succeeded()
    }

    /// Returns the error of a failed connect, or `bondLost` if repeated failures show that the peripheral has lost the
    /// keys.
    func diagnose(_ error: CentralError, connectionsBefore: Int) -> CentralError {
        record.showsBondLoss(error, connectionsBefore: connectionsBefore, isBonded: isBonded)
            ? CentralError(.bondLost, object, "connect: \(CentralError.bondLossAdvice)") : error
    }

    /// Notes that the gateway removes the bond.
    func bondEnds() {
        route.bondEnds()
        record.succeeded()
    }

    /// Sets the identity address, and reports it.
    func identified(as address: Address) {
        facts.identified(as: address)
        emit(.identified(address))
    }

    // MARK: State of an earlier run

    /// Restores the data of an earlier run.
    func restore(_ known: KnownPeripheral) {
        facts.restore(known, at: loop.now, loop.timestamp)
    }

    // MARK: Waiting

    /// Waits until `condition` is true.
    ///
    /// - Returns: Whether the condition was true within `limit`.
    func wait(for limit: Duration, until condition: @escaping @Sendable (isolated Peripheral) -> Bool) async -> Bool {
        if condition(self) { return true }
        let key = conditions.nextKey()
        return await withCheckedContinuation { continuation in
            let timer = loop.schedule(after: limit) { [self] in
                assumeIsolated { $0.conditions.expire(key) }
            }
            conditions.add(key, condition, continuation, timer)
        }
    }

    /// Ends the waits whose conditions are true; must be called after each change of the state.
    func checkConditions() {
        conditions.check(self)
    }

    // MARK: Values

    /// Handles changed properties of one of the peripheral's attributes; only values of characteristics are used.
    func attributeChanged(_ message: Message, at path: Span<UInt8>) {
        var arguments = message.reader
        guard arguments.isText(BlueZName.gattCharacteristic) else { return }
        arguments.skip()
        var properties = arguments.contents()
        while !properties.isAtEnd {
            var property = properties.contents()
            if property.isText("Value") {
                property.skip()
                var value = property.contents()
                value.withBytes { valueChanged($0, at: path) }
                return
            }
            properties.skip()
        }
    }

    private func valueChanged(_ value: Span<UInt8>, at path: Span<UInt8>) {
        let subscription = inbox.subscriptions[path]
        // With a socket, notified values arrive through the socket; signals then contain only values that were read.
        guard subscription?.socket == nil else { return }
        if inbox.isHolding, let held = inbox.heldPath(path) {
            let arrived = ArrivedValue(bytes: [UInt8](value), arrival: loop.now)
            guard let notified = inbox.hold(arrived, at: held), let subscription else { return }
            report(notified.bytes.span, of: subscription.characteristic, notified.arrival)
        } else if let subscription {
            report(value, of: subscription.characteristic)
        } else if isConnected {
            // The value may be an early notification. (Reads of other programs and of bluetoothd itself also cause
            // signals.)
            inbox.keepEarly(value, at: path, loop.now)
        }
    }

    /// Calls the value handler with a value of a characteristic.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - characteristic: The characteristic.
    ///   - arrival: When the value arrived; nil: just now.
    func report(_ value: Span<UInt8>, of characteristic: Characteristic, _ arrival: Instant? = nil) {
        valueHandler?(value, characteristic, arrival)
    }

    /// Reports a value that was held or stored, if the characteristic has a subscription.
    func deliver(_ value: ArrivedValue, of characteristic: Characteristic) {
        guard inbox.subscriptions[characteristic.path] != nil else { return }
        report(value.bytes.span, of: characteristic, value.arrival)
    }

    /// Stores a subscription, and reports the values that were notified before.
    ///
    /// After a reconnection, bluetoothd renews the earlier subscriptions before it reports the services as resolved. By
    /// then, a door sensor that notifies its state at once has already sent the notification. These values are reported
    /// before the newer ones that arrive while bluetoothd handles StartNotify.
    func addSubscription(_ subscription: Subscription) {
        inbox.subscribe(subscription)
        let characteristic = subscription.characteristic
        for value in inbox.takeEarly(of: characteristic.path, at: loop.now) { deliver(value, of: characteristic) }
    }

    func removeSubscription(of characteristic: Characteristic) -> Subscription? {
        inbox.unsubscribe(characteristic.path)
    }

    // MARK: Reads

    func beginRead(of characteristic: Characteristic) {
        inbox.beginRead(of: characteristic.path)
    }

    func dropEcho(of value: [UInt8], _ characteristic: Characteristic) {
        inbox.dropEcho(of: value, at: characteristic.path)
    }

    /// Reports the values that were notified during a read.
    func endRead(of characteristic: Characteristic) {
        for value in inbox.endRead(of: characteristic.path) { deliver(value, of: characteristic) }
    }
}
