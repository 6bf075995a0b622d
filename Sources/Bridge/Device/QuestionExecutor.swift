import BlueZ
import Bluetooth
import Codec
import Configuration
import Contract
import Devices
import EventLoop
import Log
import System

/// Asks the questions of one device: performs the actions of its conversation on the peripheral.
final class QuestionExecutor: LoopPart {
    /// The answer to the question of a client.
    struct Answer: Sendable {
        /// The published reading; nil: the answer has no format.
        let received: ReceivedReading?
        let bytes: [UInt8]
        /// The number of published records; nil: the answer is no history.
        let records: Int?
    }

    private typealias Caller = CheckedContinuation<Result<Answer, QuestionFailure>, Never>

    /// The calls of the executor to its device.
    struct Hooks {
        /// Reports an event for the session; called after an action but never during the action.
        let report: (SessionEvent) -> Void
        /// Publishes the answer of an entry, and returns it with corrected values; `number` is that of the question in its
        /// series.
        let publish: (Reading, _ name: String, _ number: Int?) -> ReceivedReading?
        /// Handles a failed access to the characteristics of an entry.
        let accessFailed: (_ name: String, CentralError) -> Void
        /// Called when the memory of the questions must be stored.
        let progressed: () -> Void
    }

    private let attributes: QuestionAttributes
    private let connection: ConnectionExecutor
    private let output: DevicePublisher
    let loop: EventLoop
    private let hooks: Hooks
    private var conversation: Conversation
    /// Publishes the records of histories; nil: the device has none.
    private var histories: HistoryPublisher?
    private var timer: Timer?
    private var timerTime: Instant?
    /// The clients that wait for an answer.
    private var callers: [Int: Caller] = [:]
    private var lastCaller = 0
    /// The answers that were published last, by item.
    private var published: [Int: ReceivedReading] = [:]
    private var failures: [FailureReports]

    /// - Parameters:
    ///   - configuration: The configuration of the device.
    ///   - attributes: The characteristics of the questions.
    ///   - connection: Has the peripheral, and the secrets of the questions.
    ///   - output: Publishes the events and the records.
    ///   - calculated: Corrects the values of records; nil: they need no correction.
    ///   - loop: The event loop of the device.
    ///   - hooks: The calls to the device.
    init(
        _ configuration: Configuration.Device, _ attributes: QuestionAttributes, _ connection: ConnectionExecutor,
        _ output: DevicePublisher, _ calculated: CalculatedValues?, loop: EventLoop, _ hooks: Hooks
    ) {
        self.attributes = attributes
        self.connection = connection
        self.output = output
        self.loop = loop
        self.hooks = hooks
        conversation = Conversation(attributes.plan, at: Self.moment(loop))
        failures = attributes.plan.items.map { _ in FailureReports() }
        guard plan.items.contains(where: { $0.history != nil }) else { return }
        histories = HistoryPublisher(
            configuration, plan, output, calculated, loop: loop,
            HistoryPublisher.Hooks { [unowned self] in
                histories?.update(conversation.memories)
            } lost: { [unowned self] item, memory in
                handle(.recordsLost(item: item, memory))
            } progressed: {
                hooks.progressed()
            })
    }

    private var plan: ConversationPlan { attributes.plan }
    private var log: Log { output.log }

    private static func moment(_ loop: EventLoop) -> Moment {
        let time = loop.timestamp
        return Moment(loop.now, time, offset: time.localOffset)
    }

    // MARK: Histories

    /// The progress of the histories, by the name of the entry.
    var memories: [String: HistoryMemory] { histories?.memories ?? [:] }

    /// Begins with the memories of an earlier run, before the first connection.
    func restore(_ memories: [String: HistoryMemory]) {
        guard let histories else { return }
        conversation = Conversation(plan, memories, at: Self.moment(loop))
        histories.restore(memories)
    }

    /// Notes that a value of an entry, or an advertised quantity, was published: its record is not missing.
    ///
    /// Without the broker, the records in the device are published later.
    func published(_ owner: String) {
        if histories?.canPublish == true { handle(.published(owner: owner)) }
    }

    // MARK: Events

    /// Returns whether an entry has a question, or receives frames.
    func handles(_ name: String) -> Bool { plan.index(of: name) != nil }

    /// Returns whether the device has the characteristics of an entry.
    func isPresent(_ name: String) -> Bool { attributes.missingPlaces(of: name).isEmpty }

    /// Begins the conversation of a new connection.
    func connected() {
        handle(.connected(channels: attributes.presentChannels, connection.secrets))
    }

    /// Ends the conversation; the clients are answered.
    func ended() {
        handle(.ended)
    }

    /// Asks the question of an entry because the session needs its value.
    func ask(_ name: String) {
        guard let item = plan.index(of: name) else { return }
        // The records remain in the device until the broker is back.
        if plan.items[item].history != nil, histories?.canPublish == false { return report(.answered(name)) }
        handle(.due(item))
    }

    /// Notes the result of a subscription.
    func note(_ event: SessionEvent) {
        switch event {
        case .subscribed(let name):
            if let channel = attributes.channel(named: name) { handle(.subscribed(channel: channel)) }
        case .subscribeFailed(let name, isFinal: true, _, let reason):
            guard let channel = attributes.channel(named: name) else { return }
            handle(.subscriptionFailed(channel: channel, reason: reason))
        default: break
        }
    }

    /// Receives a notification, if answers arrive on its characteristic.
    func received(_ bytes: [UInt8], of characteristic: BlueZ.Characteristic) {
        guard let channel = attributes.channel(of: characteristic) else { return }
        handle(.received(bytes, channel: channel))
    }

    /// Asks the question of an entry for a client.
    ///
    /// - Parameters:
    ///   - name: The name of the entry.
    ///   - value: The value that the client gives; nil: none.
    /// - Returns: The answer.
    /// - Throws: `QuestionFailure` without an answer.
    func answer(to name: String, _ value: Value?) async throws(QuestionFailure) -> Answer {
        guard let item = plan.index(of: name) else { throw .failed("\(name) has no question") }
        let result = await withCheckedContinuation { caller in
            lastCaller += 1
            callers[lastCaller] = caller
            handle(.requested(lastCaller, item: item, value))
        }
        return try result.get()
    }

    /// Returns why a value cannot be written by the question of an entry; nil: it can.
    func problem(with value: Value, for name: String) -> String? {
        plan.index(of: name).flatMap { conversation.problem(with: value, for: $0, at: Self.moment(loop)) }
    }

    private func handle(_ event: ConversationEvent) {
        for action in conversation.handle(event, at: Self.moment(loop)) { perform(action) }
        histories?.update(conversation.memories)
        schedule()
    }

    private func schedule() {
        guard conversation.wake != timerTime else { return }
        timer?.cancel()
        timerTime = conversation.wake
        timer = timerTime.map { time in
            after(max(time - loop.now, .zero)) { executor in
                executor.timerTime = nil
                executor.handle(.timer)
            }
        }
    }

    // MARK: Actions

    private func perform(_ action: ConversationAction) {
        switch action {
        case .write(let item, let bytes, let token): write(bytes, item, token)
        case .read(let item, let token): read(item, token)
        case .deliver(let item, let reading, let isAsked, let number):
            published[item] = hooks.publish(reading, plan.items[item].name, number)
            if !isAsked { report(.answered(plan.items[item].name)) }
        case .record(let item, let record): histories?.publish(record, of: item)
        case .prolong(let limit): report(.prolonged(limit))
        case .reject(let item, let reason, let bytes): reject(item, reason, bytes)
        case .done(let item, let isAnswered):
            let name = plan.items[item].name
            report(isAnswered ? .answered(name) : .unanswered(name))
        case .report(let item, let failure, let attempts): report(failure, of: item, attempts)
        case .respond(let identifier, let result): respond(result, to: identifier)
        case .endAfterLogin(let reason):
            log.warning("the login failed: \(reason)")
            output.publish(.loginRefused(device: output.name, reason: reason))
            report(.loginRefused(reason: "the login failed: \(reason)"))
        case .endAfterSilence(let questions):
            let reason = "the device did not answer \(questions) questions in a row"
            log.warning(reason)
            output.publish(.noAnswer(device: output.name, questions: questions))
            report(.connectionStuck(reason: reason))
        }
    }

    /// Reports an event for the session, which may be handling the event that has caused this call.
    private func report(_ event: SessionEvent) {
        spawn { $0.hooks.report(event) }
    }

    private func respond(_ result: Result<QuestionAnswer, QuestionFailure>, to identifier: Int) {
        callers.removeValue(forKey: identifier)?.resume(
            returning: result.map { answer in
                Answer(
                    received: answer.reading == nil ? nil : published[answer.item], bytes: answer.bytes,
                    records: answer.records)
            })
    }

    private func write(_ bytes: [UInt8], _ item: Int, _ token: Int) {
        guard conversation.isAsking(token), let peripheral = connection.peripheral else { return }
        let characteristic: BlueZ.Characteristic
        let type: WriteType
        do throws(QuestionFailure) {
            (characteristic, type) = try attributes.destination(of: item, writing: bytes.count)
        } catch {
            return handle(.accessFailed(token: token, reason: error.description))
        }
        log.debug("asks \(plan.items[item].name)", ["bytes": isSecret(item) ? Self.mask : bytes.hexadecimal])
        spawn { executor in
            do throws(CentralError) {
                try await peripheral.writeValue(bytes, of: characteristic, type)
                executor.handle(.written(token: token))
            } catch {
                executor.failed(error, item, token)
            }
        }
    }

    private func read(_ item: Int, _ token: Int) {
        guard conversation.isAsking(token), let peripheral = connection.peripheral else { return }
        guard let characteristic = attributes.source(of: item) else {
            return handle(.accessFailed(token: token, reason: "the device lacks the characteristic of the answer"))
        }
        spawn { executor in
            do throws(CentralError) {
                let bytes = try await peripheral.readValue(of: characteristic)
                executor.handle(.read(token: token, bytes))
            } catch {
                executor.failed(error, item, token)
            }
        }
    }

    /// Handles a failed access; the end of the connection is reported separately.
    private func failed(_ error: CentralError, _ item: Int, _ token: Int) {
        guard !error.resultsFromEnd else { return }
        hooks.accessFailed(plan.items[item].name, error)
        handle(.accessFailed(token: token, reason: error.message))
    }

    // MARK: Failures

    /// The text in place of secret bytes.
    private static let mask = "(secret)"
    /// The longest answer in an event, in bytes.
    private static let longestBytes = 64

    /// Whether the bytes of a question, and therefore perhaps of its answer, must not be shown.
    private func isSecret(_ item: Int) -> Bool { plan.secrecy(of: item) != nil }

    private func text(_ bytes: [UInt8], of item: Int) -> String {
        isSecret(item) && !bytes.isEmpty ? Self.mask : bytes.prefix(Self.longestBytes).hexadecimal
    }

    private func report(_ failure: QuestionFailure, of item: Int, _ attempts: Int) {
        guard let count = failures[item].note(at: loop.now) else { return }
        let name = plan.items[item].name
        let hex = text(failure.bytes, of: item)
        log.warning("\(name): \(failure)", ["attempts": attempts, "bytes": hex])
        output.publish(
            .answerFailed(
                device: output.name, characteristic: name, reason: "\(failure)", hex: hex, attempts: attempts,
                count: count))
    }

    private func reject(_ item: Int, _ reason: String, _ bytes: [UInt8]) {
        guard let count = failures[item].note(at: loop.now) else { return }
        output.decodingFailed(text(bytes, of: item), of: plan.items[item].name, reason, count)
    }
}
