package import Codec
import Configuration

/// Questions and answers without a device, e.g. for `bluefleet decode`.
extension ConversationPlan {
    /// Returns the answer of an entry that notifications contain.
    ///
    /// - Parameters:
    ///   - notifications: The bytes of each notification, in their order.
    ///   - item: The index of the entry.
    ///   - secrets: The cipher of the answers.
    ///   - moment: The time of the question.
    /// - Returns: The decoded answer.
    /// - Throws: `QuestionFailure` if there is no whole answer, or if it does not fit its format.
    package func decode(
        _ notifications: [[UInt8]], of item: Int, _ secrets: QuestionSecrets, at moment: Moment
    ) throws(QuestionFailure) -> Reading {
        var rehearsal = Rehearsal(single, secrets, at: moment)
        rehearsal.ask(item, nil)
        rehearsal.receive(notifications, of: item)
        switch rehearsal.result {
        case .success(let reading)?: return reading
        case .failure(let failure)?: throw failure
        case nil:
            if case .unrecognized(let reason, _)? = rehearsal.absence { throw .incomplete(reason) }
            throw .incomplete("the bytes contain no whole answer of \(items[item].name)")
        }
    }

    /// Returns the bytes of a question.
    ///
    /// - Parameters:
    ///   - value: The value that a client gives, for a command; nil: none.
    ///   - item: The index of the entry.
    ///   - secrets: The cipher of the questions.
    ///   - moment: The time of the question.
    /// - Returns: The bytes.
    /// - Throws: `QuestionFailure` if a value is missing, or does not fit its field.
    package func encode(
        _ value: Value?, for item: Int, _ secrets: QuestionSecrets, at moment: Moment
    ) throws(QuestionFailure) -> [UInt8] {
        guard let question = items[item].question else {
            throw .unaskable("\(items[item].name) has no question: the device sends it unasked")
        }
        var environment = QuestionValues(self).environment(at: moment)
        return try secrets.message(try question.bytes(value, &environment))
    }
}

/// A conversation with a device that is not there.
private struct Rehearsal {
    private var conversation: Conversation
    private let moment: Moment
    private var isRead = false
    private(set) var result: Result<Reading, QuestionFailure>?

    init(_ plan: ConversationPlan, _ secrets: QuestionSecrets, at moment: Moment) {
        self.moment = moment
        conversation = Conversation(plan, at: moment)
        let channels = Set(plan.channels.indices)
        handle(.connected(channels: channels, secrets))
        for channel in channels.sorted() { handle(.subscribed(channel: channel)) }
    }

    /// Why the notifications are not the answer; nil if the entry has no question.
    var absence: QuestionFailure? { conversation.absence }

    mutating func ask(_ item: Int, _ value: Value?) {
        if conversation.plan.items[item].question != nil { handle(.requested(0, item: item, value)) }
    }

    mutating func receive(_ notifications: [[UInt8]], of item: Int) {
        let source = conversation.plan.items[item].answer?.source
        let channel = source.flatMap { conversation.plan.channels.firstIndex(of: $0) }
        for bytes in notifications {
            if let channel {
                handle(.received(bytes, channel: channel))
            } else if isRead {
                handle(.read(token: token, bytes))
            }
        }
    }

    private var token = 0

    private mutating func handle(_ event: ConversationEvent) {
        for action in conversation.handle(event, at: moment) {
            switch action {
            case .write(_, _, let token): handle(.written(token: token))
            case .read(_, let token): (isRead, self.token) = (true, token)
            case .deliver(_, let reading, let isAsked, _): if !isAsked || result == nil { result = .success(reading) }
            case .respond(_, .success(let answer)):
                result = answer.reading.map { .success($0) } ?? .failure(.unaskable("the answer has no format"))
            case .respond(_, .failure(let failure)), .report(_, let failure, _): result = .failure(failure)
            case .reject(_, let reason, let bytes): result = .failure(.invalid(reason, bytes))
            case .record, .prolong, .done, .endAfterLogin, .endAfterSilence: break
            }
        }
    }
}
