package import Codec
import Configuration
package import System

// The types of this folder.
//
// | type                | which question it answers                                          | owner                        |
// |---------------------|--------------------------------------------------------------------|------------------------------|
// | `ExpectedFrame`     | Do these bytes begin with this frame?                              | `Conversation`               |
// | `FrameBuffer`       | Which frame is next in the bytes of a characteristic?              | `Conversation`               |
// | `AnswerText`        | Which line of a text is the answer?                                | `Conversation`               |
// | `ConversationPlan`  | What does the configuration say about questions and answers?       | `Conversation`               |
// | `QuestionValues`    | Which values do the formulas of questions and answers use?         | `Conversation`               |
// | `QuestionSecrets`   | Which PIN and which cipher do questions use?                       | `Conversation`               |
// | `HistoryRecord`     | Which time and values does a record have?                          | `HistoryProgress`            |
// | `HistoryMemory`     | Which progress of a history does the next connection need?         | `HistoryProgress`            |
// | `HistoryProgress`   | Which records are new, and where does the next series go on?       | `Conversation`               |
// | `QuestionMemory`    | What must be known of the questions after a restart?               | `QuestionKeeper` (Bridge)    |
// | `QuestionQueue`     | Which question is next?                                            | `Conversation`               |
// | `Moment`            | What is the time on the clock of the loop and on the calendar?     | `Conversation`               |
// | `QuestionAnswer`    | Which answer has a question?                                       | `Conversation`               |
// | `QuestionFailure`   | Why has a question no answer?                                      | `Conversation`               |
// | `ConversationEvent` | What has happened?                                                 | `QuestionExecutor` (Bridge)  |
// | `ConversationAction` | What must `QuestionExecutor` do?                                  | `Conversation`               |
// | `Conversation`      | When is a question asked, repeated, answered or failed?            | `QuestionExecutor` (Bridge)  |

/// The dialogue with a device that answers when asked: one question at a time.
///
/// A value without I/O: events go in, actions come out. A question is repeated if no valid answer arrives. After a failure
/// the conversation waits for silence, so that a late answer is not taken for that of the next question.
package struct Conversation: Sendable {
    private enum State {
        case idle
        /// A question was written, or is being written.
        case waiting
        /// Late bytes are dropped until this moment, which further bytes move to `latest` at most.
        case draining(until: Instant, latest: Instant)
    }

    /// The question that is being asked.
    private struct Asking {
        let entry: QuestionQueue.Entry
        /// The numbers of the series that are not answered yet; nil: there is no series.
        var numbers: ClosedRange<Int>?
        var attempt = 0
        var token = 0
        /// The frames of the answer, of the end of a series, and of a refusal.
        var frames: [PendingFrame] = []
        /// The names for the format of the answer: those of the device, and the members of the question.
        var environment = Environment()
        var firstWrite: Instant
        /// When the answer must be read; nil: it is notified, or it is being read.
        var readTime: Instant?
        /// When the next frame must have arrived; nil: the question is being written.
        var deadline: Instant?
        /// Whether the device has sent a byte since the question was written.
        var isHeard = false
        var parts: [UInt8] = []
        var frameCount = 0
        /// The content of the last frame.
        var lastFrame: [UInt8] = []
        /// The content of the last text without a line of the answer.
        var otherText: [UInt8] = []
    }

    /// A frame that belongs to the question that is being asked.
    private struct PendingFrame {
        enum Purpose {
            case end, answer, refusal
        }

        let purpose: Purpose
        let channel: Int
        let frame: ExpectedFrame
    }

    /// A frame of an entry that may arrive although another question, or none, is being asked.
    private struct OtherFrame {
        let item: Int
        let channel: Int
        let frame: ExpectedFrame
        let refusal: ExpectedFrame?
    }

    /// The silence that ends late answers.
    private static let silence = Duration.milliseconds(300)
    /// The longest wait for this silence.
    private static let longestSilence = Duration.seconds(2)
    /// The number of questions in a row without one byte after which the connection ends.
    private static let mostSilentQuestions = 5

    package let plan: ConversationPlan
    private var state = State.idle
    private var asking: Asking?
    private var queue: QuestionQueue
    /// The histories, by item.
    private var histories: [Int: HistoryProgress]
    /// The numbers that remain of a series that has begun.
    private var remaining: ClosedRange<Int>?
    private var buffers: [FrameBuffer]
    private var values: QuestionValues
    /// The secrets of the present connection.
    private var secrets = QuestionSecrets()
    /// The frames of all entries on all channels; nil: not calculated since the last answer.
    private var others: [OtherFrame]?
    private var isConnected = false
    /// The channels that are not subscribed yet.
    private var unsubscribed: Set<Int> = []
    /// Why channels cannot be subscribed on this connection.
    private var broken: [Int: String] = [:]
    private var lastByte: Instant?
    /// The end of the pause after the last question; nil: no pause.
    private var pauseEnd: Instant?
    private var silentQuestions = 0
    private var lastToken = 0
    private var actions: [ConversationAction] = []
    private var moment: Moment
    /// When the event `timer` is due; nil: not without another event.
    package private(set) var wake: Instant?

    /// - Parameters:
    ///   - plan: The questions and frames of the device.
    ///   - memories: What is known of the histories, by the name of the entry.
    ///   - moment: The current time.
    package init(_ plan: ConversationPlan, _ memories: [String: HistoryMemory] = [:], at moment: Moment) {
        self.plan = plan
        self.moment = moment
        queue = QuestionQueue(plan)
        histories = [:]
        for (index, item) in plan.items.enumerated() {
            histories[index] = item.history.map { HistoryProgress($0, memories[item.name] ?? HistoryMemory()) }
        }
        buffers = Array(repeating: FrameBuffer(), count: plan.channels.count)
        values = QuestionValues(plan)
    }

    /// Handles an event; returns the actions to perform, in this order.
    package mutating func handle(_ event: ConversationEvent, at moment: Moment) -> [ConversationAction] {
        self.moment = moment
        react(to: event)
        advance()
        wake = nextWake
        defer { actions = [] }
        return actions
    }

    /// The progress of the histories, for the next run, by the name of the entry.
    package var memories: [String: HistoryMemory] {
        Dictionary(histories.map { (plan.items[$0.key].name, $0.value.memory) }) { $1 }
    }

    /// Returns whether a question is still being asked.
    package func isAsking(_ token: Int) -> Bool { asking?.token == token }

    /// Returns why a value cannot be the value of a command; nil: it can, as far as is known now.
    package func problem(with value: Value, for item: Int, at moment: Moment) -> String? {
        var environment = environment(for: item)
        do throws(QuestionFailure) {
            _ = try plan.items[item].question?.bytes(value, &environment)
            return nil
        } catch {
            // A value of another answer may be known when the question is asked.
            if case .wrongValue(let reason) = error { return reason }
            return nil
        }
    }

    private var now: Instant { moment.instant }

    private mutating func react(to event: ConversationEvent) {
        switch event {
        case .connected(let channels, let secrets):
            values.setPIN(secrets.pin)
            self.secrets = secrets
            connected(channels)
        case .subscribed(let channel): unsubscribed.remove(channel)
        case .subscriptionFailed(let channel, let reason):
            unsubscribed.remove(channel)
            broken[channel] = reason
        case .due(let item):
            // The result of a request is not reported to the session.
            if let entry = asking?.entry, entry.item == item, !entry.isRequested { break }
            queue.add(item, .due)
        case .requested(let identifier, let item, let value):
            if isConnected {
                queue.add(item, .request(identifier), value)
            } else {
                actions.append(.respond(identifier, .failure(.interrupted)))
            }
        case .written(let token): if asking?.token == token { written() }
        case .accessFailed(let token, let reason):
            guard asking?.token == token, case .waiting = state else { return }
            fail(.failed(reason))
            state = .idle
        case .received(let bytes, let channel): received(bytes, channel)
        case .read(let token, let bytes): if asking?.token == token { read(bytes) }
        case .published(let owner): notePublished(owner)
        case .recordsLost(let item, let memory): recordsLost(item, memory)
        case .timer: timePassed()
        case .ended: ended()
        }
    }

    // MARK: The connection

    private mutating func connected(_ channels: Set<Int>) {
        isConnected = true
        state = .idle
        others = nil
        unsubscribed = channels
        broken = [:]
        silentQuestions = 0
        queue.connected(at: now)
    }

    /// Forgets the questions of the connection; the session repeats those that are due.
    private mutating func ended() {
        guard isConnected else { return }
        isConnected = false
        if let asking { conclude(asking.entry, .failure(.interrupted)) }
        asking = nil
        remaining = nil
        for item in histories.keys { histories[item]?.interrupt(at: moment.seconds) }
        for entry in queue.removeAll() { conclude(entry, .failure(.interrupted)) }
        state = .idle
        pauseEnd = nil
        lastByte = nil
        clearBuffers()
    }

    private mutating func clearBuffers() {
        for index in buffers.indices { buffers[index].clear() }
    }

    // MARK: Asking

    /// Asks the next question, if no other one is outstanding.
    private mutating func advance() {
        while isConnected, case .idle = state, pauseEnd.map({ $0 <= now }) ?? true, unsubscribed.isEmpty {
            queue.addRepetitions(at: now)
            guard let entry = queue.next else { return }
            if let end = silenceEnd(for: entry), end > now { return }
            let isResumed = queue.nextHasBegun
            queue.removeNext()
            start(entry, isResumed: isResumed)
        }
    }

    /// Returns when the frame that is arriving counts as ended; nil: no frame is arriving.
    private func silenceEnd(for entry: QuestionQueue.Entry) -> Instant? {
        guard let lastByte, channels(of: entry.item).contains(where: { !buffers[$0].isEmpty }) else { return nil }
        return lastByte + Self.silence
    }

    private func channels(of item: Int) -> [Int] {
        (plan.items[item].answer?.channels ?? []).compactMap { plan.channels.firstIndex(of: $0) }
    }

    private mutating func start(_ entry: QuestionQueue.Entry, isResumed: Bool) {
        let item = plan.items[entry.item]
        let environment = environment(for: entry.item)
        if isResumed, let numbers = remaining {
            remaining = nil
            asking = Asking(entry: entry, numbers: numbers, firstWrite: now)
            return ask()
        }
        if !entry.isRequested, histories[entry.item]?.isDue(at: moment.seconds) == false {
            return conclude(entry, .success(QuestionAnswer(item: entry.item, reading: nil, bytes: [])))
        }
        if queue.addDependency(of: entry) { return }
        if let condition = item.question?.condition {
            do throws(FormulaFailure) {
                guard try condition.isTrue(in: environment) else {
                    return conclude(entry, .failure(.unaskable("when: \(condition.text) is false")))
                }
            } catch {
                asking = Asking(entry: entry, firstWrite: now)
                return fail(.unaskable("when: \(error)"))
            }
        }
        asking = Asking(entry: entry, firstWrite: now)
        do throws(QuestionFailure) {
            guard try begin(item.question?.series, of: entry, environment) else {
                self.asking = nil
                return conclude(entry, .success(QuestionAnswer(item: entry.item, reading: nil, bytes: [])))
            }
        } catch {
            return fail(error)
        }
        if let channel = channels(of: entry.item).first(where: { broken[$0] != nil }), let reason = broken[channel] {
            return fail(.failed("cannot subscribe to the answers: \(reason)"))
        }
        ask()
    }

    /// Begins a series of questions, or the download of a history.
    ///
    /// - Returns: Whether there is anything to ask for.
    /// - Throws: `QuestionFailure` if the numbers are not known, or too many.
    private mutating func begin(
        _ series: Configuration.Question.Series?, of entry: QuestionQueue.Entry, _ environment: Environment
    ) throws(QuestionFailure) -> Bool {
        let isHistory = histories[entry.item] != nil
        if let series {
            guard let numbers = try series.numbers(in: environment) else { return false }
            let most = isHistory ? Configuration.History.mostQuestions : Configuration.Question.Series.mostNumbers
            guard numbers.count <= most || isHistory else {
                throw .unaskable("each: \(numbers.count) numbers, but at most \(most) are asked for")
            }
            asking?.numbers = numbers.lowerBound...min(numbers.upperBound, numbers.lowerBound + most - 1)
        }
        guard let history = plan.items[entry.item].history else { return true }
        histories[entry.item]?.begin(at: moment.seconds)
        actions.append(.prolong(history.within))
        return true
    }

    /// Returns the values for the formulas of an item: those of the device, its history, and the number of its series.
    private func environment(for item: Int) -> Environment {
        var environment = values.environment(at: moment)
        if let history = histories[item] {
            environment["since"] = .number(Decimal(history.since(at: moment.seconds)))
            for name in plan.lastNames {
                let field = String(name.dropFirst(ConversationPlan.last.count))
                environment[name] = .number(history.memory.last[field] ?? .zero)
            }
        }
        if let asking, asking.entry.item == item, let number = asking.numbers?.lowerBound,
            let name = plan.items[item].question?.series?.name
        {
            environment[name] = .number(Decimal(number))
        }
        return environment
    }

    /// Writes the question for the first time, or again.
    private mutating func ask() {
        guard var asking else { return }
        let question = plan.items[asking.entry.item].question
        if asking.attempt > 0, asking.numbers == nil {
            histories[asking.entry.item]?.repeatRecords(at: moment.seconds)
        }
        var environment = environment(for: asking.entry.item)
        var bytes: [UInt8]?
        do throws(QuestionFailure) {
            if let question { bytes = try secrets.message(question.bytes(asking.entry.value, &environment)) }
            asking.environment = environment
            asking.environment["asked"] = .number(Decimal(moment.seconds))
            asking.frames = try pendingFrames(of: asking.entry.item, environment)
        } catch {
            return fail(error)
        }
        for channel in channels(of: asking.entry.item) { buffers[channel].clear() }
        lastToken += 1
        asking.token = lastToken
        asking.attempt += 1
        asking.deadline = nil
        asking.readTime = nil
        asking.isHeard = false
        asking.parts = []
        asking.frameCount = 0
        asking.otherText = []
        if asking.attempt == 1 { asking.firstWrite = now }
        self.asking = asking
        state = .waiting
        // A characteristic that a formula names is read without a question.
        guard let bytes else { return actions.append(.read(item: asking.entry.item, token: asking.token)) }
        values.noteQuestion(at: moment)
        actions.append(.write(item: asking.entry.item, bytes, token: asking.token))
    }

    private func pendingFrames(
        of item: Int, _ environment: Environment
    ) throws(QuestionFailure) -> [PendingFrame] {
        guard let answer = plan.items[item].answer else { return [] }
        var frames: [PendingFrame] = []
        func add(
            _ purpose: PendingFrame.Purpose, _ source: Configuration.Place, _ shape: Configuration.FrameShape
        ) throws(QuestionFailure) {
            let frame = ExpectedFrame(shape, isRefusal: purpose == .refusal) { try? $0.number(in: environment) }
            guard let frame else { throw .unaskable(shape.failure(in: environment)) }
            let channel = plan.channels.firstIndex(of: source) ?? -1
            frames.append(PendingFrame(purpose: purpose, channel: channel, frame: frame))
        }
        if let end = answer.end { try add(.end, end.source, end.frame) }
        try add(.answer, answer.source, answer.frame)
        if let refusal = answer.refusal { try add(.refusal, refusal.source, refusal.frame) }
        return frames
    }

    private mutating func written() {
        guard var asking, case .waiting = state, asking.deadline == nil else { return }
        guard let answer = plan.items[asking.entry.item].answer else { return succeed(nil, content: []) }
        switch answer.method {
        case .notification: asking.deadline = now + answer.within * asking.attempt
        case .read(let delay): asking.readTime = now + delay
        }
        self.asking = asking
        timePassed()
    }

    // MARK: Time

    /// The moment at which the conversation must go on without another event; nil: none.
    private var nextWake: Instant? {
        guard isConnected else { return nil }
        var moments = [queue.nextRepetition]
        switch state {
        case .draining(let end, _): moments.append(end)
        case .waiting: moments += [asking?.deadline, asking?.readTime, idleEnd]
        case .idle:
            guard unsubscribed.isEmpty, let next = queue.next else { break }
            moments.append([pauseEnd, silenceEnd(for: next)].compactMap { $0 }.max())
        }
        return moments.compactMap { $0 }.min()
    }

    /// When the silence ends the series that is arriving; nil: no silence does.
    private var idleEnd: Instant? {
        guard let asking, asking.frameCount > 0, let lastByte, let idle = plan.items[asking.entry.item].answer?.idle
        else { return nil }
        return lastByte + idle
    }

    private mutating func timePassed() {
        switch state {
        case .idle: break
        case .draining(let end, _): if end <= now { drained() }
        case .waiting:
            if let time = asking?.readTime, time <= now {
                asking?.readTime = nil
                if let asking { actions.append(.read(item: asking.entry.item, token: asking.token)) }
            } else if let end = idleEnd, end <= now {
                completeSeries()
            } else if let deadline = asking?.deadline, deadline <= now {
                timedOut()
            }
        }
    }

    private mutating func timedOut() {
        guard let asking else { return }
        if !asking.isHeard {
            silentQuestions += 1
            if silentQuestions >= Self.mostSilentQuestions {
                // The end is reported first: without a further question, the session would count as complete.
                actions.append(.endAfterSilence(questions: silentQuestions))
                fail(.timeout)
                return ended()
            }
        }
        repeatOrFail(absence ?? .timeout)
    }

    /// Why what has arrived since the question is not its answer; nil if no question is being asked.
    var absence: QuestionFailure? {
        guard let asking else { return nil }
        if asking.frameCount > 0 { return .incomplete("frames of the answer are missing") }
        if !asking.otherText.isEmpty {
            return .unrecognized("no line of the text begins like the answer", asking.otherText)
        }
        guard let answer = asking.frames.first(where: { $0.purpose == .answer }), answer.channel >= 0 else {
            return .timeout
        }
        let bytes = buffers[answer.channel].unmatched
        return bytes.isEmpty ? .timeout : .unrecognized(answer.frame.explanation(for: bytes), bytes)
    }

    /// Drops late bytes until the device is silent.
    private mutating func drain(_ least: Duration = silence) {
        clearBuffers()
        state = .draining(until: now + least, latest: now + max(least, Self.longestSilence))
    }

    private mutating func drained() {
        clearBuffers()
        state = .idle
        if asking != nil { ask() }
    }

    // MARK: Bytes

    private mutating func received(_ bytes: [UInt8], _ channel: Int) {
        guard isConnected else { return }
        silentQuestions = 0
        lastByte = now
        asking?.isHeard = true
        if case .draining(let end, let latest) = state {
            state = .draining(until: max(end, min(now + Self.silence, latest)), latest: latest)
        }
        // A message that is no multiple of 16 bytes is not encrypted with the key of the device.
        guard let content = secrets.content(bytes) else { return }
        buffers[channel].append(content)
        while true {
            let pending = pendingFrames(on: channel)
            let others = otherFrames(on: channel)
            let split = pending.firstIndex { $0.purpose == .refusal } ?? pending.count
            // A refusal is last: a frame of another entry may begin like a refusal.
            let expected =
                pending[..<split].map(\.frame) + others.map(\.frame) + pending[split...].map(\.frame)
            guard let (index, content) = buffers[channel].next(expected) else { return }
            if index < split {
                received(pending[index], content)
            } else if index < split + others.count {
                received(others[index - split], content)
            } else {
                received(pending[index - others.count], content)
            }
        }
    }

    private func pendingFrames(on channel: Int) -> [PendingFrame] {
        guard case .waiting = state, let asking else { return [] }
        return asking.frames.filter { $0.channel == channel }
    }

    /// Returns the frames of all entries on a channel, except the entry that is being asked.
    private mutating func otherFrames(on channel: Int) -> [OtherFrame] {
        let all = others ?? makeOtherFrames()
        others = all
        var current: Int?
        if case .waiting = state { current = asking?.entry.item }
        return all.filter { $0.channel == channel && $0.item != current }
    }

    /// Returns the frames of all entries; those with a start come first.
    private func makeOtherFrames() -> [OtherFrame] {
        let environment = values.environment(at: moment)
        var frames: [OtherFrame] = []
        for (index, item) in plan.items.enumerated().dropFirst(plan.firstCount) {
            guard let answer = item.answer, answer.method == .notification, item.answering == nil,
                answer.frame.hasStart || item.question == nil || item.isSubscribed,
                let channel = plan.channels.firstIndex(of: answer.source),
                item.question?.condition.map({ (try? $0.isTrue(in: environment)) ?? false }) ?? true
            else { continue }
            let members = item.question?.constants(in: environment) ?? environment
            func number(_ formula: Expression) -> Decimal? { try? formula.number(in: members) }
            guard let frame = ExpectedFrame(answer.frame, beginsWithStart: answer.frame.hasStart, number: number)
            else { continue }
            let refusal = answer.refusal.flatMap { ExpectedFrame($0.frame, isRefusal: true, number: number) }
            frames.append(OtherFrame(item: index, channel: channel, frame: frame, refusal: refusal))
        }
        return frames.filter { !$0.frame.start.isEmpty } + frames.filter { $0.frame.start.isEmpty }
    }

    private mutating func received(_ pending: PendingFrame, _ content: [UInt8]) {
        switch pending.purpose {
        case .refusal:
            fail(.refused(content))
            drain()
        case .end: completeSeries()
        case .answer: receivedAnswer(content, pending.frame)
        }
    }

    private mutating func receivedAnswer(_ content: [UInt8], _ frame: ExpectedFrame) {
        guard var asking, let answer = plan.items[asking.entry.item].answer else { return }
        var content = content
        if frame.shape.isText {
            switch AnswerText(content, frame, refusal: asking.frames.first { $0.purpose == .refusal }?.frame) {
            case .line(let line): content = line
            case .noLine:
                self.asking?.otherText = content
                return
            case .refused(let line):
                fail(.refused(line))
                state = .idle
                return
            }
        }
        if let sequence = answer.sequence {
            let number = content.indices.contains(sequence.position) ? Int(content[sequence.position]) : nil
            let expected = (sequence.first + asking.frameCount) & 0xFF
            guard number == expected else {
                let found = number.map(String.init) ?? "none"
                return repeatOrFail(.incomplete("frame \(expected) of the answer is missing, found \(found)"))
            }
        }
        if histories[asking.entry.item] != nil, asking.numbers == nil { return receivedRecords(content, answer) }
        let part = answer.joined.map { content[$0.clamped(to: content.indices)] } ?? content[...]
        asking.parts += part
        asking.frameCount += 1
        asking.lastFrame = content
        asking.deadline = now + answer.within
        self.asking = asking
        guard asking.parts.count <= Configuration.Answer.longestSeries else {
            return repeatOrFail(.incomplete("the answer is longer than \(Configuration.Answer.longestSeries) bytes"))
        }
        if answer.end != nil || answer.idle != nil { return }
        do throws(QuestionFailure) {
            if asking.frameCount >= (try frameCount(of: answer, asking)) { completeSeries() }
        } catch {
            fail(error)
            drain()
        }
    }

    /// Publishes the records of a frame of a history as they arrive.
    private mutating func receivedRecords(_ content: [UInt8], _ answer: Configuration.Answer) {
        guard var asking else { return }
        asking.frameCount += 1
        asking.lastFrame = content
        asking.deadline = now + answer.within
        self.asking = asking
        if publishRecords(in: content, frame: asking.frameCount - 1) {
            succeed(nil, content: [])
            // The device may send further records, which are known.
            return drain()
        }
        if queue.hasRequests, !asking.entry.isRequested {
            // The series goes on after the request, behind the records that were published.
            self.asking = nil
            histories[asking.entry.item]?.interrupt(at: moment.seconds)
            queue.add(asking.entry.item, asking.entry.origin)
            return drain()
        }
        if answer.end != nil || answer.idle != nil { return }
        do throws(QuestionFailure) {
            if asking.frameCount >= (try frameCount(of: answer, asking)) { succeed(nil, content: []) }
        } catch {
            fail(error)
            drain()
        }
    }

    /// Publishes the records in a frame or an answer.
    ///
    /// - Returns: Whether the device has no further new records.
    private mutating func publishRecords(in content: [UInt8], frame: Int) -> Bool {
        guard let asking else { return false }
        let index = asking.entry.item
        var isOver = false
        do throws(DecodingError) {
            let records = try plan.items[index].records(
                in: content, frame: frame, asking.environment, localOffset: moment.offset)
            for record in records {
                guard let outcome = histories[index]?.add(record, at: moment.seconds) else { continue }
                for record in outcome.records { actions.append(.record(item: index, record)) }
                isOver = isOver || outcome.isOver
            }
        } catch {
            actions.append(.reject(item: index, error.description, content))
        }
        return isOver
    }

    /// Returns the number of frames of an answer.
    private func frameCount(of answer: Configuration.Answer, _ asking: Asking) throws(QuestionFailure) -> Int {
        switch answer.count {
        case nil: return 1
        case .byte(let position):
            guard asking.lastFrame.indices.contains(position) else {
                throw .incomplete("byte \(position), the number of frames, is missing")
            }
            return Int(asking.lastFrame[position])
        case .formula(let formula):
            do throws(FormulaFailure) {
                return try formula.number(in: asking.environment).integer ?? 1
            } catch {
                throw .unaskable("frames: \(error)")
            }
        }
    }

    private mutating func completeSeries() {
        guard let asking else { return }
        if histories[asking.entry.item] != nil, asking.numbers == nil { return succeed(nil, content: []) }
        complete(asking.parts)
    }

    private mutating func read(_ bytes: [UInt8]) {
        guard let asking, case .waiting = state, asking.deadline == nil else { return }
        silentQuestions = 0
        guard let frame = asking.frames.first(where: { $0.purpose == .answer })?.frame else { return }
        guard let message = secrets.content(bytes),
            case .frame(message.count, let content) = frame.compare(message[...], notification: message.count)
        else {
            return repeatOrFail(.invalid("the bytes are not the answer to the question", bytes))
        }
        complete(content)
    }

    /// Decodes the whole answer.
    private mutating func complete(_ content: [UInt8]) {
        guard let asking else { return }
        if histories[asking.entry.item] != nil {
            // The numbers after a known record are those of older ones.
            let isOver = publishRecords(in: content, frame: 0)
            if isOver, let number = asking.numbers?.lowerBound { self.asking?.numbers = number...number }
            return succeed(nil, content: content)
        }
        do throws(DecodingError) {
            succeed(try reading(of: asking.entry.item, content, asking.environment), content: content)
        } catch {
            repeatOrFail(.invalid(error.description, content))
        }
    }

    /// Returns the decoded and valid reading.
    private func reading(
        of item: Int, _ content: [UInt8], _ environment: Environment
    ) throws(DecodingError) -> Reading? {
        let item = plan.items[item]
        guard let format = item.format else {
            // The answer to a command without a format is only part of its response.
            return item.isCommand ? nil : .value(.bytes(content), unit: nil)
        }
        let reading = try format.decode(content, in: environment)
        if let valid = item.valid { try reading.check(valid, in: format) }
        return reading
    }

    /// Delivers a frame that was not asked for; drops it if its entry is not subscribed.
    private mutating func received(_ other: OtherFrame, _ content: [UInt8]) {
        let item = plan.items[other.item]
        guard item.isSubscribed else { return }
        var content = content
        if other.frame.shape.isText {
            guard case .line(let line) = AnswerText(content, other.frame, refusal: nil) else { return }
            content = line
        }
        if let refusal = other.refusal, refusal.comparison(with: content[...]) == .equal { return }
        let environment = values.environment(at: moment)
        do throws(DecodingError) {
            guard let reading = try reading(of: other.item, content, environment) else { return }
            deliver(reading, of: other.item, content, environment, isAsked: false)
        } catch {
            actions.append(.reject(item: other.item, error.description, content))
        }
    }

    private mutating func deliver(
        _ reading: Reading, of item: Int, _ content: [UInt8], _ environment: Environment, isAsked: Bool,
        number: Int? = nil
    ) {
        let (name, format) = (plan.items[item].name, plan.items[item].format)
        if values.uses(name), let members = try? format?.members(of: content, in: environment) {
            values.note(members, of: name, at: moment)
            others = nil
        }
        actions.append(.deliver(item: item, reading, isAsked: isAsked, number: number))
    }

    // MARK: Histories

    /// Notes that a value was published to which records of a history belong.
    private mutating func notePublished(_ owner: String) {
        for (item, history) in plan.items.enumerated() where history.history?.owner == owner {
            histories[item]?.notePublished(at: moment.seconds)
        }
    }

    /// Ends the series of a history whose records were not published; the next one begins with them.
    private mutating func recordsLost(_ item: Int, _ memory: HistoryMemory) {
        histories[item]?.restore(memory)
        let failure = QuestionFailure.failed("the broker did not accept the records")
        if let entry = queue.removeBegun(of: item) {
            remaining = nil
            conclude(entry, .failure(failure))
        }
        guard asking?.entry.item == item else { return }
        fail(failure)
        drain()
    }

    // MARK: The end of a question

    /// Delivers the answer.
    ///
    /// After several attempts, late answers to the other ones are dropped.
    private mutating func succeed(_ reading: Reading?, content: [UInt8]) {
        guard let asking else { return }
        let item = plan.items[asking.entry.item]
        self.asking = nil
        state = .idle
        values.countAnswer()
        queue.answered(asking.entry, at: now)
        if let reading, asking.entry.item >= plan.firstCount {
            deliver(
                reading, of: item.answering ?? asking.entry.item, content, asking.environment, isAsked: true,
                number: asking.numbers?.lowerBound)
        }
        if let numbers = asking.numbers, numbers.count > 1 {
            remaining = numbers.lowerBound + 1...numbers.upperBound
            queue.resume(asking.entry)
        } else {
            conclude(asking.entry, .success(answer(to: asking.entry, reading, content)))
        }
        if let pause = item.question?.pause, pause > .zero { pauseEnd = now + pause }
        if asking.attempt > 1, item.answer?.method == .notification {
            let end = now + (now - asking.firstWrite) + Self.silence
            clearBuffers()
            state = .draining(until: end, latest: end)
        }
    }

    /// Returns the answer for a client; the last records of a history are published before.
    private mutating func answer(
        to entry: QuestionQueue.Entry, _ reading: Reading?, _ content: [UInt8]
    ) -> QuestionAnswer {
        let item = plan.items[entry.item].answering ?? entry.item
        var answer = QuestionAnswer(item: item, reading: reading, bytes: content)
        guard let last = histories[entry.item]?.end(at: moment.seconds) else { return answer }
        for record in last { actions.append(.record(item: entry.item, record)) }
        answer.records = histories[entry.item]?.count
        return answer
    }

    /// Asks again after a silence if an attempt is left.
    private mutating func repeatOrFail(_ failure: QuestionFailure) {
        guard let asking else { return }
        if asking.attempt < plan.items[asking.entry.item].question?.attempts ?? 1 { return drain() }
        fail(failure)
        // A late answer could be taken for that of the other entry.
        let within = plan.items[asking.entry.item].answer?.within ?? Self.silence
        drain(looksLikeAnother(asking.entry.item) ? within : Self.silence)
    }

    /// Returns whether the answer of another entry has the same start and the same length.
    private func looksLikeAnother(_ item: Int) -> Bool {
        let all = others ?? makeOtherFrames()
        guard let own = all.first(where: { $0.item == item }) else { return false }
        return all.contains { $0.item != item && $0.channel == own.channel && $0.frame.looks(like: own.frame) }
    }

    /// Reports that the question has no answer.
    private mutating func fail(_ failure: QuestionFailure) {
        guard let asking else { return }
        self.asking = nil
        state = .idle
        histories[asking.entry.item]?.fail(at: moment.seconds)
        actions.append(.report(item: asking.entry.item, failure, attempts: max(asking.attempt, 1)))
        queue.failed(asking.entry)
        conclude(asking.entry, .failure(failure))
        guard asking.entry.item < plan.firstCount else { return }
        ended()
        actions.append(.endAfterLogin("\(plan.items[asking.entry.item].name): \(failure)"))
    }

    /// Reports the result of a question to its client, or to the session.
    private mutating func conclude(_ entry: QuestionQueue.Entry, _ result: Result<QuestionAnswer, QuestionFailure>) {
        if case .request(let identifier) = entry.origin { return actions.append(.respond(identifier, result)) }
        guard entry.item >= plan.firstCount, result != .failure(.interrupted) else { return }
        actions.append(.done(item: entry.item, isAnswered: (try? result.get()) != nil))
    }
}

extension Configuration.FrameShape {
    /// Returns why a formula of the shape has no result.
    fileprivate func failure(in environment: Environment) -> String {
        for formula in formulas {
            do throws(FormulaFailure) {
                _ = try formula.number(in: environment)
            } catch {
                return "answer: \(error)"
            }
        }
        return "answer: a formula has no result"
    }
}
