import BlueZ
import Bluetooth
import Codec
import Configuration
import Contract
import Devices
import EventLoop
import JSON
import Log
import MQTT
import System

// The types of this folder. Each part depends only on parts above it; a part calls the device by closures.
//
// | type                    | rule                                                             | owner              |
// |-------------------------|------------------------------------------------------------------|--------------------|
// | `Ownership`             | whether this gateway publishes a device that it shares           | `Device`           |
// | `DevicePublisher`       | publishes events, states and responses; writes the log lines     | `Device`           |
// | `CharacteristicBinding` | one configured characteristic: format, attribute, rhythm, topic  | `Device`           |
// | `ReadingDelivery`       | whether readings are published or kept on the disk, a value      | `AdvertisedTopics` |
// | `CalculatedValues`      | corrects values, and publishes derived ones                      | `Device`           |
// | `AdvertisedTopics`      | the readings in advertisements: one topic per quantity           | `Device`           |
// | `SeriesTopics`          | the answers to numbered questions: one topic per number          | `Device`           |
// | `Bonding`               | pairs; handles a lost or missing bond                            | `Device`           |
// | `QuestionAttributes`    | the discovered characteristics of questions and answers          | `Device`           |
// | `ConnectionExecutor`    | performs the session's actions on the central and the peripheral | `Device`           |
// | `HistoryPublisher`      | publishes records of histories until the broker accepts them     | `QuestionExecutor` |
// | `QuestionExecutor`      | asks the questions of the conversation, answers clients          | `Device`           |
// | `CommandOutcome`        | the result of an executed command, a value                       | `CommandExecutor`  |
// | `CommandExecutor`       | checks and executes commands; builds the responses               | `Device`           |
// | `ConnectionAnnouncer`   | publishes the events of a connection once, its end with a reason | `Device`           |
// | `DeviceStatus`          | which states are new, a value                                    | `Device`           |
// | `StatusPublisher`       | derives `connection`, `availability`, `info`, health             | `Device`           |
// | `ConnectionChange`      | how the connection of a shared device has changed, a value       | `Device`           |
// | `DeviceHooks`           | the calls to the owner, which all devices have in common         | `Device`           |
// | `Device`                | passes events to session and queue, and their actions to parts   | `Fleet`            |
//
// The device also owns two values of the room `Devices`: `Session` (is a connection needed, what is the next step) and
// `CommandQueue` (which command is next, how is each one answered).

/// The calls of a device to its owner; all devices have them in common.
struct DeviceHooks: Sendable {
    /// Called after the identity of the device, or a format that was read from it, has changed.
    var identityChanged: @Sendable (Device) -> Void = { _ in }
    /// Returns the name of the device with an address; nil if there is none.
    var name: @Sendable (Address) -> String? = { _ in nil }
    /// Called after the availability has changed.
    var availabilityChanged: @Sendable () -> Void = {}
    /// Called when the memory of the questions must be stored.
    var questionsProgressed: @Sendable () -> Void = {}
    /// Called in the next turn of the loop after a connection was made, has ended, or could not be made.
    var connectionChanged: @Sendable (_ device: String, ConnectionChange) -> Void = { _, _ in }
}

/// A change of the connection of a device, for the gateways that share it.
enum ConnectionChange: Sendable {
    case connected
    /// bluetoothd has a connection that this process did not make, such as one of an earlier run.
    case found
    case disconnected
    case failed
}

/// One configured device: turns the events of its parts into actions of its parts, and publishes the values.
///
/// The parts are classes inside the actor; `Session`, `CommandQueue` and `DeviceStatus` are values without I/O.
@safe actor Device: LoopBound {
    /// The timers of the device, except the timers that `DeviceStatus` owns.
    private enum DeviceTimer: Hashable {
        case session(SessionTimer)
        /// The time to live of a command, by its identifier.
        case command(Int)
        /// The delay before the identity is published, because its parts are read one by one.
        case identity
    }

    nonisolated let unownedExecutor: UnownedSerialExecutor

    // The properties that are used for each value are inline and adjacent: a processor loads memory by the cache line
    // (measured: Tests/Benchmark/README.md). They include the last properties of `status` and the first of `session`.
    private(set) var status: DeviceStatus
    nonisolated let loop: EventLoop
    private let bindings: [CharacteristicBinding]
    private(set) var identity = DeviceIdentity()
    private var session: Session

    nonisolated let configuration: Configuration.Device
    private var commands: CommandQueue<ReplyAddress>
    let advertised: AdvertisedTopics
    /// The topics of numbered questions; nil: the device has none.
    private let series: SeriesTopics?
    private let calculated: CalculatedValues?
    private let output: DevicePublisher
    private let bonding: Bonding
    private let connection: ConnectionExecutor
    /// Asks the questions of the device; nil: it has none.
    private let questions: QuestionExecutor?
    private let executor: CommandExecutor
    private let announcer: ConnectionAnnouncer
    private let statusPublisher: StatusPublisher
    private var timers: [DeviceTimer: Timer] = [:]
    /// Whether the last change of the connection that was reported is `connected` or `found`.
    private var hasReportedConnection = false
    private var hooks = DeviceHooks()
    /// The callers of `stop`, which wait for the end of the connection.
    private var stopping: [CheckedContinuation<Void, Never>] = []

    /// - Throws: `TopicError` if the device's name cannot be part of a topic.
    init(
        _ configuration: Configuration.Device, central: Central, publisher: Publisher, loop: EventLoop
    ) throws(TopicError) {
        self.configuration = configuration
        self.loop = loop
        unsafe unownedExecutor = loop.asUnownedSerialExecutor()
        status = DeviceStatus(at: loop.timestamp)
        session = Session(SessionPlan(configuration))
        commands = CommandQueue(device: configuration.name)
        var bindings: [CharacteristicBinding] = []
        let owner = ActorReference<Device>()
        let recorded = Set(configuration.characteristics.compactMap { $0.exchange?.history?.owner })
        let valuePublished = owner.handler { (device, name: String) in device.questions?.published(name) }
        let states = configuration.characteristics.compactMap {
            configuration.settings.state(of: $0)?.characteristic.name
        }
        for characteristic in configuration.characteristics {
            let shared = bindings.first { $0.configuration.topicName == characteristic.topicName }
            if let shared {
                bindings.append(
                    CharacteristicBinding(
                        characteristic, of: configuration, shared.publication, ownsPublication: false))
                continue
            }
            let publication = try Publication(
                characteristic.topicName, of: configuration.name, isRetained: characteristic.retain,
                qos: characteristic.qos,
                keep: characteristic.keep ?? configuration.keep, characteristic.publish, publisher, loop: loop)
            let name = characteristic.name
            let isRecorded = characteristic.exchange == nil && recorded.contains(name)
            bindings.append(
                CharacteristicBinding(
                    characteristic, of: configuration, publication, isState: states.contains(name),
                    onValue: isRecorded ? { valuePublished(name) } : nil))
        }
        self.bindings = bindings

        let publishValue = owner.function { (device, bytes, name) in device.publish(read: bytes, of: name) }
        let accessFailed = owner.function { (device, name, error) in device.accessFailed(name, error) }
        output = DevicePublisher(configuration.name, publisher, loop: loop)
        calculated = try CalculatedValues(configuration, publisher, loop: loop)
        advertised = AdvertisedTopics(configuration, output, calculated, loop: loop)
        let series = SeriesTopics(configuration, output, loop: loop)
        self.series = series
        bonding = Bonding(
            configuration, central, output, loop: loop,
            onFailure: owner.handler { $0.pairingFailed($1) })
        let attributes = ConversationPlan(configuration.settings).map { QuestionAttributes($0) }
        connection = ConnectionExecutor(
            configuration, central, bindings, attributes, bonding, output, loop: loop,
            report: owner.handler { $0.handle($1) }, publishValue: publishValue,
            accessFailed: { _ = accessFailed($0, $1) })
        let (connection, output, calculated) = (connection, output, calculated)
        let publishAnswer = owner.function { (device, answer: (Reading, number: Int?), name) in
            device.publish(answer: answer.0, of: name, answer.number)
        }
        let questionsProgressed = owner.handler { (device, _: Void) in device.hooks.questionsProgressed() }
        let questions = attributes.map { attributes in
            QuestionExecutor(
                configuration, attributes, connection, output, calculated, loop: loop,
                QuestionExecutor.Hooks(
                    report: owner.handler { $0.process($1) },
                    publish: { reading, name, number in publishAnswer((reading, number), name) },
                    accessFailed: { _ = accessFailed($0, $1) }, progressed: { questionsProgressed(()) }))
        }
        self.questions = questions
        executor = CommandExecutor(
            configuration, bindings, questions, advertised, connection, bonding, loop: loop,
            report: owner.handler { $0.process($1) }, publishValue: publishValue,
            accessFailed: { accessFailed($0, $1) ?? false })
        announcer = ConnectionAnnouncer(
            configuration, connection, output, loop: loop, report: owner.handler { $0.handle($1) })
        statusPublisher = StatusPublisher(
            configuration, bindings, advertised, series, calculated, connection, output, loop: loop)
        owner.set(self)
    }

    nonisolated var name: String { configuration.name }
    /// The names of the configured characteristics.
    nonisolated var characteristicNames: [String] { configuration.characteristics.map(\.name) }

    nonisolated var log: Log { Log(name) }

    // MARK: Life

    /// Sets the calls to the owner of the device.
    func use(_ hooks: DeviceHooks) {
        self.hooks = hooks
    }

    /// Starts to manage the device.
    ///
    /// - Parameters:
    ///   - bluetoothIsOn: whether Bluetooth is on.
    ///   - count: the number of devices with `connect: every` that start together, this one included.
    func start(bluetoothIsOn: Bool, among count: Int) async {
        let peripheral = await connection.start()
        await peripheral.onEvent(handler { $0.handle($1) })
        // Each notification comes this way from the central, on the thread of the loop: `isolated` allocates nothing.
        await peripheral.onValue { [weak self] bytes, characteristic, arrival in
            self?.isolated(bytes, (characteristic, arrival)) { $0.received($1, of: $2.0, $2.1) }
        }
        bonding.start(peripheral)
        // The event `started` returns the actions of this event again, and the status is not published before.
        _ = session.handle(.startsAmong(count)) + session.handle(.bluetoothChanged(isOn: bluetoothIsOn))
        process(.started)
        publishInfo()
    }

    /// Uses another publisher from now on; the caller publishes the retained messages again.
    func move(to publisher: Publisher) {
        output.move(to: publisher)
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
        status.cancelTimer()
        announcer.stop()
        bonding.stop()
        timers[.identity]?.cancel()
        for publication in publications { publication.end() }
    }

    // MARK: Several gateways

    /// Shares the device with other gateways: its messages are published only while this gateway owns it.
    func share(by ownership: Ownership) {
        output.share(by: ownership)
        advertised.share(by: ownership)
        for publication in publications { publication.share(by: ownership) }
        _ = session.handle(.ownershipChanged(isOwner: false))
    }

    /// Does not connect before `useConnections`, because another process may have the name of the gateway.
    func waitForName() {
        _ = session.handle(.ownershipChanged(isOwner: false))
    }

    /// Connects as configured if this process publishes as the gateway, and disconnects otherwise.
    ///
    /// For a device that is not shared: another process with the name of the gateway may use the device.
    func useConnections(_ isOn: Bool) {
        process(.ownershipChanged(isOwner: isOn))
    }

    /// Whether the device is shared with other gateways.
    var isShared: Bool { output.ownership != nil }

    /// Whether this gateway publishes the device now.
    var isPublished: Bool { output.ownership?.mayPublish ?? true }

    /// The counters of the last encrypted advertisements, by the name of the format.
    var packetCounters: [String: UInt64] { advertised.listener?.packetCounters ?? [:] }

    /// Continues after the encrypted advertisements that the former owner of the device has accepted.
    func follow(counters: [String: UInt64]) {
        advertised.follow(counters: counters, at: loop.now)
    }

    /// Whether bluetoothd has the keys of a bond with the device; nil: not known, because no adapter knows the device.
    var hasBond: Bool? { connection.snapshot?.hasBond }

    /// Publishes all states of the device: this gateway owns it from now on.
    func ownershipBegan() {
        _ = output.ownership?.takeWithheldState()
        // Otherwise the connection would be published twice: as it was, and with the new owner.
        _ = status.update(connectionStatus, at: loop.timestamp)
        republish()
        obstacleChanged()
        process(.ownershipChanged(isOwner: true))
    }

    /// Handles that another gateway with the bond has ended, or has returned.
    func obstacleChanged() {
        // A device that is never connected needs no bond.
        guard configuration.connect != .never else { return }
        process(.blocked(because: output.ownership?.obstacle))
    }

    /// Disconnects and forgets all readings: another gateway owns the device from now on.
    func ownershipEnded() {
        leaveConnection()
        for publication in publications { publication.forget() }
        publishHeldReadings()
    }

    /// Disconnects, so that another gateway can connect to the device.
    func leaveConnection() {
        failCommands(because: "another gateway owns the device")
        process(.ownershipChanged(isOwner: false))
        // The session does not know a connection that it did not make.
        if session.phase == .idle, connection.isConnected { connection.end() }
    }

    /// Connects again as configured after `leaveConnection`: this gateway still owns the device.
    func returnToConnection() {
        process(.ownershipChanged(isOwner: true))
    }

    /// The time that a connection is kept for a request, which arrives as soon as the other gateways know of it.
    private static let requestTime = Duration.seconds(2)

    /// Connects for a request that this gateway is about to carry out.
    func connectForRequest() {
        process(.connectionRequested(for: Self.requestTime))
    }

    /// Reports that a connection was made, has ended or could not be made.
    private func reportConnection(hasFailed: Bool) {
        let change: ConnectionChange
        switch session.phase {
        case .pairing, .discovering, .ready:
            guard !hasReportedConnection else { return }
            change = .connected
        // The end of a connection is reported when the device is disconnected.
        case .ending: return
        case .idle where connection.isConnected:
            guard !hasReportedConnection else { return }
            change = .found
        case .idle, .seeking, .connecting:
            guard hasReportedConnection || hasFailed else { return }
            change = hasReportedConnection ? .disconnected : .failed
        }
        hasReportedConnection = change == .connected || change == .found
        // The owner may react with the end of the ownership, while the session still handles this event.
        spawn { $0.hooks.connectionChanged($0.name, change) }
    }

    /// Returns the messages for the disk of the readings that wait while the right to publish is in doubt.
    ///
    /// - Parameter includesNewest: Whether the newest readings are included, which otherwise wait in memory only.
    /// - Returns: The messages in the order of their arrival.
    func keepHeldReadings(includesNewest: Bool) -> [HeldMessage] {
        advertised.keepHeld(includesNewest: includesNewest)
    }

    /// Publishes the readings and the states that waited while the right to publish was in doubt.
    func publishHeldReadings() {
        advertised.publishHeld()
        guard let ownership = output.ownership, ownership.mayPublish, ownership.takeWithheldState() else { return }
        republish()
        republishReadings()
    }

    // MARK: The session

    /// Passes an event to the session, performs the returned actions and publishes the changed status.
    private func process(_ event: SessionEvent) {
        let (phase, priority, attempts) = (session.phase, session.priority, session.attempts)
        let (wasUsable, wasAsleep) = (session.isUsable, session.isAsleep)
        let actions = session.handle(event)
        if let questions { note(event, by: questions, from: phase) }
        for action in actions { perform(action) }
        status.note(event, session, from: phase, wasUsable: wasUsable, wasAsleep: wasAsleep, at: loop.now)
        if phase != .ready, session.phase == .ready {
            for binding in bindings { binding.resume(at: loop.now) }
        }
        if session.priority != priority { connection.setPriority(session.priority) }
        if session.attempts > attempts { output.failedAttempt(session) }
        if isShared { reportConnection(hasFailed: session.attempts > attempts) }
        // Only the first of consecutive failures is published; the connection status contains their number.
        if attempts == 0, session.attempts == 1, isFailedConnection(event, in: phase) {
            output.connectFailed(session.reason ?? Session.loss)
        }
        output.step(of: session, from: phase)
        if phase != session.phase {
            announcer.announce(
                from: phase, to: session.phase, isLost: session.reason == Session.loss,
                wasOfUse: session.retry.isProven)
        }
        publishStatus()
        answerDisconnectRequests()
        if session.phase == .idle {
            for continuation in stopping { continuation.resume() }
            stopping = []
        }
    }

    /// Begins and ends the conversation with the connection, and reports subscriptions to it.
    private func note(_ event: SessionEvent, by questions: QuestionExecutor, from phase: Session.Phase) {
        if phase == .ready, session.phase != .ready { questions.ended() }
        if phase != .ready, session.phase == .ready { questions.connected() }
        questions.note(event)
    }

    /// Returns whether a failure is one of the connection.
    ///
    /// A failed pairing, a failed subscription and a refused login have events of their own.
    private func isFailedConnection(_ event: SessionEvent, in phase: Session.Phase) -> Bool {
        switch (phase, event) {
        case (.connecting, _), (.discovering, _), (.pairing, .connectionLost): true
        case (.ready, .connectionLost), (.ready, .connectionStuck): true
        default: false
        }
    }

    private func perform(_ action: SessionAction) {
        switch action {
        case .seek: connection.seek()
        case .stopSeeking: connection.stopSeeking()
        case .connect: connection.connect(session.priority)
        case .pair: connection.pair(commands.pairCommand)
        case .forgetBond: connection.forgetBond()
        case .discover: connection.discover()
        case .clearCache: connection.clearCache()
        case .reportMissing(let names): connection.reportMissing(names)
        case .subscribe(let name): connection.subscribe(name)
        case .reportSubscription(let name, let reason): connection.reportSubscription(name, reason)
        case .read(let name):
            if let questions, questions.handles(name) { questions.ask(name) } else { connection.read(name) }
        case .reportRead(let name, let reason): connection.reportRead(name, reason)
        case .executeCommands: executeNext()
        case .end: connection.end()
        case .collected(let missing, let unanswered, let cause):
            collectingEnded(missing: missing, unanswered: unanswered, brokenOff: cause)
        // The delay is randomized, so that devices that failed at the same time do not retry at the same time.
        case .schedule(.retry, let delay): schedule(.session(.retry), after: delay * Double.random(in: 0.75...1.25))
        case .schedule(let timer, let delay): schedule(.session(timer), after: delay)
        case .cancel(let timer): cancel(.session(timer))
        }
    }

    // MARK: Timers

    /// Starts a timer; a running timer is replaced.
    private func schedule(_ timer: DeviceTimer, after delay: Duration) {
        timers[timer]?.cancel()
        timers[timer] = after(delay) { $0.fired(timer) }
    }

    private func cancel(_ timer: DeviceTimer) {
        timers.removeValue(forKey: timer)?.cancel()
    }

    private func fired(_ timer: DeviceTimer) {
        timers[timer] = nil
        switch timer {
        case .session(let timer): process(.timerFired(timer))
        case .command(let identifier): handleCommands(.expired(identifier))
        case .identity:
            publishInfo()
            hooks.identityChanged(self)
        }
    }

    // MARK: Events of the parts

    private func handle(_ event: ConnectionExecutor.Event) {
        switch event {
        case .session(let event): process(event)
        case .propertiesChanged: publishInfo()
        case .formatsDescribed: publishIdentitySoon()
        }
    }

    private func handle(_ event: ConnectionAnnouncer.Event) {
        switch event {
        case .explained(let cause): process(.lossExplained(cause))
        case .ended:
            announcer.announceEnd(
                because: session.explanation ?? status.presence.stopReason ?? "session complete",
                until: session.isPaused ? status.pauseEnd : nil)
        }
    }

    /// Handles a failed access to a characteristic.
    ///
    /// - Returns: Whether the access may succeed with a new bond; a command is then executed again.
    private func accessFailed(_ characteristic: String, _ error: CentralError) -> Bool {
        let isRepeated = error.code == .notPaired && (session.mayRenewBond || session.mayTryAgain(characteristic))
        if let event = bonding.accessFailed(characteristic, error, session) { process(event) }
        return isRepeated
    }

    private func pairingFailed(_ error: CentralError) {
        if session.attempts == 0 { output.publish(.pairingFailed(device: name, reason: error.message)) }
        handleCommands(.pairingFailed(RequestError(error, on: name)))
    }

    // MARK: Events of the peripheral

    private func handle(_ event: PeripheralEvent) {
        switch event {
        // A peripheral that another program has connected does not advertise.
        case .advertised, .connected:
            if status.noteSeen() { output.firstSeen(connection.snapshot?.rssi, by: connection.snapshot?.adapterName) }
            if session.phase == .seeking {
                process(.found)
            } else if isShared {
                reportConnection(hasFailed: false)
            }
        case .subscriptionEnded(let characteristic):
            if let binding = bindings.first(where: { $0.isBound(to: characteristic) }) {
                process(.subscribeFailed(binding.name, isFinal: false, reason: "the subscription ended"))
            }
        case .disconnected:
            connection.unbindCharacteristics()
            connectionLost()
        case .serviceEnded:
            connection.unbindCharacteristics()
            process(.serviceEnded)
        case .disconnectReason(let cause): announcer.explained(cause)
        case .waitingForSlot(let used):
            status.waitForSlot(because: connection.slotReason(used))
            process(.waitingForSlot)
        case .waitingForTurn:
            status.waitForSlot(because: ConnectionStatus.waitingForTurn)
            process(.waitingForSlot)
        case .slotGranted: process(.slotGranted)
        case .slotRecalled(let other): process(.slotRecalled(for: hooks.name(other) ?? "\(other)"))
        case .identified(let address):
            output.identified(as: address)
            publishInfo()
        case .bonded:
            bonding.bonded()
            if session.phase == .ready { process(.paired) }
        case .bondLost: bonding.reportLoss(GatewayEvent.bondRemoved)
        case .servicesInvalidated:
            connection.unbindCharacteristics()
            handleCommands(.servicesChanged)
            process(.servicesChanged)
        }
    }

    /// Publishes the loss of the connection before the gateway searches for the device again.
    private func connectionLost() {
        if session.phase == .ready || session.phase == .discovering {
            publish(ConnectionStatus(state: .disconnected, reason: Session.loss))
        }
        process(.connectionLost)
    }

    /// Handles that Bluetooth has become available or unavailable.
    ///
    /// - Parameters:
    ///   - isOn: whether an adapter can be used.
    ///   - reason: the reason in the responses to queued commands.
    func bluetoothChanged(isOn: Bool, reason: String) {
        if !isOn { handleCommands(.aborted(.bluetoothOff, reason: reason)) }
        advertised.bluetoothChanged(isOn: isOn, at: loop.now)
        // `start(bluetoothIsOn:)` passes the state to the session.
        if connection.peripheral != nil { process(.bluetoothChanged(isOn: isOn)) }
    }

    // MARK: Values

    /// Decodes and publishes a notified value.
    ///
    /// - Parameters:
    ///   - bytes: the value.
    ///   - characteristic: the characteristic.
    ///   - arrival: when the value arrived; nil: just now.
    private func received(_ bytes: Span<UInt8>, of characteristic: BlueZ.Characteristic, _ arrival: Instant?) {
        for binding in bindings where binding.isBound(to: characteristic) {
            guard let received = decode(bytes, by: binding, arrival) else { return }
            let now = arrival ?? loop.now
            publish(received, by: binding, at: now)
            if changesNothingElse(binding) {
                status.noteNotification(at: now)
            } else {
                process(.obtained(binding.name, isNotification: true))
            }
            return
        }
        questions?.received([UInt8](bytes), of: characteristic)
    }

    /// Returns whether a value changes neither the session nor the status, which is true for almost all values.
    private func changesNothingElse(_ binding: CharacteristicBinding) -> Bool {
        guard session.expectsNothing, status.availability?.state == .online else { return false }
        return binding.rhythm.deadline == nil || status.judgementTimer != nil
    }

    /// Decodes and publishes a value that was read; returns nil if the bytes do not fit the format.
    private func publish(read bytes: [UInt8], of name: String) -> ReceivedReading? {
        guard let binding = bindings.first(where: { $0.name == name }), let received = decode(bytes.span, by: binding)
        else { return nil }
        publish(received, by: binding, at: loop.now)
        return received
    }

    /// Publishes the answer of an entry, and returns it with corrected values.
    private func publish(answer reading: Reading, of name: String, _ number: Int?) -> ReceivedReading? {
        guard let binding = bindings.first(where: { $0.name == name }) else { return nil }
        let received = corrected(binding.withUnit(reading), of: binding, loop.timestamp)
        if let number, let series {
            if series.publish(received, of: binding, number, at: loop.now) {
                hooks.questionsProgressed()
                // Home Assistant gets entities of the new number.
                publishIdentitySoon()
            }
            let value = ValueCalculator.NamedReading(
                binding.configuration.valueName(ofNumber: number), received.reading)
            calculated?.publish(
                derivedFrom: [value], received.time, expiry: binding.expiry, at: loop.now)
        } else {
            publish(received, by: binding, at: loop.now)
        }
        questions?.published(name)
        return received
    }

    /// Returns the reading with corrected values.
    @inline(__always)
    private func corrected(_ reading: Reading, of binding: CharacteristicBinding, _ time: Timestamp) -> ReceivedReading
    {
        guard let calculated else { return ReceivedReading(reading: reading, time: time) }
        let corrected = calculated.corrected([.init(binding.name, reading)])[0]
        return ReceivedReading(reading: corrected.reading, time: time, corrected.marks)
    }

    private func decode(
        _ bytes: Span<UInt8>, by binding: CharacteristicBinding, _ arrival: Instant? = nil
    ) -> ReceivedReading? {
        do {
            guard let reading = try binding.decode(bytes) else { return nil }
            return corrected(reading, of: binding, arrival.map(time) ?? loop.timestamp)
        } catch {
            status.noteDecodingFailure()
            if session.missing?.contains(binding.name) == true { commands.noteUndecodable(binding.name) }
            if let count = binding.noteFailure(at: loop.now) {
                output.decodingFailed([UInt8](bytes).hexadecimal, of: binding.name, "\(error)", count)
            }
            return nil
        }
    }

    /// Returns the time of day of an earlier instant.
    private func time(of instant: Instant) -> Timestamp {
        Timestamp(milliseconds: loop.timestamp.milliseconds - (loop.now - instant).nanoseconds / 1_000_000)
    }

    private func publish(_ received: ReceivedReading, by binding: CharacteristicBinding, at now: Instant) {
        if identity.note(received.reading, of: binding.configuration.uuid) { publishIdentitySoon() }
        if !session.expectsNothing, session.missing != nil { commands.collect(received, of: binding.name) }
        binding.publish(received, at: now)
        calculated?.publish(
            derivedFrom: [.init(binding.name, received.reading)], received.time, expiry: binding.expiry, at: now)
    }

    /// Schedules the publication of the identity after one second, because its parts are read one after the other.
    private func publishIdentitySoon() {
        guard timers[.identity] == nil else { return }
        schedule(.identity, after: .seconds(1))
    }

    // MARK: Advertisements

    /// Starts to decode the advertisements of the device, if the configuration uses them.
    ///
    /// - Parameters:
    ///   - known: the quantities that earlier runs of the program have received.
    ///   - memory: what an earlier run knew about the times of the advertisements; nil: nothing.
    ///   - body: called when the device has advertised a new quantity.
    func listenToAdvertisements(
        known: [AdvertisedQuantity], _ memory: AdvertiserMemory?, onNewQuantities body: @escaping () -> Void
    ) {
        guard configuration.listensToAdvertisements else { return }
        advertised.start(known: known, memory, onNewQuantities: body)
    }

    /// Publishes the readings of an advertisement.
    func received(_ sighting: Sighting) {
        if status.noteSeen() { output.firstSeen(sighting.advertisement.rssi, by: sighting.adapter) }
        output.received(sighting.advertisement)
        guard let outcome = advertised.receive(sighting, at: loop.now) else { return }
        if outcome.hasNewQuantities {
            publishInfo()
            advertised.reportNewQuantities()
        }
        if outcome.hasReadings, let questions { questions.published(Configuration.History.advertisements) }
        if outcome.hasRestarted { output.counterRestarted() }
        if let error = outcome.error {
            if case .undecodable = error { status.noteDecodingFailure() }
            output.decodingFailed(sighting.advertisement, error)
        }
        publishStatus()
    }

    // MARK: Commands

    /// Executes, queues or rejects a command.
    ///
    /// The client receives a response in each case.
    func accept(_ command: DeviceCommand, timeToLive: Duration, reply: ReplyAddress) {
        let accepted: AcceptedCommand
        do throws(RequestError) {
            accepted = try executor.check(command, session, stopReason: status.presence.stopReason)
        } catch {
            return output.respond(.failure(error), to: reply)
        }
        switch command {
        case .rssi: output.respond(executor.signalStrength, to: reply)
        case .disconnect(let pause): disconnect(for: pause, timeToLive: timeToLive, reply)
        case .pair where output.ownership?.mayPublish == false:
            let reason = "another gateway owns the device, or is about to: send the request to that gateway"
            output.respond(.failure(RequestError(.failed, "\(name): \(reason)")), to: reply)
        case .read, .set, .write, .subscribe, .connect, .collect, .history, .discover, .inspect, .pair:
            if !command.isPair, let obstacle = output.ownership?.obstacle {
                return output.respond(.failure(RequestError(.failed, "\(name): \(obstacle)")), to: reply)
            }
            handleCommands(.received(accepted, reply, timeToLive: timeToLive))
        }
    }

    /// Returns why no value can be written to a characteristic; nil if values can be written.
    func obstacle(toWriting characteristic: String) -> RequestError? {
        executor.obstacle(toWriting: characteristic)
    }

    /// Passes an event to the command queue, and performs the returned actions.
    private func handleCommands(_ event: CommandQueue<ReplyAddress>.Event) {
        for action in commands.handle(event) { perform(action) }
    }

    private func perform(_ action: CommandQueue<ReplyAddress>.Action) {
        switch action {
        case .respond(let reply, let result): output.respond(result, to: reply)
        case .execute(let accepted, let token): execute(accepted, token)
        case .executeNext: executeNext()
        case .scheduleExpiry(let identifier, let delay): schedule(.command(identifier), after: delay)
        case .cancelExpiry(let identifier): cancel(.command(identifier))
        case .process(let event): process(event)
        case .pairRequested(let passkey): bonding.requested(commands.pairCommand, passkey)
        case .pairEnded: bonding.requestEnded(commands.pairCommand)
        }
    }

    /// Executes the next command if the connection is ready.
    private func executeNext() {
        guard session.phase == .ready else { return }
        handleCommands(.ready)
    }

    private func execute(_ accepted: AcceptedCommand, _ token: OperationToken) {
        spawn { device in
            let outcome = await device.executor.outcome(of: accepted, device.connectionStatus)
            device.handleCommands(.executed(token, outcome))
            // A command that was refused before the bond was made is executed again on the same connection.
            if !accepted.command.isPair { device.executeNext() }
        }
    }

    /// Answers the requests to collect when a collecting session has ended.
    ///
    /// - Parameters:
    ///   - missing: the characteristics without a value.
    ///   - unanswered: the entries whose questions had no answer.
    ///   - cause: why the session ended early; nil if it was complete or its time was over.
    private func collectingEnded(missing: Set<String>, unanswered: Set<String>, brokenOff cause: String?) {
        let (values, undecodable) = commands.takeCollected()
        // A register that the device lacks does not make the device unavailable.
        if missing.isEmpty, unanswered.isEmpty || !values.isEmpty { status.noteCollected(at: loop.now) }
        let result = executor.collectingResult(
            values, missing: missing, unanswered: unanswered, undecodable, brokenOff: cause)
        handleCommands(.collected(result))
    }

    /// Disconnects on request, and responds when the connection is down.
    private func disconnect(for pause: Duration?, timeToLive: Duration, _ reply: ReplyAddress) {
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

    private var connectionStatus: ConnectionStatus { statusPublisher.connectionStatus(session, status) }

    private var publications: [Publication] { statusPublisher.publications }

    /// The identity address, if it differs from the configured address; nil otherwise.
    var identityAddress: Address? { connection.snapshot?.identity }

    /// Whether the device should have been seen by now, but was not.
    var isMissing: Bool {
        isPublished && !status.isSeen && !configuration.isOccasional
            && (configuration.connect.isConnectedByItself || configuration.listensToAdvertisements)
    }

    /// The device's entry in the payload of the gateway's topic `health`.
    var health: DeviceHealth { statusPublisher.health(status.history) }

    /// The formats that the device's own descriptors define, by the name of the characteristic.
    var describedFormats: [String: Format] { statusPublisher.describedFormats }

    /// The topics that the broker retains for the device.
    var retainedTopics: [Topic] { statusPublisher.retainedTopics }

    /// Returns the memory for the next run: the times of the advertisements, or that the device is unavailable; nil if there
    /// is nothing to remember.
    func memory(at now: Instant) -> AdvertiserMemory? {
        advertised.listener?.memory(at: now) ?? status.memory(session.plan, at: now)
    }

    /// Takes over from an earlier run that the device was unavailable.
    func restoreStatus(_ memory: AdvertiserMemory) {
        status.restore(memory)
    }

    /// The progress of the questions, for the next run.
    var questionMemory: QuestionMemory {
        QuestionMemory(histories: questions?.memories ?? [:], numbers: seriesNumbers)
    }

    /// Takes over what an earlier run knew of the questions, before the start.
    func restore(_ memory: QuestionMemory) {
        questions?.restore(memory.histories)
        series?.start(known: memory.numbers)
    }

    /// The numbers of the questions with `each` that were answered, by the name of the entry.
    var seriesNumbers: [String: [Int]] { series?.numbers ?? [:] }

    private func publishInfo() {
        statusPublisher.publishInfo(identity)
    }

    /// Publishes the connection status and the availability if they have changed.
    private func publishStatus() {
        publish(connectionStatus)
        let judgement = statusPublisher.judgement(session, status)
        let (availability, now) = (judgement.availability, loop.now)
        status.judgeAgain(at: judgement.until) { moment in after(moment - now) { $0.judgementDue() } }
        for publication in publications { publication.deviceAvailabilityChanged(to: availability.isAvailable) }
        if session.isStarted, session.isBluetoothOn { status.noteManaged(availability) }
        if status.update(availability, at: loop.timestamp) {
            statusPublisher.publish(availability)
            hooks.availabilityChanged()
        }
        if status.mustLog(availability), isPublished {
            output.log(availability, isStopped: status.presence.stopReason != nil)
        }
    }

    private func judgementDue() {
        status.judgementDue()
        publishStatus()
    }

    /// Publishes a connection status if it has changed.
    private func publish(_ connection: ConnectionStatus) {
        let time = loop.timestamp
        if status.update(connection, at: time) { statusPublisher.publish(connection, at: time) }
    }

    private func republishConnection() {
        if let connection = status.connection { statusPublisher.publish(connection, at: status.connectionTime) }
    }

    /// Publishes `connection`, `availability` and `info` again, for a broker that may have lost them.
    func republish() {
        publishInfo()
        status.forgetAvailability()
        republishConnection()
        publishStatus()
    }

    /// Publishes again the readings that the broker may have lost.
    func republishReadings() {
        for publication in publications { publication.republish() }
    }

    /// Corrects the times of the retained states, and publishes them again.
    func correctTimes(_ step: ClockStep) {
        status.correctTimes(step)
        republishConnection()
        for publication in publications { publication.correctTimes(step) }
        republishReadings()
    }
}
