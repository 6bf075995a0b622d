import Survey
import Devices
import Contract
import BlueZ
import Bluetooth
import Codec
import Configuration
import EventLoop
import JSON
import Log
import System

typealias CommandOutcome = CommandQueue<ReplyAddress>.Outcome

/// Checks and executes commands.
extension Device {
    /// Checks a command before it is queued.
    ///
    /// - Throws: `RequestError` if the command cannot succeed.
    func check(_ command: DeviceCommand) throws(RequestError) {
        if let reason = status.presence.stopReason { throw RequestError(.failed, "\(name): \(reason)") }
        if let characteristic = command.characteristic {
            if let value = command.value {
                _ = try bytes(value, for: try writable(characteristic))
            } else {
                _ = try configured(characteristic)
            }
        }
        if case .disconnect = command { return }
        if case .rssi = command { return }
        guard configuration.connect != .never else {
            throw RequestError(
                .notSupported,
                "\(name): not connectable: the configuration contains \"connect: never\"")
        }
        guard session.isBluetoothOn else {
            throw RequestError(.bluetoothOff, "\(name): Bluetooth is off or unavailable: see bluefleet doctor")
        }
        if session.isPaused {
            guard case .connect = command else {
                throw RequestError(.busy, "\(name): paused by a disconnect request: the request connect ends the pause")
            }
        }
    }

    /// Returns why no value can be written to a characteristic; nil if values can be written.
    func obstacle(toWriting characteristic: String) -> RequestError? {
        do throws(RequestError) {
            _ = try writable(characteristic)
            return nil
        } catch {
            return error
        }
    }

    private func writable(_ characteristic: String) throws(RequestError) -> CharacteristicBinding {
        let binding = try configured(characteristic)
        guard binding.configuration.write != nil else {
            throw RequestError(
                .notAllowed,
                "\(name)/\(characteristic): write rejected: the configuration does not allow it. "
                    + "Add \"write: true\" to this characteristic.")
        }
        return binding
    }

    private func configured(_ characteristic: String) throws(RequestError) -> CharacteristicBinding {
        if let binding = binding(named: characteristic) { return binding }
        let object = "\(name)/\(characteristic)"
        if advertised.quantities.contains(where: { $0.name == characteristic }) {
            throw RequestError(.notSupported, "\(object): advertised quantities cannot be read or written")
        }
        throw RequestError(.unknownCharacteristic, "\(object): no such characteristic; \(offer)")
    }

    /// The names of characteristics and quantities for messages: `configured: temperature, humidity; advertised:
    /// battery`.
    private var offer: String {
        let configured = bindings.isEmpty ? "none" : bindings.map(\.name).joined(separator: ", ")
        let quantities = advertised.quantities.map(\.name)
        return "configured: \(configured)"
            + (quantities.isEmpty ? "" : "; advertised: \(quantities.joined(separator: ", "))")
    }

    /// Executes a command on the connection.
    func outcome(of command: DeviceCommand) async -> CommandOutcome {
        do throws(RequestError) {
            switch command {
            case .read(let name): return try await readNow(name)
            case .set(let name, let value, _): return try await write(value, to: name, nil)
            case .write(let name, let value, let policy): return try await write(value, to: name, policy)
            case .subscribe(let name, let isWanted): return try await setNotify(isWanted, name)
            case .discover: return try await discoverEverything()
            case .inspect: return try await inspect()
            case .connect: return .finished(.success(connectionStatus.json(at: loop.timestamp)))
            case .pair(let passkey): return try await pairNow(passkey)
            case .disconnect, .collect, .rssi: preconditionFailure("\(command) is not executed on a connection")
            }
        } catch {
            return .finished(.failure(error))
        }
    }

    /// Handles the failed access of a command to a characteristic, and returns the outcome of the command.
    private func rejected(_ error: CentralError, _ name: String) -> CommandOutcome {
        // With a new bond the command may succeed: it is executed again.
        let isRepeated = error.code == .notPaired && (session.mayRenewBond || session.mayTryAgain(name))
        handleRejection(of: name, error)
        return isRepeated ? .repeated : .finished(.failure(RequestError(error, on: "\(self.name)/\(name)")))
    }

    // MARK: Characteristics

    private func present(
        _ name: String
    ) throws(RequestError) -> (CharacteristicBinding, BlueZ.Characteristic, Peripheral) {
        guard let binding = binding(named: name), let peripheral else {
            throw RequestError(.unknownCharacteristic, "\(self.name)/\(name): no such characteristic; \(offer)")
        }
        guard let characteristic = binding.characteristic else {
            throw RequestError(.notFound, "\(self.name)/\(name): the device does not have this characteristic")
        }
        return (binding, characteristic, peripheral)
    }

    private func readNow(_ name: String) async throws(RequestError) -> CommandOutcome {
        let (binding, characteristic, peripheral) = try present(name)
        let bytes: [UInt8]
        do {
            bytes = try await peripheral.readValue(of: characteristic)
        } catch {
            return rejected(error, name)
        }
        guard let received = decode(read: bytes, of: binding.name) else {
            throw RequestError(
                .failed, "\(self.name)/\(name): the bytes \(bytes.hexadecimal) do not fit the format")
        }
        process(.obtained(name, isNotification: false))
        var members: [(String, JSON)] = [("characteristic", .string(name))]
        members += received.record.map { ($0.name, JSON($0.value)) }
        return .finished(.success(.object(JSON.Object(members))))
    }

    private func write(
        _ value: JSON, to name: String, _ policy: Configuration.Characteristic.WritePolicy?
    ) async throws(RequestError) -> CommandOutcome {
        let (binding, characteristic, peripheral) = try present(name)
        let bytes = try bytes(value, for: binding)
        let type = WriteType(policy ?? binding.configuration.write ?? .withResponse)
        let isConfirmed = type != .withoutResponse
        let limit = characteristic.maximumWriteLength(withResponse: isConfirmed)
        guard bytes.count <= limit else {
            throw RequestError(
                .invalidValue, "\(self.name)/\(name): \(bytes.count) bytes are too long: the maximum is \(limit)")
        }
        do {
            try await peripheral.writeValue(bytes, of: characteristic, type)
        } catch {
            return rejected(error, name)
        }
        // The topic must show the new value; a subscription delivers it without a read.
        if binding.configuration.read != nil, !binding.configuration.subscribe { read(name) }
        var response: JSON.Object = [
            "characteristic": .string(name), "hex": .string(bytes.hexadecimal), "response": .bool(isConfirmed),
        ]
        // The bytes may be incomplete for reading, e.g. if the request gives them in hexadecimal digits.
        if let written = try? binding.format?.decode(bytes) { response["value"] = JSON(written.value) }
        return .finished(.success(.object(response)))
    }

    /// Returns the bytes of a value to write: encoded by the format, or given as `hex` or `base64`.
    ///
    /// - Throws: `RequestError` `invalid_value`.
    private func bytes(_ value: JSON, for binding: CharacteristicBinding) throws(RequestError) -> [UInt8] {
        let object = "\(name)/\(binding.name)"
        if let members = value.object, members.count == 1 {
            if let text = members["hex"]?.string {
                guard let bytes = [UInt8](hexadecimal: text) else {
                    throw RequestError(.invalidValue, "\(object): hex: expected pairs of hexadecimal digits")
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
        guard let format = binding.format else {
            throw RequestError(
                .invalidValue, "\(object): the format is unknown: write bytes, such as {\"hex\": \"0a01\"}")
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

    private func setNotify(_ isWanted: Bool, _ name: String) async throws(RequestError) -> CommandOutcome {
        let (_, characteristic, peripheral) = try present(name)
        guard characteristic.properties.canSubscribe else {
            let flags = characteristic.properties.flags.joined(separator: ", ")
            throw RequestError(
                .notSupported,
                "\(self.name)/\(name): the device does not notify this characteristic: its flags are \(flags)"
            )
        }
        do {
            try await peripheral.setNotify(isWanted, for: characteristic)
        } catch {
            return rejected(error, name)
        }
        return .finished(.success(["characteristic": .string(name), "subscribed": .bool(isWanted)]))
    }

    // MARK: The whole device

    private func discoverEverything() async throws(RequestError) -> CommandOutcome {
        guard let peripheral else { throw RequestError(.failed, "\(name): not started") }
        do {
            let services = try await peripheral.discoverServices()
            return .finished(.success(["services": .array(services.map { JSON($0) })]))
        } catch {
            throw RequestError(error, on: name)
        }
    }

    private func inspect() async throws(RequestError) -> CommandOutcome {
        guard let peripheral else { throw RequestError(.failed, "\(name): not started") }
        do {
            return .finished(.success(try await InspectedDevice(peripheral).json))
        } catch {
            throw RequestError(error, on: name)
        }
    }

    /// The response to `rssi`: the signal strength of the last advertisement in dBm and its age in milliseconds.
    var signalStrength: Result<JSON, RequestError> {
        let strength = peripheral?.assumeIsolated { ($0.rssi, $0.lastSeen) }
        guard let strength, let rssi = strength.0, let seen = strength.1 else {
            return .failure(RequestError(.notFound, "\(name): the device has not been seen yet"))
        }
        let age = (loop.now - seen).nanoseconds / 1_000_000
        return .success(["rssi": .number(JSON.Number(rssi)), "age_ms": .number(JSON.Number(age))])
    }

    // MARK: Collecting

    /// Returns the response to the requests to collect, and logs an incomplete session.
    func collectingResult(
        _ values: [String: ReceivedReading], missing: Set<String>, brokenOff cause: String?
    ) -> Result<JSON, RequestError> {
        if missing.isEmpty {
            let members = bindings.compactMap { binding in
                values[binding.name].map { (binding.name, JSON(Value.record($0.record))) }
            }
            return .success(.object(JSON.Object(members)))
        }
        let names = missing.sorted().joined(separator: ", ")
        if let cause {
            log.info("collecting was interrupted: \(cause)", ["missing": names])
            return .failure(
                RequestError(.timeout, "\(name): collecting was interrupted without a value of \(names): \(cause)"))
        }
        let reason = "no value of \(names) within \(configuration.within.text)"
        log.warning(reason)
        return .failure(RequestError(.timeout, "\(name): \(reason)"))
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
