internal import BlueZ
internal import Bluetooth
internal import Codec
internal import Configuration
internal import EventLoop
internal import JSON
internal import Log
internal import MQTT

/// One configured device: owns the connection to its peripheral, publishes its readings, carries out its commands.
@safe actor Device: LoopBound {
    nonisolated let unownedExecutor: UnownedSerialExecutor

    // What each value touches, side by side, since memory comes to the processor by the line (measured: README).
    nonisolated let loop: EventLoop
    let channels: [Channel]
    var publishedAvailability: Availability?
    var identity = DeviceIdentity()
    var history = DeviceHistory()
    var session: Session

    nonisolated let configuration: Configuration.Device
    let central: Central
    private(set) var outlet: Outlet
    let log: Log

    var peripheral: Peripheral?
    let plan: SessionPlan
    var presence = Presence()
    /// Tells what the device has said of itself, once it has said it all.
    var identityTimer: Timer?
    /// Whom that concerns.
    private(set) var identityChanged: () -> Void = {}
    /// Reads its advertisements; nil where nobody wants to know.
    var listener: AdvertisementListener?
    /// What they tell, and where that goes.
    var advertised: [(quantity: AdvertisedQuantity, publication: Publication)] = []
    /// What they tell beside that, and nobody hears of.
    var leftOut: Set<String> = []
    /// Whom new quantities concern.
    private(set) var quantitiesChanged: () -> Void = {}
    var timers: [SessionTimer: Timer] = [:]
    /// Tells the outcome of an earlier link's operations from those of the present one.
    var generation = 0
    /// Why the link has to wait for others, while it has to.
    var slotReason: String?
    private var priority = ConnectionPriority.background
    /// That the link is there was told.
    private var isLinkAnnounced = false
    /// Tells that it has gone, though nobody has said why.
    private var farewell: Timer?

    // Commands
    var waiting: [PendingCommand] = []
    var serving: PendingCommand?
    /// How often a command was begun to be served: one that was put off is served more than once.
    var servingCount = 0
    /// What is being served is to be served once more on the next link.
    var isToBeRepeated = false
    var commandCount = 0
    /// Requests to disconnect whose link is still up.
    var leavers: [PendingCommand] = []
    /// When the pause ends that was requested last.
    var pauseEnd: Timestamp?
    /// What a collecting session has got so far, for those who asked for it.
    var collected: [String: ReceivedReading] = [:]
    var collectors: [PendingCommand] = []

    // Its bond
    /// What the device asks during a pairing, and nobody has answered.
    var question: PairingQuestion?
    /// The link was ended to pair on another one.
    var hasRelinked = false
    /// That it wants a bond was told.
    var isBondRequirementTold = false

    // What was published last, so that nothing is published twice.
    var publishedConnection: ConnectionStatus?
    /// Since when that is so.
    var connectionTime: Timestamp
    /// Judges the availability anew.
    var judgementTimer: Timer?

    /// How many commands may wait for one device.
    static let capacity = 32

    private var stopped: [CheckedContinuation<Void, Never>] = []

    /// - Throws: `TopicError` when the device's name cannot be part of a topic.
    init(
        _ configuration: Configuration.Device, central: Central, outlet: Outlet, loop: EventLoop
    ) throws(TopicError) {
        self.configuration = configuration
        self.central = central
        self.outlet = outlet
        self.loop = loop
        log = Log(configuration.name)
        connectionTime = loop.timestamp
        plan = SessionPlan(configuration)
        session = Session(plan)
        var channels: [Channel] = []
        for characteristic in configuration.characteristics {
            let publication = try Publication(
                characteristic.name, of: configuration.name, isRetained: characteristic.retain, qos: characteristic.qos,
                characteristic.publish, outlet, loop: loop)
            channels.append(Channel(characteristic, publication))
        }
        self.channels = channels
        unsafe unownedExecutor = loop.asUnownedSerialExecutor()
    }

    /// Takes up reading the advertisements of the device, if they are to be read.
    ///
    /// - Parameters:
    ///   - known: what they have been found to tell.
    ///   - body: is called when there is more.
    func listen(knowing known: [AdvertisedQuantity], onNews body: @escaping () -> Void) {
        guard configuration.listensToAdvertisements else { return }
        quantitiesChanged = body
        do throws(Complaint) {
            listener = AdvertisementListener(try configuration.advertisementDecoder())
        } catch {
            let reason = "its key cannot be read: \(error)"
            log.error(reason)
            outlet.announce(
                "advertisement_refused", device: name, ["reason": .string(reason)], at: loop.timestamp)
            listener = AdvertisementListener(
                AdvertisementDecoder(address: configuration.address, formats: configuration.advertisements))
        }
        let own = configuration.advertisements.flatMap { format in
            format.quantities.map { AdvertisedQuantity($0, of: format.name) }
        }
        for quantity in own + known where quantity.meaning(configuration.advertisements) != nil { know(quantity) }
    }

    nonisolated var name: String { configuration.name }
    /// The names of its characteristics.
    nonisolated var names: [String] { configuration.characteristics.map(\.name) }

    // MARK: Life

    /// Looks after the device from now on.
    func start(bluetoothIsOn: Bool) async {
        let peripheral = await central.peripheral(at: configuration.address)
        self.peripheral = peripheral
        await peripheral.onEvent { [weak self] event in
            self?.assumeIsolated { $0.happened(event) }
        }
        await peripheral.onValue { [weak self] bytes, characteristic in
            self?.isolated(bytes, characteristic) { $0.received($1, of: $2) }
        }
        expectBond()
        listener?.recall(heard: await peripheral.lastHeard)
        // Nothing is to be done or said before it starts.
        _ = session.handle(.bluetoothChanged(isOn: bluetoothIsOn))
        process(.started)
        publishInfo()
    }

    /// From now on `body` is called when the device has said something new of itself.
    func onIdentityChange(_ body: @escaping () -> Void) {
        identityChanged = body
    }

    /// Publishes by another outlet from now on; what is retained is told anew when that is connected.
    func move(to outlet: Outlet) {
        self.outlet = outlet
        do throws(TopicError) {
            for publication in publications { try publication.move(to: outlet, of: name) }
        } catch {
            preconditionFailure("the names of \(name) and of all prefixes were checked when they were read: \(error)")
        }
    }

    /// Ends the session with the device, and begins nothing more; returns when the link is down.
    ///
    /// - Parameter reason: why there is no more to come of the device.
    func stop(because reason: String) async {
        presence.farewell = reason
        giveUpCommands(.failed, reason)
        process(.stopped)
        if session.phase != .idle {
            await withCheckedContinuation { stopped.append($0) }
        }
        judgementTimer?.cancel()
        farewell?.cancel()
        onCentral { await $0.expectBond(with: $1, nil) }
        identityTimer?.cancel()
        for publication in publications { publication.stop() }
    }

    /// Bluetooth can be used, or no longer.
    func bluetoothChanged(isOn: Bool, reason: String) {
        if !isOn { giveUpCommands(.bluetoothOff, reason) }
        listener?.pause(at: loop.now)
        process(.bluetoothChanged(isOn: isOn))
    }

    private func happened(_ event: PeripheralEvent) {
        switch event {
        // One whose link another program has made is not heard.
        case .advertised, .connected: if session.phase == .seeking { process(.found) }
        case .subscriptionEnded(let characteristic):
            if let channel = channels.first(where: { $0.isOf(characteristic) }) {
                process(.subscribeFailed(channel.name, isFinal: false))
            }
        case .disconnected:
            forgetCharacteristics()
            linkLost()
        case .disconnectExplained(let cause): lossExplained(cause)
        case .waitingForSlot(let used):
            slotReason = "all \(used) connections of the adapter are in use"
            process(.waitingForSlot)
        case .slotGranted: process(.slotGranted)
        case .slotRecalled: process(.slotRecalled)
        case .identified(let address): identified(as: address)
        case .bonded:
            isBondRequirementTold = false
            if session.phase == .ready { process(.paired) }
        case .bondLost: bondLost("bluetoothd does not know it any more")
        case .servicesInvalidated:
            forgetCharacteristics()
            putOff()
            process(.servicesChanged)
        }
    }

    /// Says that the link is down before the search for the device begins again.
    private func linkLost() {
        if session.phase == .ready || session.phase == .discovering {
            publish(ConnectionStatus(state: .disconnected, reason: Session.loss))
        }
        process(.linkLost)
    }

    /// Where its readings go.
    var publications: [Publication] { channels.map(\.publication) + advertised.map(\.publication) }

    func forgetCharacteristics() {
        for channel in channels { channel.characteristic = nil }
    }

    /// Takes an event through the session, and does what comes of it.
    func process(_ event: SessionEvent) {
        let phase = session.phase
        let wasAsleep = session.isAsleep
        for action in session.handle(event) { perform(action) }
        if session.missing != nil, presence.firstCollecting == nil { presence.firstCollecting = loop.now }
        if phase == .ready || session.phase == .ready { presence.lastReady = loop.now }
        if wasAsleep || session.isAsleep { presence.lastAsleep = loop.now }
        if phase != .ready, session.phase == .ready {
            for channel in channels { channel.rhythm.resume(at: loop.now) }
        }
        history.note(event, from: phase, to: session.phase, at: loop.now)
        tellPriority()
        if case .connectFailed(let reason) = event, phase == .connecting { announceFailure(reason) }
        if phase != session.phase { announceLink(from: phase) }
        publishStatus()
        answerLeavers()
        if session.phase == .idle {
            for continuation in stopped { continuation.resume() }
            stopped = []
        }
    }

    /// The adapter's connections go to those that need them most.
    private func tellPriority() {
        guard session.priority != priority else { return }
        priority = session.priority
        onCentral { [priority] in await $0.setPriority(priority, of: $1) }
    }

    /// Tells the first of several failures: the others are counted.
    private func announceFailure(_ reason: String) {
        guard session.attempts == 1 else { return }
        outlet.announce("connect_failed", device: name, ["reason": .string(reason)], at: loop.timestamp)
    }

    private func announceLink(from phase: Session.Phase) {
        switch session.phase {
        case .ready:
            guard !isLinkAnnounced else { return }
            isLinkAnnounced = true
            log.info("connected")
            outlet.announce("device_connected", device: name, at: loop.timestamp)
        case .discovering:
            guard phase == .ready else { return }
            log.info("the services have changed: looking them up again")
            outlet.announce("services_changed", device: name, at: loop.timestamp)
        case .idle, .seeking, .connecting, .pairing, .ending:
            guard isLinkAnnounced else { return }
            isLinkAnnounced = false
            let isExplained = peripheral?.assumeIsolated { $0.explainsDisconnects } ?? false
            guard isExplained, session.reason == Session.loss else { return announceEnd() }
            farewell = loop.schedule(after: .milliseconds(200)) { [weak self] in
                self?.assumeIsolated { $0.announceEnd() }
            }
        }
    }

    /// The reason for the loss of the link comes just after the news of it.
    private func lossExplained(_ cause: String) {
        guard farewell != nil else { return }
        process(.lossExplained(cause))
        announceEnd()
    }

    private func announceEnd() {
        farewell?.cancel()
        farewell = nil
        let reason = session.explanation ?? presence.farewell ?? "no longer needed"
        log.info("disconnected", ["reason": reason])
        var details: JSON.Object = ["reason": .string(reason)]
        if session.isPaused, let pauseEnd { details["until"] = .string(pauseEnd.description) }
        outlet.announce("device_disconnected", device: name, details, at: loop.timestamp)
    }
}
