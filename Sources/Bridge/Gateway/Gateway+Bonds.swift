internal import BlueZ
internal import Bluetooth
internal import Configuration
internal import EventLoop
internal import JSON
internal import Log

/// The requests `pair` and `unpair`, for configured devices and for others (contract, part 4).
extension Gateway {
    /// `pair {"device" | "address", "passkey"?}`: answered when there is a bond, or there will be none.
    ///
    /// What has to be shown to somebody, or asked, goes out as an event meanwhile; another `pair` brings the answer.
    func pair(_ request: Request) {
        do throws(RequestError) {
            let passkey = try Self.passkey(request.parameters)
            switch try subject(request.parameters) {
            case .device(let device):
                let command = DeviceCommand.pair(passkey)
                device.assumeIsolated { $0.accept(command, timeToLive: request.timeToLive, reply: request.reply) }
            case .stranger(let address): try pair(address, passkey, request)
            }
        } catch {
            outlet?.respond(.failure(error), to: request.reply)
        }
    }

    /// `unpair {"device" | "address"}`: makes bluetoothd forget the bond; a link is ended.
    ///
    /// A device that is configured with `pair: true` is paired with again when it is connected next.
    func unpair(_ request: Request) {
        let address: Address
        do throws(RequestError) {
            switch try subject(request.parameters) {
            case .device(let device): address = device.configuration.address
            case .stranger(let stranger): address = stranger
            }
        } catch {
            outlet?.respond(.failure(error), to: request.reply)
            return
        }
        let key = strangers.enter(address, request.reply)
        Task(executorPreference: loop.tasks) { await self.unpair(key) }
    }

    private func unpair(_ request: Strangers.Key) async {
        let address = request.address
        let peripheral = await central.peripheral(at: address)
        do throws(CentralError) {
            try await central.unpair(peripheral)
            log.info("unpaired", ["address": "\(address)"])
            announce("unpaired", address)
            finish(request, .success(["address": .string("\(address)"), "bonded": false]))
        } catch {
            finish(request, .failure(RequestError(error, on: "\(address)")))
        }
        await letGo(peripheral)
    }

    // MARK: Parameters

    private enum Subject {
        case device(Device)
        case stranger(Address)
    }

    /// Whom the request is about; a configured device also by its address.
    private func subject(_ parameters: JSON.Object) throws(RequestError) -> Subject {
        switch (parameters["device"], parameters["address"]) {
        case (let name?, nil):
            guard let name = name.string else {
                throw RequestError(.badRequest, "device: the name of one was expected, such as \"greenhouse\"")
            }
            guard let device = devices[name] else {
                throw RequestError(.unknownDevice, "\(name): there is no such device")
            }
            return .device(device)
        case (nil, let text?):
            guard let address = text.string.flatMap({ Address($0) }) else {
                throw RequestError(.badRequest, "address: one was expected, such as \"C0:00:00:00:00:01\"")
            }
            let device = devices.values.first { $0.configuration.address == address }
            return device.map { .device($0) } ?? .stranger(address)
        default:
            let example = "{\"device\": \"lock\"}"
            throw RequestError(.badRequest, "the name of a device or an address was expected, such as \(example)")
        }
    }

    private static func passkey(_ parameters: JSON.Object) throws(RequestError) -> Passkey? {
        guard let value = parameters["passkey"], !value.isNull else { return nil }
        guard let passkey = value.int.flatMap({ Passkey($0) }) ?? value.string.flatMap({ Passkey($0) }) else {
            throw RequestError(.badRequest, "passkey: up to six digits were expected, such as \"012345\"")
        }
        return passkey
    }

    // MARK: Strangers

    private func pair(_ address: Address, _ passkey: Passkey?, _ request: Request) throws(RequestError) {
        guard isBluetoothOn else { throw RequestError(.bluetoothOff, "\(address): \(bluetoothReason)") }
        if let passkey { strangers.answer(address, passkey) }
        guard strangers.count < Strangers.capacity else {
            throw RequestError(.busy, "\(address): \(Strangers.capacity) requests are being served already")
        }
        let key = strangers.enter(address, request.reply)
        Task(executorPreference: loop.tasks) { await self.pair(key, passkey, within: request.timeToLive) }
    }

    private func pair(_ request: Strangers.Key, _ passkey: Passkey?, within limit: Duration) async {
        let address = request.address
        let peripheral = await central.peripheral(at: address)
        do throws(CentralError) {
            if try await central.find(peripheral, within: limit) {
                try await central.pair(peripheral, with: answers(address, passkey))
                log.info("paired", ["address": "\(address)"])
                announce("paired", address)
                finish(request, .success(["address": .string("\(address)"), "bonded": true]))
                // Whom nobody has configured is not kept waiting.
                try await central.cancelConnection(peripheral)
            } else {
                let message = "\(address): it was not heard: bring it nearer, and wake it up"
                finish(request, .failure(RequestError(.expired, message)))
            }
        } catch {
            finish(request, .failure(RequestError(error, on: "\(address)")))
        }
        strangers.forgetQuestion(of: address)
        await letGo(peripheral)
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

    private func letGo(_ peripheral: Peripheral) async {
        let isWanted = devices.values.contains { $0.configuration.address == peripheral.address }
        if isWanted || strangers.concern(peripheral.address) { return }
        await central.release(peripheral)
    }

    /// Answers a request, unless it has been answered.
    private func finish(_ request: Strangers.Key, _ outcome: Result<JSON, RequestError>) {
        if let reply = strangers.leave(request) { outlet?.respond(outcome, to: reply) }
    }

    /// Answers all that is still open: the gateway stops.
    func dismissStrangers() {
        for reply in strangers.leaveAll() {
            outlet?.respond(.failure(RequestError(.failed, "the gateway stops")), to: reply)
        }
    }
}
