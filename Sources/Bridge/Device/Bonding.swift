import BlueZ
import Bluetooth
import Configuration
import Contract
import Devices
import EventLoop
import Log
import System

/// Pairs with one device, and handles a lost or missing bond.
///
/// The state: the open question of a pairing, and the steps that must not be repeated.
final class Bonding: LoopPart {
    private let configuration: Configuration.Device
    private let central: Central
    private let output: DevicePublisher
    let loop: EventLoop
    /// Called when pairing has failed; the queued requests to pair must fail.
    private let onFailure: (CentralError) -> Void

    /// The peripheral; nil before the start.
    private var peripheral: Peripheral?
    /// The question of a pairing that waits for an answer; nil if there is none.
    private var question: PairingQuestion?
    /// Whether the connection was ended so that pairing can use a new connection.
    private var hasReconnected = false
    /// Whether `bond_required` has been published since the last bond.
    private var isRequirementReported = false

    /// - Parameters:
    ///   - configuration: The configuration of the device.
    ///   - central: Makes and removes bonds.
    ///   - output: Publishes the events.
    ///   - loop: The event loop of the device.
    ///   - onFailure: Called when pairing has failed.
    init(
        _ configuration: Configuration.Device, _ central: Central, _ output: DevicePublisher,
        loop: EventLoop,
        onFailure: @escaping (CentralError) -> Void
    ) {
        self.configuration = configuration
        self.central = central
        self.output = output
        self.loop = loop
        self.onFailure = onFailure
    }

    private var name: String { configuration.name }
    private var log: Log { output.log }

    func start(_ peripheral: Peripheral) {
        self.peripheral = peripheral
        expectBond(nil)
    }

    /// Rejects pairings that the device or bluetoothd may start.
    func stop() {
        register(nil)
    }

    // MARK: Answers

    /// Makes the answers for a pairing.
    ///
    /// - Parameter request: The newest queued command to pair; nil if there is none.
    /// - Returns: The answers from the request, or from the configuration without a request.
    /// - Throws: `InvalidValue` if the file with the passkey cannot be read.
    func answers(to request: DeviceCommand?) throws(InvalidValue) -> PairingAnswers {
        guard case .pair(let passkey)? = request else {
            return PairingAnswers(passkey: try configuredPasskey())
        }
        if let passkey { return interactiveAnswers(passkey) }
        return interactiveAnswers(try configuredPasskey())
    }

    private func configuredPasskey() throws(InvalidValue) -> Passkey? {
        guard let file = configuration.passkeyFile else { return nil }
        return try Secret.passkey(file.path)
    }

    /// Registers the answers for a pairing that the device or bluetoothd may start.
    ///
    /// - Parameter request: The newest queued command to pair; nil if there is none.
    func expectBond(_ request: DeviceCommand?) {
        register(expectedAnswers(request))
    }

    private func register(_ answers: PairingAnswers?) {
        guard let peripheral else { return }
        spawn { await $0.central.expectBond(with: peripheral, answers) }
    }

    private func expectedAnswers(_ request: DeviceCommand?) -> PairingAnswers? {
        guard configuration.pair || request != nil else { return nil }
        do throws(InvalidValue) {
            return try answers(to: request)
        } catch {
            log.error("cannot read the passkey: \(error.message)")
            return PairingAnswers()
        }
    }

    /// Returns answers that publish the device's question on the event topic.
    private func interactiveAnswers(_ passkey: Passkey?) -> PairingAnswers {
        PairingAnswers(passkey: passkey, ask: handler { $0.ask($1) }, display: handler { $0.display($1) })
    }

    /// Publishes a question, and stores it until a request supplies the passkey.
    func ask(_ question: PairingQuestion) {
        self.question = question
        log.info(
            "pairing: the device asks for a passkey: send the request pair again with \"passkey\", or set passkey_file")
        output.publish(GatewayEvent(question.subject, from: .device(name)))
    }

    /// Publishes a passkey that must be entered at the device.
    func display(_ passkey: Passkey) {
        output.publish(.passkeyDisplay(.device(name), passkey: passkey))
    }

    /// Handles a queued command to pair: its passkey answers the open question, if there is one.
    func requested(_ request: DeviceCommand?, _ passkey: Passkey?) {
        if let passkey, let question {
            self.question = nil
            question.answer(passkey)
        }
        expectBond(request)
    }

    /// Handles that a command to pair has been answered.
    ///
    /// - Parameter request: The newest command to pair that is still queued; nil if there is none.
    func requestEnded(_ request: DeviceCommand?) {
        hasReconnected = false
        expectBond(request)
    }

    // MARK: Pairing

    /// Bonds with the device before its connection is used.
    ///
    /// - Returns: The event for the session; nil if the connection has ended, which is reported by itself.
    func pairForSession(_ peripheral: Peripheral, _ answers: PairingAnswers) async -> SessionEvent? {
        do throws(CentralError) {
            return try await pair(with: peripheral, answers) ? .paired : passkeyUnused()
        } catch {
            guard error.code != .peripheralDisconnected else { return nil }
            return failed(error.naming(passkeyFile: configuration.passkeyFile?.path))
        }
    }

    /// Reports a bond that was made without the configured passkey: anyone with the device's address could have made it.
    private func passkeyUnused() -> SessionEvent {
        let error = CentralError(
            .pairingFailed, name,
            "pair: the device made a bond without the configured passkey: remove passkey_file if the device has none")
        _ = failed(error)
        return .passkeyUnused(reason: error.message)
    }

    /// Reports a failed pairing; returns the event for the session.
    func failed(_ error: CentralError) -> SessionEvent {
        onFailure(error)
        return .pairingFailed(reason: error.message)
    }

    /// Makes a bond, unless there is one.
    ///
    /// - Returns: Whether the bond can be used; false if the configured passkey was not used.
    /// - Throws: `CentralError` if there is no bond afterwards.
    private func pair(with peripheral: Peripheral, _ answers: PairingAnswers) async throws(CentralError) -> Bool {
        let isNew = await !peripheral.isBonded
        defer { question = nil }
        let wasAsked = try await central.pair(peripheral, with: answers)
        guard isNew else { return true }
        guard wasAsked || configuration.passkeyFile == nil else { return false }
        log.info("paired")
        output.publish(.paired(.device(name)))
        return true
    }

    /// Bonds with the device on request.
    ///
    /// - Parameters:
    ///   - passkey: The passkey of the request; nil: it has none.
    ///   - peripheral: The connected device.
    ///   - willReconnect: Called before the connection is ended because the pairing needs a new one.
    /// - Returns: Whether there is a bond; false if the pairing must be repeated on the next connection.
    /// - Throws: `CentralError` if pairing fails.
    func pairNow(
        _ passkey: Passkey?, with peripheral: Peripheral, willReconnect: () -> Void
    ) async throws(CentralError) -> Bool {
        do {
            return try await makeBond(passkey, with: peripheral, willReconnect)
        } catch {
            throw error.naming(passkeyFile: passkey == nil ? configuration.passkeyFile?.path : nil)
        }
    }

    private func makeBond(
        _ passkey: Passkey?, with peripheral: Peripheral, _ willReconnect: () -> Void
    ) async throws(CentralError) -> Bool {
        let answers = interactiveAnswers(passkey)
        if !hasReconnected, await central.needsNewLink(peripheral, toPairWith: answers) {
            log.info("pairing: this kind of pairing needs a new connection: connecting again")
            hasReconnected = true
            willReconnect()
            try await central.cancelConnection(peripheral)
            return false
        }
        guard try await pair(with: peripheral, answers) else {
            try await central.unpair(peripheral)
            throw CentralError(.pairingFailed, name, "pair: the device made a bond without the configured passkey")
        }
        return true
    }

    /// Notes a new bond: `bond_required` may be published again.
    func bonded() {
        isRequirementReported = false
    }

    // MARK: Lost or missing

    /// Logs and publishes that the gateway or the device has lost the bond.
    func reportLoss(_ reason: String) {
        let request =
            configuration.pair ? "send the requests unpair and pair" : "send the request pair, or set pair: true"
        log.warning("the bond is lost: \(reason)", ["remedy": isRenewed ? "pairing again" : request])
        output.publish(.bondLost(device: name, reason: reason, isRenewed: isRenewed))
    }

    /// Whether a lost bond is renewed without a request.
    private var isRenewed: Bool { SessionPlan(configuration).renewsBond }

    /// Handles a failed access to a characteristic: reports a missing bond.
    ///
    /// - Returns: The event for the session, which ends a stuck connection or renews the bond; nil if there is none.
    func accessFailed(_ characteristic: String, _ error: CentralError, _ session: Session) -> SessionEvent? {
        if error.indicatesStuckConnection {
            return .connectionStuck(reason: "\(characteristic): \(error.message)")
        }
        guard error.code == .notPaired, session.phase == .ready else { return nil }
        if session.mayTryAgain(characteristic) {
            log.debug("\(characteristic) was rejected before the bond was made: trying again")
        } else if session.mayRenewBond {
            reportLoss("the device rejected \(characteristic): it has removed the bond")
        } else if !isRequirementReported {
            // Without a bond, the device rejects each further access for the same reason.
            isRequirementReported = true
            reportRequirement(of: characteristic)
        }
        return .bondRefused(characteristic)
    }

    private func reportRequirement(of characteristic: String) {
        let remedy =
            if !configuration.pair {
                GatewayEvent.pairingRemedy
            } else if isRenewed {
                "the device may require a bond with a passkey: set passkey_file"
            } else {
                "the device may have lost the bond: send the requests unpair and pair"
            }
        log.warning("\(characteristic) requires a bond", ["remedy": remedy])
        output.publish(.bondRequired(device: name, characteristic: characteristic, remedy: remedy))
    }
}
