import Devices
import Contract
import BlueZ
import Bluetooth
import Configuration
import EventLoop
import JSON
import Log
import System

/// Pairing with the device, and the handling of a lost or missing bond.
extension Device {
    /// Bonds with the device before its connection is used.
    func pair() {
        let answers: PairingAnswers
        do throws(InvalidValue) {
            answers = try pairingAnswers()
        } catch {
            // The session is still handling the event that caused this call: the failure must be reported afterwards.
            let failure = CentralError(.pairingFailed, name, "pair: cannot read the passkey: \(error.message)")
            return runOperation { device, _ in device.pairingFailed(failure) }
        }
        expectBond()
        runOperation { device, peripheral in
            do throws(CentralError) {
                return try await device.pair(with: peripheral, answers) ? .paired : device.passkeyUnused()
            } catch {
                return device.pairingFailed(error)
            }
        }
    }

    /// Reports a bond that was made without the configured passkey: anyone with the device's address could have made it.
    private func passkeyUnused() -> SessionEvent {
        let error = CentralError(
            .pairingFailed, name,
            "pair: the device made a bond without the configured passkey: remove passkey_file if the device has none")
        _ = pairingFailed(error)
        return .passkeyUnused(reason: error.message)
    }

    private func pairingFailed(_ error: CentralError) -> SessionEvent {
        if session.attempts == 0 {
            publisher.publish(.pairingFailed(device: name, reason: error.message), at: loop.timestamp)
        }
        failPairCommands(RequestError(error, on: name))
        return .pairingFailed(reason: error.message)
    }

    /// Returns the answers for a pairing: from the newest request to pair, or from the configuration without a request.
    ///
    /// - Throws: `InvalidValue` if the file with the passkey cannot be read.
    private func pairingAnswers() throws(InvalidValue) -> PairingAnswers {
        guard case .pair(let passkey)? = commands.pairCommand else {
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
    func expectBond() {
        let answers = expectedAnswers()
        callCentral { await $0.expectBond(with: $1, answers) }
    }

    private func expectedAnswers() -> PairingAnswers? {
        guard configuration.pair || commands.pairCommand != nil else { return nil }
        do throws(InvalidValue) {
            return try pairingAnswers()
        } catch {
            log.error("cannot read the passkey: \(error.message)")
            return PairingAnswers()
        }
    }

    /// Makes a bond, unless there is one.
    ///
    /// - Returns: Whether the bond can be used; false if the configured passkey was not used.
    /// - Throws: `CentralError` if there is no bond afterwards.
    private func pair(with peripheral: Peripheral, _ answers: PairingAnswers) async throws(CentralError) -> Bool {
        let isNew = await !peripheral.isBonded
        defer { bond.dropQuestion() }
        let wasAsked = try await central.pair(peripheral, with: answers)
        guard isNew else { return true }
        guard wasAsked || configuration.passkeyFile == nil else { return false }
        log.info("paired")
        publisher.publish(.paired(.device(name)), at: loop.timestamp)
        return true
    }

    // MARK: On request

    /// Executes the command `pair`.
    func pairNow(_ passkey: Passkey?) async throws(RequestError) -> CommandOutcome {
        guard let peripheral else { throw RequestError(.failed, "\(name): not started") }
        let answers = interactiveAnswers(passkey)
        do throws(CentralError) {
            if !bond.hasReconnected, await central.needsNewLink(peripheral, toPairWith: answers) {
                log.info("pairing: this kind of pairing needs a new connection: connecting again")
                bond.reconnecting()
                try await central.cancelConnection(peripheral)
                return .repeated
            }
            guard try await pair(with: peripheral, answers) else {
                try await central.unpair(peripheral)
                throw CentralError(.pairingFailed, name, "pair: the device made a bond without the configured passkey")
            }
            process(.paired)
        } catch {
            throw RequestError(error, on: name)
        }
        let response: JSON = [
            "device": .string(name), "address": .string("\(configuration.address)"), "bonded": true,
        ]
        return .finished(.success(response))
    }

    /// Returns answers that publish the device's question on the event topic.
    private func interactiveAnswers(_ passkey: Passkey?) -> PairingAnswers {
        PairingAnswers(passkey: passkey) { [weak self] question in
            self?.assumeIsolated { $0.ask(question) }
        } display: { [weak self] passkey in
            self?.assumeIsolated { $0.display(passkey) }
        }
    }

    private func ask(_ question: PairingQuestion) {
        bond.ask(question)
        log.info(
            "pairing: the device asks for a passkey: send the request pair again with \"passkey\", or set passkey_file")
        publisher.publish(GatewayEvent(question.subject, from: .device(name)), at: loop.timestamp)
    }

    private func display(_ passkey: Passkey) {
        publisher.publish(.passkeyDisplay(.device(name), passkey: passkey), at: loop.timestamp)
    }

    /// Publishes the identity address that the bond has revealed for the configured private address.
    func identified(as address: Address) {
        log.info("the identity address is \(address)", ["advice": "use it in the configuration"])
        publisher.publish(.identified(device: name, identity: address), at: loop.timestamp)
        publishInfo()
    }

    // MARK: Lost or missing

    /// Logs and publishes that the gateway or the device has lost the bond.
    func reportBondLoss(_ reason: String) {
        let isRenewed = session.plan.renewsBond
        let request =
            configuration.pair ? "send the requests unpair and pair" : "send the request pair, or set pair: true"
        log.warning("the bond is lost: \(reason)", ["remedy": isRenewed ? "pairing again" : request])
        publisher.publish(.bondLost(device: name, reason: reason, isRenewed: isRenewed), at: loop.timestamp)
    }

    /// Handles a failed access to a characteristic: ends a stuck connection, renews or reports a missing bond.
    func handleRejection(of characteristic: String, _ error: CentralError) {
        if error.indicatesStuckConnection {
            return process(.connectionStuck(reason: "\(characteristic): \(error.message)"))
        }
        guard error.code == .notPaired, session.phase == .ready else { return }
        if session.mayTryAgain(characteristic) {
            log.debug("\(characteristic) was rejected before the bond was made: trying again")
        } else if session.mayRenewBond {
            reportBondLoss("the device rejected \(characteristic): it has removed the bond")
        } else if bond.shouldReportRequirement() {
            reportRequirement(of: characteristic)
        }
        process(.bondRefused(characteristic))
    }

    private func reportRequirement(of characteristic: String) {
        let remedy =
            if !configuration.pair {
                "set pair: true"
            } else if session.plan.renewsBond {
                "the device may require a bond with a passkey: set passkey_file"
            } else {
                "the device may have lost the bond: send the requests unpair and pair"
            }
        log.warning("\(characteristic) requires a bond", ["remedy": remedy])
        publisher.publish(
            .bondRequired(device: name, characteristic: characteristic, remedy: remedy), at: loop.timestamp)
    }

    func forgetBond() {
        runOperation { device, peripheral in
            do throws(CentralError) {
                try await device.central.unpair(peripheral)
            } catch {
                device.log.warning(error.message)
            }
            return .ended
        }
    }
}
