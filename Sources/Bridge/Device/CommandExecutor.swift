import BlueZ
import Bluetooth
import Codec
import Configuration
import Contract
import Devices
import EventLoop
import JSON
import Log
import Survey
import System

typealias CommandOutcome = CommandQueue<ReplyAddress>.Outcome

/// Checks and executes the commands of one device, and builds the responses.
final class CommandExecutor {
    private let configuration: Configuration.Device
    private let bindings: [CharacteristicBinding]
    /// Asks the questions of the device; nil: it has none.
    private let questions: QuestionExecutor?
    private let advertised: AdvertisedTopics
    private let connection: ConnectionExecutor
    private let bonding: Bonding
    private let loop: EventLoop
    /// Reports an event for the session.
    private let report: (SessionEvent) -> Void
    /// Decodes and publishes a value that was read; returns nil if the bytes do not fit the format.
    private let publishValue: ([UInt8], _ name: String) -> ReceivedReading?
    /// Handles a failed access to a characteristic; returns whether the access may succeed with a new bond.
    private let accessFailed: (_ name: String, CentralError) -> Bool

    /// - Parameters:
    ///   - configuration: The configuration of the device.
    ///   - bindings: The configured characteristics.
    ///   - questions: Asks the questions of the device; nil: it has none.
    ///   - advertised: The advertised quantities, for messages.
    ///   - connection: Has the peripheral, and reads values.
    ///   - bonding: Executes the command `pair`.
    ///   - loop: The event loop with the clock.
    ///   - report: Called with each event for the session.
    ///   - publishValue: Decodes and publishes a value that was read; nil if the bytes do not fit the format.
    ///   - accessFailed: Called with each characteristic whose access has failed; returns whether to repeat the command.
    init(
        _ configuration: Configuration.Device, _ bindings: [CharacteristicBinding], _ questions: QuestionExecutor?,
        _ advertised: AdvertisedTopics,
        _ connection: ConnectionExecutor, _ bonding: Bonding, loop: EventLoop,
        report: @escaping (SessionEvent) -> Void,
        publishValue: @escaping ([UInt8], _ name: String) -> ReceivedReading?,
        accessFailed: @escaping (_ name: String, CentralError) -> Bool
    ) {
        self.configuration = configuration
        self.bindings = bindings
        self.questions = questions
        self.advertised = advertised
        self.connection = connection
        self.bonding = bonding
        self.loop = loop
        self.report = report
        self.publishValue = publishValue
        self.accessFailed = accessFailed
    }

    private var name: String { configuration.name }
    private var log: Log { Log(name) }

    // MARK: Checks

    /// Checks a command before it is queued, and encodes the value to write.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - session: The session of the device.
    ///   - stopReason: Why the device is no longer managed; nil while it is managed.
    /// - Returns: The command with the bytes to write.
    /// - Throws: `RequestError` if the command cannot succeed.
    func check(
        _ command: DeviceCommand, _ session: Session, stopReason: String?
    ) throws(RequestError) -> AcceptedCommand {
        if let stopReason { throw RequestError(.failed, "\(name): \(stopReason)") }
        let accepted = try encode(command)
        guard command.needsConnection else { return accepted }
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
        return accepted
    }

    private func encode(_ command: DeviceCommand) throws(RequestError) -> AcceptedCommand {
        if case .history(let name) = command { return AcceptedCommand(.history(try historyName(name))) }
        guard let characteristic = command.characteristic else { return AcceptedCommand(command) }
        guard let value = command.value else {
            let binding = try configured(characteristic)
            if binding.configuration.isExchange { try checkExchange(command, binding) }
            return AcceptedCommand(command)
        }
        let binding = try writable(characteristic)
        guard binding.configuration.isExchange else {
            return try encode(value, of: command, for: binding)
        }
        let object = "\(name)/\(characteristic)"
        if let problem = questions?.problem(with: try decoded(value, of: object), for: characteristic) {
            throw RequestError(.invalidValue, "\(object): \(problem)")
        }
        return AcceptedCommand(command)
    }

    /// Returns the name of an entry with a history; without a name, that of the only one.
    private func historyName(_ name: String?) throws(RequestError) -> String {
        let names = bindings.filter { $0.configuration.exchange?.history != nil }.map(\.name)
        guard let name else {
            if names.count == 1 { return names[0] }
            guard names.isEmpty else {
                throw RequestError(
                    .badRequest, "\(self.name): name the history in characteristic: \(names.joined(separator: ", "))")
            }
            throw RequestError(
                .notSupported, "\(self.name): the configuration has no history: see the key \"history\"")
        }
        let binding = try configured(name)
        guard names.contains(binding.name) else {
            throw RequestError(
                .notSupported, "\(self.name)/\(binding.name): no history: the request read returns the value")
        }
        return name
    }

    /// Checks a command without a value for an entry with a question or with frames.
    private func checkExchange(_ command: DeviceCommand, _ binding: CharacteristicBinding) throws(RequestError) {
        let object = "\(name)/\(binding.name)"
        if case .subscribe = command {
            throw RequestError(
                .notSupported,
                "\(object): answers need no request to subscribe: the request read asks the question")
        }
        guard binding.configuration.exchange?.question != nil else {
            throw RequestError(
                .notSupported, "\(object): the device sends these values unasked: there is no question to ask")
        }
        if binding.configuration.write != nil {
            throw RequestError(
                .notSupported, "\(object): this entry is a command: set or write a value")
        }
    }

    private func decoded(_ value: JSON, of object: String) throws(RequestError) -> Value {
        guard let value = Value(value) else {
            throw RequestError(.invalidValue, "\(object): a number in \(value) has more digits than any field holds")
        }
        return value
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
            throw RequestError(rejectedWriteTo: "\(name)/\(characteristic)")
        }
        try checkAmbiguity(of: binding)
        return binding
    }

    /// Checks that the configuration decides among the characteristics that the last discovery has found.
    private func checkAmbiguity(of binding: CharacteristicBinding) throws(RequestError) {
        guard binding.isAmbiguous else { return }
        throw RequestError(
            ambiguousWriteTo: "\(name)/\(binding.name)", uuid: binding.configuration.uuid, services: binding.candidates)
    }

    private func configured(_ characteristic: String) throws(RequestError) -> CharacteristicBinding {
        if let binding = bindings.first(where: { $0.name == characteristic }) { return binding }
        let object = "\(name)/\(characteristic)"
        if advertised.quantities.contains(where: { $0.name == characteristic }) {
            throw RequestError(.notSupported, "\(object): advertised quantities cannot be read or written")
        }
        let advice = adviceForField(characteristic) ?? offer
        throw RequestError(.unknownCharacteristic, "\(object): no such characteristic; \(advice)")
    }

    /// Returns the right topic and payload for a name that consists of a characteristic and one of its fields.
    private func adviceForField(_ name: String) -> String? {
        guard let slash = name.lastIndex(of: "/") else { return nil }
        let (characteristic, field) = (name[..<slash], name[name.index(after: slash)...])
        guard bindings.contains(where: { $0.name == characteristic }) else { return nil }
        return "to write a field, publish {\(JSON.string(String(field))): VALUE} on \(self.name)/\(characteristic)/set"
    }

    /// The names of characteristics and quantities for messages: `configured: temperature, humidity; advertised:
    /// battery`.
    private var offer: String {
        let configured = bindings.isEmpty ? "none" : bindings.map(\.name).joined(separator: ", ")
        let quantities = advertised.quantities.map(\.name)
        return "configured: \(configured)"
            + (quantities.isEmpty ? "" : "; advertised: \(quantities.joined(separator: ", "))")
    }

    /// Returns the command with the bytes of its value, encoded by the format, or given as `hex` or `base64`; or with the
    /// fields to change, if the value lacks other fields.
    ///
    /// - Throws: `RequestError` `invalid_value`.
    private func encode(
        _ value: JSON, of command: DeviceCommand, for binding: CharacteristicBinding
    ) throws(RequestError) -> AcceptedCommand {
        let object = "\(name)/\(binding.name)"
        if let given = ByteValue(value) {
            if let bytes = given.bytes { return AcceptedCommand(command, bytes: bytes) }
            switch given {
            case .hexadecimal:
                throw RequestError(.invalidValue, "\(object): hex: expected pairs of hexadecimal digits")
            case .base64: throw RequestError(.invalidValue, "\(object): base64: not base64 (RFC 4648)")
            }
        }
        guard let format = binding.format else {
            throw RequestError(
                .invalidValue, "\(object): the format is unknown: write bytes, such as {\"hex\": \"0a01\"}")
        }
        let value = try decoded(value, of: object)
        do throws(EncodingError) {
            return AcceptedCommand(command, bytes: try format.encode(value, at: LocalMoment(loop.timestamp)))
        } catch {
            guard case .missing = error, format.canComplete(value) else {
                throw RequestError(.invalidValue, "\(object): \(error)")
            }
            try check(value, changing: format, of: binding, lacking: error)
            return AcceptedCommand(command, changes: value)
        }
    }

    // MARK: Values with some of the fields

    /// Checks the fields to change before the whole value is known.
    private func check(
        _ changes: Value, changing format: Format, of binding: CharacteristicBinding, lacking error: EncodingError
    ) throws(RequestError) {
        let last = lastValue(of: binding)
        if last == nil, !mayGetValue(binding) { throw unknownValue(of: binding, lacking: "\(error)") }
        guard let whole = last ?? format.example else { return }
        do throws(EncodingError) {
            _ = try format.encode(changes, changing: whole)
        } catch {
            switch error {
            case .unknown, .tooLong, .needs: break
            // Other fields have other values at the execution.
            case .invalid(let field, _, _): if changes.member(field) == nil { return }
            case .missing, .misplaced: return
            }
            throw RequestError(.invalidValue, "\(name)/\(binding.name): \(error)")
        }
    }

    /// Returns whether a value may become known before the command is executed.
    private func mayGetValue(_ binding: CharacteristicBinding) -> Bool {
        let configuration = binding.configuration
        return configuration.subscribe || configuration.read != nil || configuration.state != nil
    }

    /// Returns the last value of a characteristic with several fields, with the fields that the key `state` names.
    private func lastValue(of binding: CharacteristicBinding) -> Value? {
        guard let format = binding.format, let state = configuration.settings.state(of: binding.configuration),
            let reporter = bindings.first(where: { $0.name == state.characteristic.name }),
            let shown = reporter.format, let value = reporter.lastValue
        else { return binding.lastValue }
        var record = Record()
        if case .record(let own)? = binding.lastValue { record = own }
        for written in format.changeableQuantities {
            guard let quantity = state.quantity(of: written, isOnly: false, in: shown) else { continue }
            if let part = shown.hasOneValue ? value : value.member(quantity.name) { record[written.name] = part }
        }
        return record.isEmpty ? nil : .record(record)
    }

    /// Returns the whole bytes of a command: some change fields of the last value, and `now` is the time of the execution.
    private func bytes(of accepted: AcceptedCommand, for binding: CharacteristicBinding) throws(RequestError) -> [UInt8]
    {
        if accepted.command.value == .string(LocalMoment.now) {
            return try encode(.string(LocalMoment.now), of: accepted.command, for: binding).bytes
        }
        guard let changes = accepted.changes, let format = binding.format else { return accepted.bytes }
        do throws(EncodingError) {
            guard let last = lastValue(of: binding) else { return try format.encode(changes) }
            return try format.encode(changes, changing: last)
        } catch {
            if case .missing = error { throw unknownValue(of: binding, lacking: "\(error)") }
            throw RequestError(.invalidValue, "\(name)/\(binding.name): \(error)")
        }
    }

    private func unknownValue(of binding: CharacteristicBinding, lacking what: String) -> RequestError {
        let form = binding.format?.example.map { ", such as \(JSON($0))" } ?? ""
        return RequestError(
            .invalidValue,
            "\(name)/\(binding.name): \(what), and no value is known that could supply the other fields: write all "
                + "fields\(form)")
    }

    // MARK: Execution

    /// Executes a command on the connection.
    ///
    /// - Parameters:
    ///   - accepted: The command with the bytes to write.
    ///   - status: The present connection status, which is the response to `connect`.
    /// - Returns: The response, or that the command must be repeated on the next connection.
    func outcome(of accepted: AcceptedCommand, _ status: ConnectionStatus) async -> CommandOutcome {
        do throws(RequestError) {
            if let outcome = try await answer(to: accepted.command) { return outcome }
            switch accepted.command {
            case .read(let name): return try await readNow(name)
            case .set(let name, _, _): return try await write(accepted, to: name, nil)
            case .write(let name, _, let policy): return try await write(accepted, to: name, policy)
            case .subscribe(let name, let isWanted): return try await setNotify(isWanted, name)
            case .discover: return try await discoverEverything()
            case .inspect: return try await inspect()
            case .connect: return .finished(.success(status.json(at: loop.timestamp)))
            case .pair(let passkey): return try await pairNow(passkey)
            // `answer` has executed `history`. `Device.accept` executes what needs no connection, and the session collects.
            case .history, .disconnect, .collect, .rssi:
                preconditionFailure("\(accepted.command) is executed elsewhere")
            }
        } catch {
            return .finished(.failure(error))
        }
    }

    /// Handles the failed access of a command to a characteristic, and returns the outcome of the command.
    private func rejected(_ error: CentralError, _ name: String) -> CommandOutcome {
        accessFailed(name, error) ? .repeated : .finished(.failure(RequestError(error, on: "\(self.name)/\(name)")))
    }

    /// Handles the refusal of a piece of a value.
    ///
    /// The command is repeated only if nothing was written: the device would get the first pieces twice.
    private func rejected(_ error: CentralError, _ name: String, after count: Int, of length: Int) -> CommandOutcome {
        let outcome = rejected(error, name)
        if count == 0 { return outcome }
        let cause = RequestError(error, on: "\(self.name)/\(name)")
        let failure = RequestError(
            cause.code, "\(cause.message): \(count) of \(length) bytes were written", att: cause.att)
        return .finished(.failure(failure.with(ResponseData.partlyWritten(name, count: count, of: length).json)))
    }

    // MARK: Questions

    /// Asks the question of an entry, and returns its answer; nil if the command is not for an entry with a question.
    private func answer(to command: DeviceCommand) async throws(RequestError) -> CommandOutcome? {
        guard let name = command.characteristic, let questions, questions.handles(name) else { return nil }
        let object = "\(self.name)/\(name)"
        guard questions.isPresent(name) else {
            throw RequestError(.notFound, "\(object): the device does not have the characteristics of this question")
        }
        let value = try command.value.map { (value) throws(RequestError) in try decoded(value, of: object) }
        let answer: QuestionExecutor.Answer
        do throws(QuestionFailure) {
            answer = try await questions.answer(to: name, value)
        } catch {
            // A question without effects is repeated on the next connection.
            if error == .interrupted, value == nil { return .repeated }
            throw RequestError(error, on: object)
        }
        if value == nil { report(.obtained(name, isNotification: false)) }
        if let records = answer.records {
            return .finished(.success(ResponseData.history(name, records: records).json))
        }
        var result: [(String, JSON)] = [("hex", .string(answer.bytes.hexadecimal))]
        if let received = answer.received { result = received.record.map { ($0.name, JSON($0.value)) } }
        guard let written = command.value else {
            return .finished(.success(.object(JSON.Object([("characteristic", .string(name))] + result))))
        }
        return .finished(
            .success(["characteristic": .string(name), "value": written, "answer": .object(JSON.Object(result))]))
    }

    // MARK: Characteristics

    private func present(
        _ name: String
    ) throws(RequestError) -> (CharacteristicBinding, BlueZ.Characteristic, Peripheral) {
        guard let binding = bindings.first(where: { $0.name == name }), let peripheral = connection.peripheral else {
            throw RequestError(
                .unknownCharacteristic, "\(self.name)/\(name.shortened): no such characteristic; \(offer)")
        }
        guard let characteristic = binding.characteristic else {
            throw RequestError(.notFound, "\(self.name)/\(name): the device does not have this characteristic")
        }
        return (binding, characteristic, peripheral)
    }

    private enum ReadOutcome {
        case received(ReceivedReading)
        /// The access has failed, which is the outcome of the command.
        case ended(CommandOutcome)
    }

    private func readNow(_ name: String) async throws(RequestError) -> CommandOutcome {
        switch try await readValue(of: name) {
        case .ended(let outcome): return outcome
        case .received(let received):
            var members: [(String, JSON)] = [("characteristic", .string(name))]
            members += received.record.map { ($0.name, JSON($0.value)) }
            return .finished(.success(.object(JSON.Object(members))))
        }
    }

    /// Reads and publishes a value.
    private func readValue(of name: String) async throws(RequestError) -> ReadOutcome {
        let (_, characteristic, peripheral) = try present(name)
        let bytes: [UInt8]
        do {
            bytes = try await peripheral.readValue(of: characteristic)
        } catch {
            return .ended(rejected(error, name))
        }
        guard let received = publishValue(bytes, name) else {
            throw RequestError(
                .failed, "\(self.name)/\(name): the bytes \(bytes.hexadecimal) do not fit the format")
        }
        report(.obtained(name, isNotification: false))
        return .received(received)
    }

    private func write(
        _ accepted: AcceptedCommand, to name: String, _ policy: Configuration.Characteristic.WritePolicy?
    ) async throws(RequestError) -> CommandOutcome {
        let (binding, characteristic, peripheral) = try present(name)
        try checkAmbiguity(of: binding)
        if accepted.changes != nil, binding.configuration.read != nil, !binding.isLastValueCurrent,
            characteristic.properties.contains(.read),
            case .ended(let outcome) = try await readValue(of: name)
        {
            return outcome
        }
        let bytes = try bytes(of: accepted, for: binding)
        let type = WriteType(policy ?? binding.configuration.write ?? .withResponse)
        let isConfirmed = type != .withoutResponse
        let isSplit = binding.configuration.split && type != .reliable
        let limit =
            isSplit
            ? BlueZ.Characteristic.maximumSplitLength
            : characteristic.maximumWriteLength(withResponse: isConfirmed)
        guard bytes.count <= limit else {
            throw RequestError(
                .invalidValue, "\(self.name)/\(name): \(bytes.count) bytes are too long: the maximum is \(limit)")
        }
        if isSplit {
            let (count, error) = await peripheral.writePieces(bytes, of: characteristic, type)
            if let error { return rejected(error, name, after: count, of: bytes.count) }
        } else {
            do {
                try await peripheral.writeValue(bytes, of: characteristic, type)
            } catch {
                return rejected(error, name)
            }
        }
        // The topic must show the new value; a subscription delivers it without a read.
        if binding.configuration.read != nil, !binding.configuration.subscribe { connection.read(name) }
        // The bytes may be incomplete for reading, e.g. if the request gives them in hexadecimal digits.
        let written = try? binding.format?.decode(bytes)
        if let written { binding.noteWritten(written.value) }
        let response = ResponseData.written(
            name, hex: bytes.hexadecimal, isConfirmed: isConfirmed, written.map { JSON($0.value) },
            count: isSplit ? bytes.count : nil)
        return .finished(.success(response.json))
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
        return .finished(.success(ResponseData.subscription(name, isSubscribed: isWanted).json))
    }

    // MARK: The whole device

    private var startedPeripheral: Peripheral {
        get throws(RequestError) {
            guard let peripheral = connection.peripheral else { throw RequestError(.failed, "\(name): not started") }
            return peripheral
        }
    }

    private func discoverEverything() async throws(RequestError) -> CommandOutcome {
        let peripheral = try startedPeripheral
        do {
            let services = try await peripheral.discoverServices()
            return .finished(.success(["services": .array(services.map { JSON($0) })]))
        } catch {
            throw RequestError(error, on: name)
        }
    }

    private func inspect() async throws(RequestError) -> CommandOutcome {
        let peripheral = try startedPeripheral
        do {
            return .finished(.success(try await InspectedDevice(peripheral).json))
        } catch {
            throw RequestError(error, on: name)
        }
    }

    private func pairNow(_ passkey: Passkey?) async throws(RequestError) -> CommandOutcome {
        let peripheral = try startedPeripheral
        do throws(CentralError) {
            let isBonded = try await bonding.pairNow(passkey, with: peripheral) { report(.endsForPairing) }
            guard isBonded else { return .repeated }
        } catch {
            throw RequestError(error, on: name)
        }
        report(.paired)
        let response = ResponseData.bond(configuration.address, device: name, isBonded: true)
        return .finished(.success(response.json))
    }

    /// The response to `rssi`: the signal strength of the last advertisement in dBm and its age in milliseconds.
    var signalStrength: Result<JSON, RequestError> {
        let peripheral = connection.snapshot
        guard let rssi = peripheral?.rssi, let seen = peripheral?.lastSeen else {
            return .failure(RequestError(.notFound, "\(name): the device has not been seen yet"))
        }
        let age = (loop.now - seen).nanoseconds / 1_000_000
        return .success(ResponseData.signal(rssi: rssi, age: age).json)
    }

    // MARK: Collecting

    /// Returns the response to the requests to collect, and logs an incomplete session.
    ///
    /// - Parameters:
    ///   - values: the values that arrived, by characteristic; a failure contains them too.
    ///   - missing: the characteristics without a value.
    ///   - unanswered: the entries whose questions had no answer.
    ///   - undecodable: the characteristics whose last value could not be decoded.
    ///   - cause: why the session ended early; nil if its time was over.
    /// - Returns: The response.
    func collectingResult(
        _ values: [String: ReceivedReading], missing: Set<String>, unanswered: Set<String>,
        _ undecodable: Set<String>, brokenOff cause: String?
    ) -> Result<JSON, RequestError> {
        let members = bindings.compactMap { binding in
            values[binding.name].map { (binding.name, JSON(Value.record($0.record))) }
        }
        let data = JSON.object(JSON.Object(members))
        if missing.isEmpty, unanswered.isEmpty { return .success(data) }
        if missing.isEmpty {
            let reason = "no answer to \(unanswered.sorted().joined(separator: ", "))"
            log.info("the session is complete, but there was \(reason)")
            let error = RequestError(.timeout, "\(name): \(reason)")
            return .failure(members.isEmpty ? error : error.with(data))
        }
        let names = missing.union(unanswered).sorted().joined(separator: ", ")
        let refused = undecodable.intersection(missing).sorted().joined(separator: ", ")
        let detail = refused.isEmpty ? "" : " (a value of \(refused) arrived, but cannot be decoded)"
        let reason: String
        if let cause {
            log.info("collecting was interrupted: \(cause)", ["missing": names])
            reason = "collecting was interrupted without a value of \(names)\(detail): \(cause)"
        } else {
            reason = "no value of \(names) within \(configuration.within.text)\(detail)"
            log.warning(reason)
        }
        let error = RequestError(.timeout, "\(name): \(reason)")
        return .failure(members.isEmpty ? error : error.with(data))
    }
}

extension RequestError {
    /// - Parameters:
    ///   - failure: Why a question has no answer.
    ///   - object: The entry as `DEVICE/NAME`.
    fileprivate init(_ failure: QuestionFailure, on object: String) {
        let code: Code =
            switch failure {
            case .timeout, .unrecognized, .incomplete: .timeout
            case .refused: .refused
            case .invalid, .wrongValue: .invalidValue
            case .interrupted: .disconnected
            case .unaskable, .failed: .failed
            }
        let error = RequestError(code, "\(object): \(failure)")
        self = failure.bytes.isEmpty ? error : error.with(["hex": .string(failure.bytes.hexadecimal)])
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
