package import Bluetooth
internal import DBus
package import EventLoop

/// A remote device: its link, its services, its values.
///
/// The counterpart of Core Bluetooth's `CBPeripheral`. There is one for each address; it outlives links, adapters and
/// bluetoothd itself. Operations go one at a time, in the order of the calls.
@safe package actor Peripheral: LoopBound {
    package nonisolated let unownedExecutor: UnownedSerialExecutor
    package nonisolated let loop: EventLoop
    package nonisolated let address: Address

    /// bluetoothd's object for it, while there is one.
    var path: String?
    var adapterPath: String?
    var connection: Connection?
    var isBlocked = false
    /// Which kind of Bluetooth is tried first with one that speaks both; nil: it does not, or bluetoothd does not tell.
    var preferredBearer: String?
    /// All ways to it, of which the one that `path` and `adapterPath` name is taken.
    var routes = Routes()
    /// The adapters that can be used, by path.
    var openAdapters: Set<String> = []
    /// Whether the route must stay as it is: it is being connected.
    var holdsRoute = false
    /// The adapters on which there was a bond when bluetoothd told last.
    var bondedAdapters: Set<String> = []
    private var kind = AddressKind.public
    /// Whether it will have another address soon: a private one, which nobody can tell whose it is.
    var isFleeting: Bool { kind == .random && address.value >> 46 != 0b11 && !isBonded }
    /// Whether both sides know each other's keys.
    package internal(set) var isBonded = false
    /// Its identity address, where that turned out to be another one than the one it is known by.
    package internal(set) var identity: Address?
    /// What the agent could do when the link was asked for; nil: there was none, or it was not asked for here.
    var linkCapability: AgentCapability?
    /// How often its link has come up.
    var linkCount = 0
    /// How often in a row it has come up and gone down again before it was of use.
    var fruitlessLinks = 0

    /// Whether the link is up.
    package internal(set) var isConnected = false
    var areServicesResolved = false
    /// The name it gave last, over the air or by GAP.
    package internal(set) var name: String?
    /// The last strength that was heard, in dBm; bluetoothd tells none of a link that is up.
    package internal(set) var rssi: Int?
    /// When it was heard last.
    package internal(set) var lastHeard: Instant?

    private var eventHandler: ((PeripheralEvent) -> Void)?
    private var valueHandler: ((Span<UInt8>, Characteristic) -> Void)?
    private var linkHandler: ((_ isUp: Bool, _ adapter: String?) -> Void)?
    private(set) var otherRouteHandler: ((_ adapter: String) -> Void)?
    private var conditions: [Int: Condition] = [:]
    private var conditionCount = 0
    private var operations = OperationQueue()
    /// Counts up when the operations of a link are given up.
    private(set) var operationEpoch = 0
    var pacer = WritePacer()

    /// Whether it has a battery service, and what bluetoothd says of the level.
    var offersBattery = false
    var batteryLevel: UInt8?
    /// What bluetoothd has told of its services.
    var tree = GATTTree()
    /// When its services changed in the middle of a link, until they are looked up again.
    var lastServiceChange: Instant?
    /// What was discovered, by the path of its object.
    var characteristics = PathTable<Characteristic>()
    /// What is subscribed to, by the path of its object.
    var subscriptions = PathTable<Subscription>()
    let notificationPath: NotificationPath
    /// Which bluetoothd knows it; nil: it does not tell.
    var bluetoothd: BluetoothdVersion?
    /// Whether bluetoothd says why a link has gone, just after it has.
    package var explainsDisconnects: Bool { bluetoothd?.explainsDisconnects ?? false }
    /// The value signals that came while a read of the same characteristic was under way.
    var heldValues: [String: HeldValues] = [:]
    /// What was notified before the services were looked up on this link.
    var earlyValues: [EarlyValue] = []

    struct EarlyValue {
        let path: String
        let value: [UInt8]
        let received: Instant
    }

    init(address: Address, notifications: NotificationPath, loop: EventLoop) {
        self.address = address
        notificationPath = notifications
        self.loop = loop
        unsafe unownedExecutor = loop.asUnownedSerialExecutor()
    }

    /// Calls `handler`, on the loop, with whatever happens to the peripheral from now on.
    package func onEvent(_ handler: @escaping @Sendable (PeripheralEvent) -> Void) {
        eventHandler = handler
    }

    /// Calls `handler`, on the loop, whenever another adapter hears it than the one that is to connect it.
    func onOtherRoute(_ handler: @escaping @Sendable (_ adapter: String) -> Void) {
        otherRouteHandler = handler
    }

    /// Calls `handler`, on the loop, with each value that arrives without having been asked for; the bytes are to be
    /// copied by who wants to keep them.
    package func onValue(_ handler: @escaping @Sendable (Span<UInt8>, Characteristic) -> Void) {
        valueHandler = handler
    }

    /// Calls `handler`, on the loop, whenever the link has come up or gone down.
    func onLinkChange(_ handler: @escaping @Sendable (_ isUp: Bool, _ adapter: String?) -> Void) {
        linkHandler = handler
    }

    /// The adapter that hears or holds it, by bluetoothd's name.
    package var adapterName: String? {
        adapterPath?.split(separator: "/").last.map(String.init)
    }

    /// Whether to connect is worth a try without hearing it once more: its link is up, or bluetoothd knows it and it was
    /// heard lately.
    package func isReachable(within freshness: Duration) -> Bool {
        guard path != nil else { return false }
        if isConnected { return true }
        return lastHeard.map { loop.now - $0 < freshness } ?? false
    }

    nonisolated var object: String { address.description }

    func emit(_ event: PeripheralEvent) {
        eventHandler?(event)
    }

    func tell(_ value: Span<UInt8>, of characteristic: Characteristic) {
        valueHandler?(value, characteristic)
    }

    // MARK: What bluetoothd says

    /// Nobody can reach it any more.
    func disappeared() {
        routes.removeAll()
        routeLost()
    }

    /// There is nothing any more where it was reached.
    func routeLost() {
        path = nil
        batteryLevel = nil
        tree = GATTTree()
        update(connected: false, resolved: false)
        settle()
    }

    /// Takes in properties of `Device1`, of which some are missing as often as not.
    ///
    /// - Parameters:
    ///   - path: the object that has them: each adapter that hears the peripheral has one of its own.
    ///   - isSnapshot: whether they are all that there are, and not just those that have changed.
    func update(_ properties: [String: Variant], at path: String, isSnapshot: Bool = false) {
        // bluetoothd keeps what it heard once; of that only the strength is taken back when a scan ends.
        let isHeard = !isSnapshot || properties["RSSI"] != nil
        let advertisement = isHeard ? Advertisement(properties) : nil
        if let name = properties["Name"]?.text { self.name = name }
        if let bearer = properties["PreferredBearer"]?.text { preferredBearer = bearer }
        noteServices(properties)
        if let kind = properties["AddressType"]?.text.flatMap(AddressKind.init) { self.kind = kind }
        noteRoute(path, properties, advertisement)
        // What was heard by another adapter is heard twice, as a rule.
        guard path == self.path else { return }
        update(connected: properties["Connected"]?.boolean, resolved: properties["ServicesResolved"]?.boolean)
        // What waits for it looks at all of it.
        defer { settle() }
        if let advertisement {
            if let rssi = advertisement.rssi { self.rssi = rssi }
            lastHeard = loop.now
            emit(.advertised(advertisement))
        }
    }

    private func update(connected: Bool?, resolved: Bool?) {
        if let resolved, resolved != areServicesResolved {
            areServicesResolved = resolved
            // For the second time on the same link: there may be other ones now.
            if resolved { servicesChanged() }
        }
        guard let connected, connected != isConnected else { return }
        isConnected = connected
        if connected { linkCount += 1 }
        linkHandler?(connected, adapterPath)
        guard !connected else { return emit(.connected) }
        linkCapability = nil
        areServicesResolved = false
        lastServiceChange = nil
        forgetServices()
        failOperations(with: CentralError(.peripheralDisconnected, object, "the link went down"))
        emit(.disconnected)
    }

    func forgetServices() {
        releaseHeldValues()
        characteristics = PathTable()
        for subscription in subscriptions.values { subscription.close() }
        subscriptions = PathTable()
        earlyValues = []
    }

    // MARK: Waiting

    private struct Condition {
        let holds: (isolated Peripheral) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
        let timer: Timer
    }

    /// Waits until `condition` holds; false if that takes longer than `limit`.
    func wait(for limit: Duration, until condition: @escaping @Sendable (isolated Peripheral) -> Bool) async -> Bool {
        if condition(self) { return true }
        conditionCount += 1
        let key = conditionCount
        return await withCheckedContinuation { continuation in
            let timer = loop.schedule(after: limit) { [self] in
                conditions[key] = nil
                continuation.resume(returning: false)
            }
            conditions[key] = Condition(holds: condition, continuation: continuation, timer: timer)
        }
    }

    /// Looks at what is waited for: something may hold now.
    func settle() {
        for (key, condition) in conditions where condition.holds(self) {
            conditions[key] = nil
            condition.timer.cancel()
            condition.continuation.resume(returning: true)
        }
    }

    // MARK: Operations

    /// Gives up the operations that are under way or wait: nobody wants to know any more.
    package func cancelOperations() {
        failOperations(with: CentralError(.cancelled, object, "given up"))
    }

    func failOperations(with error: CentralError) {
        operationEpoch += 1
        operations.failAll(with: error)
        pacer.giveUp(at: loop.now)
    }

    /// Calls a method of one of the peripheral's objects when its turn has come.
    ///
    /// The Attribute Protocol gives a peripheral 30 s (Core Specification, Vol 3, Part F, 3.3.3): with less patience than
    /// that the true error would never be seen.
    ///
    /// - Parameter remark: what is to be said of the link's loss besides.
    /// - Throws: `CentralError`; also when the link goes down before the answer is there (bluetoothd may then never
    ///   answer).
    func perform(
        _ member: String, on interface: String, at path: String, _ arguments: [Variant] = [], of object: String,
        doing what: String, ifLost remark: String = "", from start: Instant? = nil,
        within limit: Duration = .seconds(35)
    ) async throws(CentralError) -> [Variant] {
        guard let connection, isConnected else {
            throw CentralError(.peripheralDisconnected, object, "\(what): not connected")
        }
        let epoch = operationEpoch
        let reply: Result<[Variant], CentralError> = await operations.run(loop) { [loop] in
            if let start, start > loop.now { await loop.sleep(for: start - loop.now) }
            var attempts = 20
            // What was given up does not go out later, and what was meant for one link not on the next.
            while await self.operationEpoch == epoch {
                do throws(DBusError) {
                    let call = try Message(call: member, on: interface, at: path, of: BlueZName.service, arguments)
                    return .success(try await connection.call(call, timeout: limit).arguments)
                } catch {
                    // Another program is at the same characteristic, for a moment.
                    attempts -= 1
                    guard error.name == "org.bluez.Error.InProgress", attempts > 0 else {
                        if error.message == "Operation failed" { await self.awaitEnd(since: epoch) }
                        return .failure(CentralError(error, object, doing: what))
                    }
                }
                await loop.sleep(for: .milliseconds(50))
            }
            return .failure(CentralError(.cancelled, object, "\(what): given up"))
        }
        guard case .failure(let error) = reply, error.code == .peripheralDisconnected else { return try reply.get() }
        if operationEpoch == epoch { try await confirmEnd(of: object, doing: what) }
        throw CentralError(.peripheralDisconnected, object, "\(what): the link was lost meanwhile\(remark)")
    }

    /// What fails without an error of the Attribute Protocol fails with the link, of whose end bluetoothd tells just after
    /// it: that gives up all operations, this one too.
    private func awaitEnd(since epoch: Int) async {
        _ = await wait(for: .seconds(1)) { $0.operationEpoch != epoch }
    }

    /// bluetoothd has no link that is of use, which it may find before it tells; or never, while it is connected by
    /// Bluetooth Classic.
    private func confirmEnd(of object: String, doing what: String) async throws(CentralError) {
        let epoch = operationEpoch
        let hasEnded = await wait(for: .seconds(2)) { $0.operationEpoch != epoch }
        guard !hasEnded, operationEpoch == epoch else { return }
        throw CentralError(.linkUnusable, object, "\(what): connected, but not for attributes: by Bluetooth Classic?")
    }
}
