internal import BlueZ
internal import Codec
internal import Configuration
internal import EventLoop
internal import JSON
internal import Log

/// Commands: accepted, queued, carried out one after the other, each answered once.
extension Device {
    func accept(_ command: DeviceCommand, timeToLive: Duration, reply: ReplyAddress) {
        do throws(RequestError) {
            try check(command)
        } catch {
            return outlet.respond(.failure(error), to: reply)
        }
        commandCount += 1
        let identifier = commandCount
        let expiry = loop.schedule(after: timeToLive) { [weak self] in self?.assumeIsolated { $0.expire(identifier) } }
        let pending = PendingCommand(identifier: identifier, command: command, reply: reply, expiry: expiry)
        switch command {
        case .disconnect(let pause): disconnect(pending, pause)
        case .rssi: answerStrength(pending)
        case .collect:
            collectors.append(pending)
            process(.collectRequested)
        case .pair(let passkey):
            answerQuestion(passkey)
            waiting.append(pending)
            expectBond()
            process(.demanded)
        case .read, .set, .write, .subscribe, .connect, .discover, .inspect:
            let overtaken = overtaken(by: command)
            waiting.append(pending)
            process(.demanded)
            for earlier in overtaken {
                finish(earlier, .failure(RequestError(.superseded, "\(name): a newer value was set")))
            }
        }
    }

    /// What can be refused without asking the device.
    private func check(_ command: DeviceCommand) throws(RequestError) {
        if let reason = presence.farewell { throw RequestError(.failed, "\(name): \(reason)") }
        if let name = command.characteristic {
            guard let channel = channel(named: name) else {
                if advertised.contains(where: { $0.quantity.name == name }) {
                    throw RequestError(.notSupported, "\(self.name)/\(name): it is advertised, and cannot be asked for")
                }
                throw RequestError(
                    .unknownCharacteristic, "\(self.name)/\(name): no such characteristic; \(characteristicsInWords)")
            }
            if let value = command.value {
                guard channel.configuration.write != nil else {
                    throw RequestError(
                        .notAllowed, "\(self.name)/\(name): nothing may be written: set write: true")
                }
                _ = try bytes(value, for: channel)
            }
        }
        if case .disconnect = command { return }
        if case .rssi = command { return }
        guard configuration.connect != .never else {
            throw RequestError(.notSupported, "\(name): never connected to (connect: never)")
        }
        guard session.isBluetoothOn else {
            throw RequestError(.bluetoothOff, "\(name): Bluetooth is off or not available")
        }
        if session.isPaused {
            guard case .connect = command else {
                throw RequestError(.busy, "\(name): paused on request; connect ends the pause")
            }
        }
        guard waiting.count + collectors.count - overtaken(by: command).count < Self.capacity else {
            throw RequestError(.busy, "\(name): \(Self.capacity) commands are waiting already")
        }
    }

    /// “there are temperature, humidity”
    private var characteristicsInWords: String {
        let names = channels.map(\.name)
        let words = names.isEmpty ? "it has none" : "there are \(names.joined(separator: ", "))"
        let quantities = advertised.map(\.quantity.name)
        return quantities.isEmpty ? words : "\(words), and it advertises \(quantities.joined(separator: ", "))"
    }

    /// The commands that a newer one makes pointless: those that have not been begun.
    private func overtaken(by command: DeviceCommand) -> [PendingCommand] {
        waiting.filter { $0.identifier != serving?.identifier && command.supersedes($0.command) }
    }

    private func expire(_ identifier: Int) {
        guard serving?.identifier != identifier,
            let command = (waiting + collectors).first(where: { $0.identifier == identifier })
        else { return }
        finish(command, .failure(RequestError(.expired, "\(name): the device did not get to it in time")))
    }

    /// Answers a command, which is then done with.
    func finish(_ command: PendingCommand, _ outcome: Result<JSON, RequestError>) {
        command.expiry.cancel()
        outlet.respond(outcome, to: command.reply)
        let isWaiting = waiting.contains { $0.identifier == command.identifier }
        waiting.removeAll { $0.identifier == command.identifier }
        collectors.removeAll { $0.identifier == command.identifier }
        if serving?.identifier == command.identifier { serving = nil }
        if command.command.isPair {
            hasRelinked = false
            expectBond()
        }
        if isWaiting { process(.demandEnded) }
    }

    /// Answers all commands, of which nothing more will come.
    func giveUpCommands(_ code: RequestError.Code, _ reason: String) {
        for command in waiting + collectors { finish(command, .failure(RequestError(code, "\(name): \(reason)"))) }
    }

    /// Carries out the next command that waits for the link.
    func serve() {
        guard serving == nil, session.phase == .ready, let next = waiting.first else { return }
        serving = next
        servingCount += 1
        let (command, number) = (next.command, servingCount)
        Task(executorPreference: loop.tasks) { await self.carryOut(command, number) }
    }

    private func carryOut(_ command: DeviceCommand, _ number: Int) async {
        let outcome = await execute(command)
        let isToBeRepeated = isToBeRepeated
        self.isToBeRepeated = false
        // It may have been answered meanwhile, because Bluetooth was switched off, or have been put off.
        if let serving, number == servingCount {
            if isToBeRepeated { return putBack() }
            finish(serving, outcome)
        }
        serve()
    }

    /// The services change under the command that is being carried out: what may be done twice waits until they are known
    /// again.
    func putOff() {
        switch serving?.command {
        case .read, .subscribe, .discover, .inspect: putBack()
        case .set, .write, .connect, .disconnect, .collect, .rssi, .pair, nil: break
        }
    }

    /// What is being served waits once more, unless its time has ended meanwhile.
    private func putBack() {
        guard let command = serving else { return }
        serving = nil
        if command.expiry.due <= loop.now { expire(command.identifier) }
    }

    private func execute(_ command: DeviceCommand) async -> Result<JSON, RequestError> {
        do throws(RequestError) {
            switch command {
            case .read(let name): return .success(try await readNow(name))
            case .set(let name, let value): return .success(try await write(value, to: name, nil))
            case .write(let name, let value, let policy):
                return .success(try await write(value, to: name, policy))
            case .subscribe(let name, let isWanted): return .success(try await setNotify(isWanted, name))
            case .discover: return .success(try await discoverEverything())
            case .inspect: return .success(try await inspect())
            case .connect: return .success(connectionStatus.json(at: loop.timestamp))
            case .pair(let passkey): return .success(try await pairNow(passkey))
            case .disconnect, .collect, .rssi: preconditionFailure("\(command) does not wait for the link")
            }
        } catch {
            return .failure(error)
        }
    }

    /// What a failed operation on a characteristic is to the asker.
    private func refusal(_ error: CentralError, of name: String) -> RequestError {
        // Another bond is made, or there is one by now, and then it is asked again.
        isToBeRepeated = error.code == .notPaired && (session.mayRenewBond || session.mayTryAgain(name))
        refused(name, error)
        return RequestError(error, on: "\(self.name)/\(name)")
    }

    // MARK: Each command

    private func found(
        _ name: String
    ) throws(RequestError) -> (Channel, BlueZ.Characteristic, Peripheral) {
        guard let channel = channel(named: name), let peripheral else {
            throw RequestError(.unknownCharacteristic, "\(self.name)/\(name): no such characteristic")
        }
        guard let characteristic = channel.characteristic else {
            throw RequestError(.notFound, "\(self.name)/\(name): the device has no such characteristic")
        }
        return (channel, characteristic, peripheral)
    }

    private func readNow(_ name: String) async throws(RequestError) -> JSON {
        let (channel, characteristic, peripheral) = try found(name)
        let bytes: [UInt8]
        do {
            bytes = try await peripheral.readValue(of: characteristic)
        } catch {
            throw refusal(error, of: name)
        }
        guard let received = decoded(bytes, of: channel.name) else {
            throw RequestError(
                .failed, "\(self.name)/\(name): the bytes \(bytes.hexadecimal) do not fit the format")
        }
        process(.obtained(name, isNotification: false))
        var members: [(String, JSON)] = [("characteristic", .string(name))]
        members += received.record.members.map { ($0.name, JSON($0.value)) }
        return .object(JSON.Object(members))
    }

    private func write(
        _ value: JSON, to name: String, _ policy: Configuration.Characteristic.WritePolicy?
    ) async throws(RequestError) -> JSON {
        let (channel, characteristic, peripheral) = try found(name)
        let bytes = try bytes(value, for: channel)
        let type = WriteType(policy ?? channel.configuration.write ?? .withResponse)
        let isConfirmed = type != .withoutResponse
        guard bytes.count <= characteristic.maximumWriteLength(withResponse: isConfirmed) else {
            let most = characteristic.maximumWriteLength(withResponse: isConfirmed)
            throw RequestError(.invalidValue, "\(self.name)/\(name): \(bytes.count) bytes; \(most) can be written")
        }
        do {
            try await peripheral.writeValue(bytes, of: characteristic, type)
        } catch {
            throw refusal(error, of: name)
        }
        // Its readings are to show what it is now; what is subscribed tells that by itself.
        if channel.configuration.read != nil, !channel.configuration.subscribe { read(name) }
        return ["characteristic": .string(name), "hex": .string(bytes.hexadecimal), "response": .bool(isConfirmed)]
    }

    /// The bytes of a value to write: by the format, or as they are.
    private func bytes(_ value: JSON, for channel: Channel) throws(RequestError) -> [UInt8] {
        let object = "\(name)/\(channel.name)"
        if let members = value.object, members.count == 1 {
            if let text = members["hex"]?.string {
                guard let bytes = [UInt8](hexadecimal: text) else {
                    throw RequestError(.invalidValue, "\(object): hex: pairs of hexadecimal digits were expected")
                }
                return bytes
            }
            if let text = members["base64"]?.string {
                guard let bytes = Base64.decode(text) else {
                    throw RequestError(.invalidValue, "\(object): base64: not base64 (RFC 4648)")
                }
                return bytes
            }
        }
        guard let format = channel.format else {
            throw RequestError(.invalidValue, "\(object): no format is known: write {\"hex\": \"0a01\"}")
        }
        guard let value = Value(value) else {
            throw RequestError(.invalidValue, "\(object): a number in \(value) has more digits than any field holds")
        }
        do {
            return try format.encode(value)
        } catch {
            throw RequestError(.invalidValue, "\(object): \(error)")
        }
    }

    private func setNotify(_ isWanted: Bool, _ name: String) async throws(RequestError) -> JSON {
        let (_, characteristic, peripheral) = try found(name)
        do {
            try await peripheral.setNotify(isWanted, for: characteristic)
        } catch {
            throw refusal(error, of: name)
        }
        return ["characteristic": .string(name), "subscribed": .bool(isWanted)]
    }

    private func discoverEverything() async throws(RequestError) -> JSON {
        guard let peripheral else { throw RequestError(.failed, "\(name): not started") }
        do {
            let services = try await peripheral.discoverServices()
            return ["services": .array(services.map { JSON($0) })]
        } catch {
            throw RequestError(error, on: name)
        }
    }

    private func inspect() async throws(RequestError) -> JSON {
        guard let peripheral else { throw RequestError(.failed, "\(name): not started") }
        do {
            return try await InspectedDevice(peripheral).json
        } catch {
            throw RequestError(error, on: name)
        }
    }

    private func answerStrength(_ command: PendingCommand) {
        let strength = peripheral?.assumeIsolated { ($0.rssi, $0.lastHeard) }
        guard let strength, let rssi = strength.0, let heard = strength.1 else {
            let error = RequestError(.notFound, "\(name): it has not been heard yet")
            return finish(command, .failure(error))
        }
        let age = (loop.now - heard).nanoseconds / 1_000_000
        finish(command, .success(["rssi": .number(JSON.Number(rssi)), "age_ms": .number(JSON.Number(age))]))
    }

    private func disconnect(_ command: PendingCommand, _ pause: Duration?) {
        giveUpCommands(.superseded, "a disconnect was requested")
        pauseEnd = pause.map { Timestamp(milliseconds: loop.timestamp.milliseconds + $0.nanoseconds / 1_000_000) }
        process(.letGo(pause: pause))
        leavers.append(command)
        answerLeavers()
    }

    /// Answers the requests to disconnect once the link is down.
    func answerLeavers() {
        // Where another command waits, the device is looked for again at once.
        guard session.phase != .ending else { return }
        let commands = leavers
        leavers = []
        for command in commands { finish(command, .success(connectionStatus.json(at: loop.timestamp))) }
    }
}

extension WriteType {
    fileprivate init(_ policy: Configuration.Characteristic.WritePolicy) {
        switch policy {
        case .withResponse: self = .withResponse
        case .withoutResponse: self = .withoutResponse
        case .reliable: self = .reliable
        }
    }
}
