import Devices
import Contract
import BlueZ
import Bluetooth
import Codec
import Configuration
import EventLoop
import JSON
import Log
import MQTT
import System

/// One configured device: manages the connection to its peripheral, publishes its readings, executes its commands.
///
/// The state is divided among `Session` (the connection), `CommandQueue` (the commands), `DeviceStatus` (the published
/// state), `DeviceBond` and `AdvertisedTopics`. Session and queue return actions, which the actor performs.
@safe actor Device: LoopBound {
    nonisolated let unownedExecutor: UnownedSerialExecutor

    // The properties that are used for each value are inline and adjacent: a processor loads memory by the cache line
    // (measured: Tests/Benchmark/README.md). They include the last properties of `status` and the first of `session`.
    private(set) var status: DeviceStatus
    nonisolated let loop: EventLoop
    let bindings: [CharacteristicBinding]
    private(set) var identity = DeviceIdentity()
    private(set) var session: Session

    nonisolated let configuration: Configuration.Device
    let central: Central
    private(set) var publisher: Publisher
    /// The peripheral with the device's address; nil before the start.
    private(set) var peripheral: Peripheral?
    private(set) var commands: CommandQueue<ReplyAddress>
    let bond = DeviceBond()
    let advertised: AdvertisedTopics
    private var timers: [DeviceTimer: Timer] = [:]
    /// Changes with each attempt to connect; results of an older connection are ignored.
    private var operationToken = OperationToken()
    private(set) var hooks = DeviceHooks()
    /// The callers of `stop`, which wait for the end of the connection.
    private var stopping: [CheckedContinuation<Void, Never>] = []

    /// - Throws: `TopicError` if the device's name cannot be part of a topic.
    init(
        _ configuration: Configuration.Device, central: Central, publisher: Publisher, loop: EventLoop
    ) throws(TopicError) {
        self.configuration = configuration
        self.central = central
        self.publisher = publisher
        self.loop = loop
        status = DeviceStatus(at: loop.timestamp)
        session = Session(SessionPlan(configuration))
        commands = CommandQueue(device: configuration.name)
        advertised = AdvertisedTopics(configuration, loop: loop)
        var bindings: [CharacteristicBinding] = []
        for characteristic in configuration.characteristics {
            let publication = try Publication(
                characteristic.name, of: configuration.name, isRetained: characteristic.retain, qos: characteristic.qos,
                keep: characteristic.keep ?? configuration.keep, characteristic.publish, publisher, loop: loop)
            bindings.append(CharacteristicBinding(characteristic, publication))
        }
        self.bindings = bindings
        unsafe unownedExecutor = loop.asUnownedSerialExecutor()
    }

    nonisolated var name: String { configuration.name }
    /// The names of the configured characteristics.
    nonisolated var characteristicNames: [String] { configuration.characteristics.map(\.name) }
    nonisolated var log: Log { Log(name) }

    func binding(named name: String) -> CharacteristicBinding? {
        bindings.first { $0.name == name }
    }

    // MARK: Life

    /// Sets the calls to the owner of the device.
    func use(_ hooks: DeviceHooks) {
        self.hooks = hooks
    }

    /// Starts to manage the device.
    func start(bluetoothIsOn: Bool) async {
        let peripheral = await central.peripheral(at: configuration.address)
        self.peripheral = peripheral
        await peripheral.onEvent { [weak self] event in
            self?.assumeIsolated { $0.handle(event) }
        }
        await peripheral.onValue { [weak self] bytes, characteristic in
            self?.isolated(bytes, characteristic) { $0.received($1, of: $2) }
        }
        expectBond()
        // The event `started` returns the actions of this event again, and the status is not published before.
        _ = session.handle(.bluetoothChanged(isOn: bluetoothIsOn))
        process(.started)
        publishInfo()
    }

    /// Uses another publisher from now on; the caller publishes the retained messages again.
    func move(to publisher: Publisher) {
        self.publisher = publisher
        do throws(TopicError) {
            for publication in publications { try publication.move(to: publisher, of: name) }
        } catch {
            preconditionFailure("the topics of \(name) are invalid although they were validated: \(error)")
        }
    }

    /// Rejects all further commands, before the device is stopped.
    ///
    /// - Parameter reason: the reason in the responses.
    func rejectCommands(because reason: String) {
        status.stop(because: reason)
    }

    /// Fails all queued and collecting commands.
    ///
    /// - Parameter reason: the reason in the responses.
    func failCommands(because reason: String) {
        handleCommands(.aborted(.failed, reason: reason))
    }

    /// Ends the session and returns when the connection is down.
    ///
    /// - Parameter reason: why the device is no longer managed.
    func stop(because reason: String) async {
        rejectCommands(because: reason)
        failCommands(because: reason)
        process(.stopped)
        if session.phase != .idle {
            await withCheckedContinuation { stopping.append($0) }
        }
        status.cancelTimers()
        callCentral { await $0.expectBond(with: $1, nil) }
        timers[.identity]?.cancel()
        for publication in publications { publication.stop() }
    }

    /// Handles that Bluetooth has become available or unavailable.
    ///
    /// - Parameters:
    ///   - isOn: whether an adapter can be used.
    ///   - reason: the reason in the responses to queued commands.
    func bluetoothChanged(isOn: Bool, reason: String) {
        if !isOn { handleCommands(.aborted(.bluetoothOff, reason: reason)) }
        advertised.bluetoothChanged(isOn: isOn, at: loop.now)
        process(.bluetoothChanged(isOn: isOn))
    }

    // MARK: The session

    /// Passes an event to the session, performs the returned actions and publishes the changed status.
    func process(_ event: SessionEvent) {
        let (phase, wasAsleep, priority, attempts) = (
            session.phase, session.isAsleep, session.priority, session.attempts
        )
        for action in session.handle(event) { perform(action) }
        status.note(event, session, from: phase, wasAsleep: wasAsleep, at: loop.now)
        if phase != .ready, session.phase == .ready {
            for binding in bindings { binding.resume(at: loop.now) }
        }
        if session.priority != priority { reportPriority() }
        if session.attempts > attempts { logFailedAttempt() }
        if case .connectFailed(let reason) = event, phase == .connecting { announceFailure(reason) }
        logStep(from: phase)
        if phase != session.phase { announceChange(from: phase) }
        publishStatus()
        answerDisconnectRequests()
        if session.phase == .idle {
            for continuation in stopping { continuation.resume() }
            stopping = []
        }
    }

    /// Notes that all connections of the adapter are in use.
    func waitForSlot(because reason: String) {
        status.waitForSlot(because: reason)
        process(.waitingForSlot)
    }

    /// Starts a timer; a running timer is replaced.
    func schedule(_ timer: DeviceTimer, after delay: Duration) {
        timers[timer]?.cancel()
        timers[timer] = after(delay) { $0.fired(timer) }
    }

    func cancel(_ timer: DeviceTimer) {
        timers.removeValue(forKey: timer)?.cancel()
    }

    private func fired(_ timer: DeviceTimer) {
        timers[timer] = nil
        switch timer {
        case .session(let timer): process(.timerFired(timer))
        case .command(let identifier): handleCommands(.expired(identifier))
        case .identity:
            publishInfo()
            hooks.identityChanged()
        }
    }

    /// Invalidates the results of all operations that were started before.
    func startNewConnection() {
        operationToken.advance()
    }

    /// Runs an operation on the peripheral; its result is ignored after the next call of `startNewConnection()`.
    func runOperation(
        _ operation: @escaping @Sendable (isolated Device, Peripheral) async -> SessionEvent?
    ) {
        guard let peripheral else { return }
        let token = operationToken
        spawn { device in
            guard let event = await operation(device, peripheral), token == device.operationToken else { return }
            device.process(event)
        }
    }

    // MARK: Values

    /// Decodes and publishes a notified value.
    private func received(_ bytes: Span<UInt8>, of characteristic: BlueZ.Characteristic) {
        for binding in bindings where binding.isBound(to: characteristic) {
            guard let received = decode(bytes, by: binding) else { return }
            let now = loop.now
            publish(received, by: binding, at: now)
            if changesNothingElse(binding) {
                status.noteNotification(at: now)
            } else {
                process(.obtained(binding.name, isNotification: true))
            }
            return
        }
    }

    /// Returns whether a value changes neither the session nor the status, which is true for almost all values.
    private func changesNothingElse(_ binding: CharacteristicBinding) -> Bool {
        guard session.expectsNothing, status.availability?.state == .online else { return false }
        return binding.rhythm.deadline == nil || status.judgementTimer != nil
    }

    /// Decodes and publishes a value that was read; returns nil if the bytes do not fit the format.
    func decode(read bytes: [UInt8], of name: String) -> ReceivedReading? {
        guard let binding = binding(named: name), let received = decode(bytes.span, by: binding) else { return nil }
        publish(received, by: binding, at: loop.now)
        return received
    }

    private func decode(_ bytes: Span<UInt8>, by binding: CharacteristicBinding) -> ReceivedReading? {
        do {
            guard let reading = try binding.decode(bytes) else { return nil }
            return ReceivedReading(reading: reading, time: loop.timestamp)
        } catch {
            status.noteDecodingFailure()
            if let count = binding.noteFailure(at: loop.now) {
                announceDecodingFailure([UInt8](bytes), of: binding.name, "\(error)", count)
            }
            return nil
        }
    }

    private func publish(_ received: ReceivedReading, by binding: CharacteristicBinding, at now: Instant) {
        if identity.note(received.reading, of: binding.configuration.uuid) { publishIdentitySoon() }
        if session.missing != nil { commands.collect(received, of: binding.name) }
        binding.publish(received, configuration.settings.connect, at: now)
    }

    /// Schedules the publication of the identity after one second, because its parts are read one after the other.
    func publishIdentitySoon() {
        guard timers[.identity] == nil else { return }
        schedule(.identity, after: .seconds(1))
    }

    /// Publishes the readings of an advertisement.
    func received(_ sighting: Sighting) {
        noteSeen(sighting.advertisement.rssi, by: sighting.adapter)
        logAdvertisement(sighting)
        guard let outcome = advertised.receive(sighting, through: publisher, at: loop.now) else { return }
        if outcome.hasNewQuantities {
            publishInfo()
            advertised.reportNewQuantities()
        }
        if outcome.hasRestarted { announceCounterRestart() }
        if let error = outcome.error {
            if case .undecodable = error { status.noteDecodingFailure() }
            announce(error, sighting.advertisement)
        }
        publishStatus()
    }

    /// Answers the requests to collect when a collecting session has ended.
    ///
    /// - Parameters:
    ///   - missing: the characteristics without a value.
    ///   - cause: why the session ended early; nil if it was complete or its time was over.
    func collectingEnded(missing: Set<String>, brokenOff cause: String?) {
        let values = commands.takeCollected()
        if missing.isEmpty { status.noteCollected(at: loop.now) }
        handleCommands(.collected(collectingResult(values, missing: missing, brokenOff: cause)))
    }

    // MARK: Commands

    /// Passes an event to the command queue, and performs the returned actions.
    func handleCommands(_ event: CommandQueue<ReplyAddress>.Event) {
        for action in commands.handle(event) { perform(action) }
    }

    /// Disconnects on request, and responds when the connection is down.
    func disconnect(for pause: Duration?, timeToLive: Duration, _ reply: ReplyAddress) {
        handleCommands(.aborted(.superseded, reason: "a disconnect was requested"))
        status.pause(
            until: pause.map { Timestamp(milliseconds: loop.timestamp.milliseconds + $0.nanoseconds / 1_000_000) })
        process(.disconnectRequested(pause: pause))
        handleCommands(.disconnectRequested(reply, timeToLive: timeToLive))
        answerDisconnectRequests()
    }

    /// Responds to the requests to disconnect when the connection is down, even if a new search for the device has
    /// begun.
    private func answerDisconnectRequests() {
        guard commands.isDisconnecting, session.phase != .ending else { return }
        handleCommands(.disconnected(connectionStatus.json(at: loop.timestamp)))
    }

    // MARK: Status

    /// Takes over from an earlier run that the device was unavailable.
    func restoreStatus(_ memory: AdvertiserMemory) {
        status.restore(memory)
    }

    /// Publishes the connection status and the availability if they have changed.
    func publishStatus() {
        publish(connectionStatus)
        let judgement = judgement
        let (availability, now) = (judgement.availability, loop.now)
        status.judgeAgain(at: judgement.until) { moment in after(moment - now) { $0.judgementDue() } }
        for publication in publications { publication.deviceAvailabilityChanged(to: availability.isAvailable) }
        if session.isStarted, session.isBluetoothOn { status.noteManaged(availability) }
        if status.update(availability) {
            publish(availability.json, "availability")
            hooks.availabilityChanged()
        }
        if status.mustLog(availability) { log(availability) }
    }

    private func judgementDue() {
        status.judgementDue()
        publishStatus()
    }

    /// Publishes a connection status if it has changed.
    func publish(_ connection: ConnectionStatus) {
        let time = loop.timestamp
        if status.update(connection, at: time) { publish(connection.json(at: time), "connection") }
    }

    /// Publishes `connection`, `availability` and `info` again, for a broker that may have lost them.
    func republish() {
        publishInfo()
        status.forgetAvailability()
        if let connection = status.connection {
            publish(connection.json(at: status.connectionTime), "connection")
        }
        publishStatus()
    }

    /// Corrects the times of the retained states, and publishes them again.
    func correctTimes(_ step: ClockStep) {
        status.correctTimes(step)
        if let connection = status.connection {
            publish(connection.json(at: status.connectionTime), "connection")
        }
        for publication in publications { publication.correctTimes(step) }
        republishReadings()
    }

    // MARK: Events

    /// Logs the first advertisement or connection since the start.
    func noteSeen(_ rssi: Int?, by adapter: String?) {
        guard status.noteSeen() else { return }
        log.info("first seen", ["rssi": rssi.map(String.init) ?? "", "adapter": adapter ?? ""])
    }

    private func announceChange(from phase: Session.Phase) {
        switch status.announcement(from: phase, to: session.phase) {
        case .connected: announceConnected()
        case .servicesChanged: announceServicesChanged()
        case .disconnected:
            let isExplained = peripheral?.assumeIsolated { $0.reportsDisconnectReasons } ?? false
            guard isExplained, session.reason == Session.loss else { return announceDisconnected() }
            if let cause = status.takeEarlyExplanation() {
                status.awaitExplanation(until: after(.zero) { $0.lossExplained(cause) })
            } else {
                status.awaitExplanation(until: after(.milliseconds(200)) { $0.announceDisconnected() })
            }
        case nil: break
        }
    }

    /// Handles the reason of a loss, which bluetoothd reports just before or after the loss.
    func lossExplained(_ cause: String) {
        guard status.awaitsExplanation else { return status.explainEarly(cause) }
        process(.lossExplained(cause))
        announceDisconnected()
    }

    private func announceDisconnected() {
        status.endExplanation()
        publishDisconnected()
    }
}
