internal import BlueZ
internal import Bluetooth
internal import Configuration
internal import EventLoop
internal import JSON
internal import Log

/// Bonds on request, with configured devices and with others.
extension Gateway {
    /// Bonds with a device; answered when there is a bond, or there will be none.
    ///
    /// What has to be shown to somebody, or asked, goes out as an event meanwhile; another `pair` brings the answer.
    func pair(_ partner: GatewayCommand.Partner, _ passkey: Passkey?, _ request: Request) {
        withSubject(of: partner, request) { subject in
            switch subject {
            case .device(let device):
                let command = DeviceCommand.pair(passkey)
                device.assumeIsolated { $0.accept(command, timeToLive: request.timeToLive, reply: request.reply) }
            case .stranger(let address):
                if let passkey { strangers.answer(address, passkey) }
                answer(request) { gateway throws(RequestError) in
                    try await gateway.pair(address, passkey, within: request.timeToLive)
                }
            }
        }
    }

    /// Makes bluetoothd forget a bond; a link is ended.
    ///
    /// A device with `pair: true` is paired with again when it is connected next.
    func unpair(_ partner: GatewayCommand.Partner, _ request: Request) {
        withSubject(of: partner, request) { subject in
            let address = subject.address
            answer(request) { gateway throws(RequestError) in try await gateway.unpair(address) }
        }
    }

    private func unpair(_ address: Address) async throws(RequestError) -> JSON {
        try checkBluetooth()
        strangers.enter(address)
        defer { if strangers.leave(address) { forget(address) } }
        do throws(CentralError) {
            try await central.unpair(central.peripheral(at: address))
        } catch {
            throw RequestError(error, on: "\(address)")
        }
        log.always.info("unpaired", ["address": "\(address)"])
        announce("unpaired", address)
        return ["address": .string("\(address)"), "bonded": false]
    }

    // MARK: Whom it is about

    private enum Subject {
        case device(Device)
        case stranger(Address)

        var address: Address {
            switch self {
            case .device(let device): device.configuration.address
            case .stranger(let address): address
            }
        }
    }

    private func withSubject(
        of partner: GatewayCommand.Partner, _ request: Request, _ body: (Subject) -> Void
    ) {
        switch partner {
        case .device(let name):
            guard let device = device(asked: name) else {
                let error = RequestError(.unknownDevice, "\(name): there is no such device")
                outlet?.respond(.failure(error), to: request.reply)
                return
            }
            body(.device(device))
        case .address(let address):
            // A configured device also by its address.
            body(device(at: address).map { .device($0) } ?? .stranger(address))
        }
    }

    // MARK: Strangers

    private func pair(
        _ address: Address, _ passkey: Passkey?, within limit: Duration
    ) async throws(RequestError) -> JSON {
        try checkBluetooth()
        try await withStranger(address, within: limit) { gateway, peripheral throws(CentralError) in
            try await gateway.central.pair(peripheral, with: gateway.answers(address, passkey))
            gateway.log.always.info("paired", ["address": "\(address)"])
            gateway.announce("paired", address)
        }
        return ["address": .string("\(address)"), "bonded": true]
    }

    /// How long a stranger may take to be heard.
    private static let patience = Duration.seconds(30)

    /// Looks for a peripheral that nobody has configured or keeps connected, connects to it and does something with it,
    /// and lets go of it, unless another request is about it.
    ///
    /// - Parameters:
    ///   - limit: how long it may take until the link is up.
    ///   - body: makes the link first.
    /// - Throws: `RequestError`, `expired` when it took longer.
    func withStranger<Outcome: Sendable>(
        _ address: Address, within limit: Duration,
        _ body: (isolated Gateway, Peripheral) async throws(CentralError) -> Outcome
    ) async throws(RequestError) -> Outcome {
        strangers.enter(address)
        let peripheral = await central.peripheral(at: address)
        let deadline = loop.now + limit
        let outcome: Result<Outcome, RequestError>
        do throws(CentralError) {
            try await central.find(peripheral, within: min(limit, Self.patience))
            let expiry = loop.schedule(after: deadline - loop.now) { [weak self] in
                self?.assumeIsolated { $0.giveUp(peripheral) }
            }
            defer { expiry.cancel() }
            outcome = .success(try await body(self, peripheral))
        } catch {
            let isLate = loop.now >= deadline && (error.code == .notFound || error.code == .cancelled)
            let expired = RequestError(.expired, "\(address): it could not be connected within \(limit.text)")
            outcome = .failure(isLate ? expired : RequestError(error, on: "\(address)"))
        }
        // It is not kept waiting; one that does not go down now is ended when the gateway starts the next time.
        if strangers.isLast(address) { try? await central.cancelConnection(peripheral) }
        if strangers.leave(address) { forget(address) }
        return try outcome.get()
    }

    /// The link was to be up by now.
    private func giveUp(_ peripheral: Peripheral) {
        guard !peripheral.assumeIsolated({ $0.isConnected }) else { return }
        Task(executorPreference: loop.tasks) { [central] in try? await central.cancelConnection(peripheral) }
    }

    private func answers(_ address: Address, _ passkey: Passkey?) -> PairingAnswers {
        PairingAnswers(passkey: passkey) { [weak self] question in
            self?.assumeIsolated { $0.asked(question) }
        } display: { [weak self] passkey in
            self?.assumeIsolated { $0.announce("passkey_display", address, ["passkey": .string("\(passkey)")]) }
        }
    }

    private func asked(_ question: PairingQuestion) {
        strangers.ask(question)
        announce(question.subject.event, question.peripheral, question.subject.details)
    }

    private func announce(_ type: String, _ address: Address, _ details: JSON.Object = [:]) {
        var members: JSON.Object = ["address": .string("\(address)")]
        for member in details { members[member.name] = member.value }
        outlet?.announce(type, members, at: loop.timestamp)
    }
}
