import BlueZ
import Bluetooth
import Configuration
import Contract
import Devices
import EventLoop
import Log
import Survey
import System

/// Performs the actions of one device's session on the central and the peripheral, and reports their results.
///
/// The results of operations that an earlier connection has started are ignored.
final class ConnectionExecutor: LoopPart {
    enum Event: Sendable {
        /// An event for the session.
        case session(SessionEvent)
        /// A discovery has found other properties of a characteristic.
        case propertiesChanged
        /// The device's own descriptors have defined a format.
        case formatsDescribed
    }

    private let configuration: Configuration.Device
    private let central: Central
    private let bindings: [CharacteristicBinding]
    /// The characteristics of the questions; nil: the device has no questions.
    private let questions: QuestionAttributes?
    private let bonding: Bonding
    private let output: DevicePublisher
    let loop: EventLoop
    private let report: (Event) -> Void
    /// Decodes and publishes a value that was read; returns nil if the bytes do not fit the format.
    private let publishValue: ([UInt8], _ name: String) -> ReceivedReading?
    /// Handles a failed access to a characteristic.
    private let accessFailed: (_ name: String, CentralError) -> Void

    /// The peripheral with the device's address; nil before the start.
    private(set) var peripheral: Peripheral?
    /// The secrets of the device's questions, as read before the connection.
    private(set) var secrets = QuestionSecrets()
    /// Changes with each attempt to connect; results of an older connection are ignored.
    private var token = OperationToken()

    /// - Parameters:
    ///   - configuration: The configuration of the device.
    ///   - central: Finds and connects the peripheral.
    ///   - bindings: The configured characteristics, which a discovery binds.
    ///   - questions: The characteristics of the questions, which a discovery binds; nil: the device has none.
    ///   - bonding: Pairs with the peripheral.
    ///   - output: Publishes the events.
    ///   - loop: The event loop of the device.
    ///   - report: Called with each event, after an action but never during the action.
    ///   - publishValue: Decodes and publishes a value that was read; nil if the bytes do not fit the format.
    ///   - accessFailed: Called with each characteristic whose access has failed.
    init(
        _ configuration: Configuration.Device, _ central: Central, _ bindings: [CharacteristicBinding],
        _ questions: QuestionAttributes?, _ bonding: Bonding, _ output: DevicePublisher,
        loop: EventLoop,
        report: @escaping (Event) -> Void, publishValue: @escaping ([UInt8], _ name: String) -> ReceivedReading?,
        accessFailed: @escaping (_ name: String, CentralError) -> Void
    ) {
        self.configuration = configuration
        self.central = central
        self.bindings = bindings
        self.questions = questions
        self.bonding = bonding
        self.output = output
        self.loop = loop
        self.report = report
        self.publishValue = publishValue
        self.accessFailed = accessFailed
    }

    private var log: Log { output.log }
    /// The present state of the peripheral; nil before the start.
    var snapshot: Peripheral.Snapshot? { peripheral?.snapshot }
    /// Whether bluetoothd has a connection to the peripheral, possibly made by another program.
    var isConnected: Bool { snapshot?.isConnected ?? false }

    /// Gets the peripheral from the central.
    func start() async -> Peripheral {
        let peripheral = await central.peripheral(at: configuration.address)
        self.peripheral = peripheral
        return peripheral
    }

    // MARK: Operations

    /// Runs an operation on the peripheral; its result is ignored after the next call of `seek()`.
    private func run(
        _ operation: @escaping @Sendable (ConnectionExecutor, Peripheral) async -> SessionEvent?
    ) {
        guard let peripheral else { return }
        let token = token
        spawn { executor in
            guard let event = await operation(executor, peripheral), token == executor.token else { return }
            executor.report(.session(event))
        }
    }

    /// Calls the central in a new task; does nothing before the start.
    private func callCentral(_ body: @escaping @Sendable (Central, Peripheral) async -> Void) {
        guard let peripheral else { return }
        spawn { await body($0.central, peripheral) }
    }

    // MARK: Connecting

    /// The maximum age of an advertisement that allows connecting before the next advertisement.
    private static let freshness = Duration.seconds(30)

    /// Begins a new connection: searches for the device.
    func seek() {
        token.advance()
        run { executor, peripheral in
            await executor.central.startScanning(for: peripheral)
            if let obstacle = await executor.central.obstacle(to: peripheral) { return .obstructed(reason: obstacle) }
            // Otherwise `PeripheralEvent.advertised` reports the device.
            return await peripheral.isReachable(within: Self.freshness) ? .found : nil
        }
    }

    func stopSeeking() {
        callCentral { await $0.stopScanning(for: $1) }
    }

    /// Connects to the device, unless a file with a secret of its questions cannot be read: it is then of no use.
    func connect(_ priority: ConnectionPriority) {
        do throws(InvalidValue) {
            secrets = try configuration.questionSecrets()
        } catch {
            let reason = "cannot read a secret: \(error.message)"
            log.warning(reason)
            // The session is still handling the event that caused this call: the failure must be reported afterwards.
            return run { _, _ in .connectFailed(reason: reason) }
        }
        run { executor, peripheral in
            do throws(CentralError) {
                try await executor.central.connect(peripheral, priority: priority)
                return .connected
            } catch  where error.code == .bondLost {
                executor.bonding.reportLoss(error.message)
                return .bondLost(reason: error.message)
            } catch {
                return .connectFailed(reason: error.message)
            }
        }
    }

    /// Passes the session's priority to the central, which assigns connection slots by priority.
    func setPriority(_ priority: ConnectionPriority) {
        callCentral { await $0.setPriority(priority, of: $1) }
    }

    /// Returns why the device waits for a connection slot.
    ///
    /// - Parameter used: The number of connections of the adapter that the device would use.
    /// - Returns: The reason, with all adapters that have no free slot.
    func slotReason(_ used: Int) -> String {
        // Synchronous: the reason is published together with the state. Central and device share the loop's thread.
        let full = central.assumeIsolated { $0.connectionUse }.filter { $0.isFull }
        let adapter = snapshot?.adapterName ?? "the adapter"
        guard full.count > 1 else { return "all \(used) connections of \(adapter) are in use" }
        let uses = full.map { "\($0.capacity ?? $0.connections) of \($0.adapter.name)" }.joined(separator: ", ")
        return "all connections are in use: \(uses)"
    }

    // MARK: Bond

    /// Bonds with the device before its connection is used.
    ///
    /// - Parameter request: The newest queued command to pair; nil if there is none.
    func pair(_ request: DeviceCommand?) {
        let answers: PairingAnswers
        do throws(InvalidValue) {
            answers = try bonding.answers(to: request)
        } catch {
            // The session is still handling the event that caused this call: the failure must be reported afterwards.
            let failure = CentralError(
                .pairingFailed, configuration.name, "pair: cannot read the passkey: \(error.message)")
            return run { executor, _ in executor.bonding.failed(failure) }
        }
        bonding.expectBond(request)
        run { executor, peripheral in await executor.bonding.pairForSession(peripheral, answers) }
    }

    func forgetBond() {
        run { executor, peripheral in
            do throws(CentralError) {
                try await executor.central.unpair(peripheral)
            } catch {
                executor.log.warning(error.message)
            }
            return .ended
        }
    }

    // MARK: Services

    func discover() {
        let direct = bindings.filter { !$0.configuration.isExchange }.map(\.configuration.service)
        let asked = questions == nil ? [] : questions?.services
        let services = Set(direct.compactMap { $0 }).union(asked ?? [])
        let everyServiceIsConfigured = asked != nil && direct.allSatisfy { $0 != nil }
        run { executor, peripheral in
            do throws(CentralError) {
                // A characteristic that is configured without its service may be in any service.
                let wanted = everyServiceIsConfigured ? Array(services) : nil
                let found = try await peripheral.discoverServices(wanted)
                let present = executor.bindCharacteristics(of: found)
                try await executor.readFormats(peripheral)
                return .discovered(present: present)
            } catch {
                return .discoveryFailed(reason: error.message)
            }
        }
    }

    /// Binds the configured characteristics to the discovered ones; returns the names of all bound characteristics.
    private func bindCharacteristics(of services: [BlueZ.Service]) -> Set<String> {
        var present = questions?.bind(services) ?? []
        let known = bindings.map(\.properties)
        for binding in bindings where !binding.configuration.isExchange {
            let wanted = binding.configuration
            let matching = services.filter { wanted.service == nil || $0.uuid == wanted.service }
                .flatMap(\.characteristics).filter { $0.uuid == wanted.uuid }
            let characteristic = matching.dropFirst(wanted.instance - 1).first
            binding.bind(to: characteristic)
            let isChosen = configuration.decidesInstance(of: wanted)
            if binding.noteCandidates(isChosen ? [] : matching.map(\.service)) { reportAmbiguity(of: binding) }
            if characteristic != nil { present.insert(wanted.name) }
        }
        if bindings.map(\.properties) != known {
            report(.propertiesChanged)
            for (binding, properties) in zip(bindings, known) where binding.properties != properties {
                warnOfUnavailable(binding)
            }
        }
        return present
    }

    /// Reports that several characteristics match the configured one.
    private func reportAmbiguity(of binding: CharacteristicBinding) {
        let wanted = binding.configuration
        let ambiguity = CharacteristicAmbiguity(binding.candidates)
        log.warning(
            "the characteristic \(wanted.uuid) exists \(ambiguity.places): the first one is used, and writes are rejected; "
                + "add \(ambiguity.key)", ["characteristic": wanted.name])
        output.publish(
            .characteristicAmbiguous(
                device: output.name, characteristic: wanted.name, uuid: wanted.uuid, services: binding.candidates))
    }

    /// Unbinds all characteristics after the end of the connection or of its services.
    func unbindCharacteristics() {
        for binding in bindings { binding.bind(to: nil) }
        questions?.unbind()
    }

    /// Logs a warning for each configured use that the device does not support.
    private func warnOfUnavailable(_ binding: CharacteristicBinding) {
        guard let properties = binding.properties else { return }
        for sentence in binding.configuration.unavailable(in: properties) {
            log.warning(sentence, ["characteristic": binding.name, "flags": properties.flags.joined(separator: " ")])
        }
    }

    /// Reads the formats that neither the configuration nor the SIG defines from the descriptors 2904, 2901 and 2906.
    ///
    /// - Throws: `CentralError` if the connection ends or the services change.
    private func readFormats(_ peripheral: Peripheral) async throws(CentralError) {
        var isAnyNew = false
        for binding in bindings where binding.format == nil {
            guard let characteristic = binding.characteristic,
                let format = try await Inspection.Finding.format(of: characteristic, of: peripheral)
            else { continue }
            binding.describe(format)
            isAnyNew = true
        }
        if isAnyNew { report(.formatsDescribed) }
    }

    /// Disconnects and clears bluetoothd's cache of the device's services.
    func clearCache() {
        log.info("characteristics are missing: clearing bluetoothd's cache of the device and connecting again")
        run { executor, peripheral in
            do throws(CentralError) {
                try await executor.central.clearCache(of: peripheral)
            } catch {
                executor.log.warning(error.message)
            }
            return .ended
        }
    }

    func reportMissing(_ names: [String]) {
        for binding in bindings where names.contains(binding.name) {
            let wanted = binding.configuration
            let own = Configuration.Place(service: wanted.service, characteristic: wanted.uuid)
            let places = wanted.isExchange ? questions?.missingPlaces(of: wanted.name) ?? [] : [own]
            let list = places.map(\.description).joined(separator: " and ")
            log.warning("the device has no usable characteristic \(list)", ["characteristic": wanted.name])
            output.publish(
                .characteristicMissing(device: output.name, characteristic: wanted.name, uuid: wanted.uuid))
        }
    }

    // MARK: Values

    private func characteristic(named name: String) -> BlueZ.Characteristic? {
        bindings.first { $0.name == name }?.characteristic
    }

    /// The largest packet of the connection in bytes; nil if it is not known.
    var maximumTransmissionUnit: Int? {
        let direct = bindings.lazy.compactMap { $0.characteristic?.maximumTransmissionUnit }.first
        return direct ?? questions?.subscribable.lazy.compactMap(\.maximumTransmissionUnit).first
    }

    func subscribe(_ name: String) {
        // Signals: a socket loses notifications that arrive before the response to the subscription.
        let channel = questions?.characteristic(ofChannel: name)
        guard let characteristic = channel ?? characteristic(named: name) else { return }
        run { executor, peripheral in
            do throws(CentralError) {
                try await peripheral.setNotify(true, for: characteristic, bySignals: channel != nil)
                return .subscribed(name)
            } catch {
                guard !error.resultsFromEnd else { return nil }
                let isFinal = error.code == .notSupported || error.code == .notPaired
                executor.accessFailed(name, error)
                executor.log.warning("cannot subscribe to \(name): \(error.message)")
                return error.indicatesStaleServices
                    ? .staleServices(name)
                    : .subscribeFailed(name, isFinal: isFinal, isAnswer: error.isAnswer, reason: error.message)
            }
        }
    }

    func reportSubscription(_ name: String, _ reason: String) {
        log.warning("the subscription to \(name) fails repeatedly, the next attempts are seldom: \(reason)")
        output.publish(.subscribeFailed(device: output.name, characteristic: name, reason: reason))
    }

    func reportRead(_ name: String, _ reason: String) {
        log.warning("the reads of \(name) fail repeatedly, the next attempts are seldom: \(reason)")
        output.publish(.readFailed(device: output.name, characteristic: name, reason: reason))
    }

    /// Reads and publishes a value.
    func read(_ name: String) {
        guard let characteristic = characteristic(named: name) else { return }
        run { executor, peripheral in
            do throws(CentralError) {
                let bytes = try await peripheral.readValue(of: characteristic)
                let reading = executor.publishValue(bytes, name)
                return reading == nil ? .readFailed(name) : .obtained(name, isNotification: false)
            } catch {
                // The value remains due: it is read after the next connection or discovery.
                guard !error.resultsFromEnd else { return nil }
                executor.accessFailed(name, error)
                executor.log.warning("cannot read \(name): \(error.message)")
                return error.indicatesStaleServices ? .staleServices(name) : .readFailed(name, refusal: error.message)
            }
        }
    }

    // MARK: Disconnecting

    /// Cancels the subscriptions, then disconnects.
    func end() {
        let bound = bindings.compactMap(\.characteristic) + (questions?.subscribable ?? [])
        run { executor, peripheral in
            await peripheral.cancelOperations()
            for characteristic in bound where await peripheral.isNotifying(characteristic) {
                do throws(CentralError) {
                    try await peripheral.setNotify(false, for: characteristic)
                } catch {
                    executor.log.debug("cannot cancel a subscription", ["reason": error.message])
                }
            }
            do throws(CentralError) {
                try await executor.central.cancelConnection(peripheral)
            } catch {
                executor.log.warning(error.message)
            }
            return .ended
        }
    }
}

extension CentralError {
    /// Whether the error only results from the end of the connection or services, which the session handles separately.
    var resultsFromEnd: Bool { [.cancelled, .servicesChanged, .peripheralDisconnected].contains(code) }
    /// Whether the device itself has refused the operation.
    fileprivate var isAnswer: Bool { if case .att = code { true } else { false } }
}
