internal import BlueZ
internal import Bluetooth
internal import Configuration
internal import EventLoop
internal import JSON
internal import Log

/// The device's bond: made, lost, asked for.
extension Device {
    /// Bonds with the device before its link is used.
    func pair() {
        let answers: PairingAnswers
        do throws(Complaint) {
            answers = try pairingAnswers()
        } catch {
            // The session is not done yet with what led here.
            let failure = CentralError(.pairingFailed, name, "pair: the passkey cannot be read: \(error.sentence)")
            return onLink { device, _ in await device.pairingFailed(failure) }
        }
        expectBond()
        onLink { device, peripheral in
            do throws(CentralError) {
                try await device.pair(with: peripheral, answers)
                return .paired
            } catch {
                return await device.pairingFailed(error)
            }
        }
    }

    private func pairingFailed(_ error: CentralError) -> SessionEvent {
        log.warning(error.message)
        if session.attempts == 0 {
            outlet.announce("pairing_failed", device: name, ["reason": .string(error.message)], at: loop.timestamp)
        }
        for command in waiting where command.command.isPair {
            finish(command, .failure(RequestError(error, on: name)))
        }
        return .pairingFailed(reason: error.message)
    }

    /// Whoever asked for the bond answers its questions, else the configuration.
    ///
    /// - Throws: `Complaint` about the file with the passkey.
    private func pairingAnswers() throws(Complaint) -> PairingAnswers {
        let request = waiting.last { $0.command.isPair }
        guard case .pair(let passkey)? = request?.command else {
            return PairingAnswers(passkey: try configuredPasskey())
        }
        if let passkey { return interactiveAnswers(passkey) }
        return interactiveAnswers(try configuredPasskey())
    }

    private func configuredPasskey() throws(Complaint) -> Passkey? {
        guard let file = configuration.passkeyFile else { return nil }
        return try Secret.passkey(file.path)
    }

    /// Answers for the device from now on, whoever brings about the bond that is configured or asked for: the device
    /// itself may ask for it, or bluetoothd make it for a value that wants one.
    func expectBond() {
        let answers = expectedAnswers()
        onCentral { await $0.expectBond(with: $1, answers) }
    }

    private func expectedAnswers() -> PairingAnswers? {
        guard configuration.pair || waiting.contains(where: \.command.isPair) else { return nil }
        do throws(Complaint) {
            return try pairingAnswers()
        } catch {
            log.error("the passkey cannot be read: \(error.sentence)")
            return PairingAnswers()
        }
    }

    /// - Throws: `CentralError` when there is no bond afterwards.
    private func pair(with peripheral: Peripheral, _ answers: PairingAnswers) async throws(CentralError) {
        let isNew = await !peripheral.isBonded
        defer { question = nil }
        try await central.pair(peripheral, with: answers)
        guard isNew else { return }
        log.info("paired")
        outlet.announce("paired", device: name, at: loop.timestamp)
    }

    // MARK: On request

    /// Bonds with the device as somebody wants it now.
    func pairNow(_ passkey: Passkey?) async throws(RequestError) -> JSON {
        guard let peripheral else { throw RequestError(.failed, "\(name): not started") }
        let answers = interactiveAnswers(passkey)
        do throws(CentralError) {
            if !hasRelinked, await central.needsNewLink(peripheral, toPairWith: answers) {
                log.info("pairing: what the device may ask can be asked on a new link only")
                hasRelinked = true
                try await central.cancelConnection(peripheral)
                isToBeRepeated = true
            } else {
                try await pair(with: peripheral, answers)
                process(.paired)
            }
        } catch {
            throw RequestError(error, on: name)
        }
        return [
            "device": .string(name), "address": .string("\(configuration.address)"), "bonded": true,
        ]
    }

    private func interactiveAnswers(_ passkey: Passkey?) -> PairingAnswers {
        PairingAnswers(passkey: passkey) { [weak self] question in
            self?.assumeIsolated { $0.asked(question) }
        } display: { [weak self] passkey in
            self?.assumeIsolated { $0.display(passkey) }
        }
    }

    private func asked(_ question: PairingQuestion) {
        self.question = question
        log.info("pairing: the device's number is wanted: request pair once more, with it as passkey")
        outlet.announce(question.subject.event, device: name, question.subject.details, at: loop.timestamp)
    }

    private func display(_ passkey: Passkey) {
        outlet.announce("passkey_display", device: name, ["passkey": .string("\(passkey)")], at: loop.timestamp)
    }

    /// A request brings the answer to an earlier one's question.
    func answerQuestion(_ passkey: Passkey?) {
        guard let passkey, let question else { return }
        self.question = nil
        question.answer(passkey)
    }

    /// The bond has told whose the private address is by which it was configured.
    func identified(as address: Address) {
        log.info("its identity address is \(address)", ["advice": "write that into the configuration"])
        outlet.announce("identified", device: name, ["identity": .string("\(address)")], at: loop.timestamp)
        publishInfo()
    }

    // MARK: Lost, or missing

    /// The bond has gone, without our doing, on one of the sides.
    func bondLost(_ reason: String) {
        let isRenewed = configuration.pair
        log.warning(
            "the bond is lost: \(reason)",
            ["remedy": isRenewed ? "it is paired with anew" : "request pair, or set pair: true"])
        outlet.announce(
            "bond_lost", device: name, ["reason": .string(reason), "renewed": .bool(isRenewed)], at: loop.timestamp)
    }

    /// An operation on a characteristic was refused; where that is for want of a bond, sees to it.
    func refused(_ characteristic: String, _ error: CentralError) {
        if error.isOfStuckLink { return process(.linkStuck(reason: "\(characteristic): \(error.message)")) }
        guard error.code == .notPaired, session.phase == .ready else { return }
        if session.mayTryAgain(characteristic) {
            log.debug("\(characteristic) was refused before there was a bond: trying again")
        } else if session.mayRenewBond {
            bondLost("\(characteristic) was refused: the device does not know it any more")
        } else if !isBondRequirementTold {
            // Once is enough: it concerns every value, each time.
            isBondRequirementTold = true
            tellBondRequirement(characteristic)
        }
        process(.bondRefused(characteristic))
    }

    private func tellBondRequirement(_ characteristic: String) {
        let remedy = configuration.pair ? "a bond with a passkey may be wanted: set passkey_file" : "set pair: true"
        log.warning("\(characteristic) wants a bond", ["remedy": remedy])
        outlet.announce(
            "bond_required", device: name, ["characteristic": .string(characteristic), "remedy": .string(remedy)],
            at: loop.timestamp)
    }

    func forgetBond() {
        onLink { device, peripheral in
            do throws(CentralError) {
                try await device.central.unpair(peripheral)
            } catch {
                device.log.warning(error.message)
            }
            return .ended
        }
    }
}

extension PairingQuestion.Subject {
    /// The type of the event that puts the question.
    var event: String {
        switch self {
        case .passkey: "passkey_request"
        case .comparison: "confirm"
        }
    }

    var details: JSON.Object {
        switch self {
        case .passkey: [:]
        case .comparison(let number): ["number": .string("\(number)")]
        }
    }
}
