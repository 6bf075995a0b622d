import Codec
import Configuration
import JSON
import System

@testable import Devices

/// A conversation with a simulated device on a virtual clock; all bytes are those on the air.
struct ConversationRun {
    /// Bytes of a notification, and how long after the question or the notification before it they arrive.
    struct Piece {
        let bytes: [UInt8]
        let from: String
        var after = Duration.milliseconds(20)
    }

    private(set) var conversation: Conversation
    private(set) var now = Instant(nanoseconds: 1_000_000_000_000)
    private(set) var delivered: [(item: Int, reading: Reading, isAsked: Bool)] = []
    /// The numbers of the delivered readings in their series.
    private(set) var numbers: [Int?] = []
    /// The questions that were written last before the delivered readings.
    private(set) var questions: [[UInt8]?] = []
    private(set) var records: [HistoryRecord] = []
    /// How long the session may take because of histories.
    private(set) var limits: [Duration] = []
    private(set) var responses: [Int: Result<QuestionAnswer, QuestionFailure>] = [:]
    private(set) var reports: [(item: Int, failure: QuestionFailure, attempts: Int)] = []
    private(set) var done: [Int: Bool] = [:]
    private(set) var written: [[UInt8]] = []
    /// The questions that were done when the conversation demanded the end of the connection.
    private(set) var doneAtEnding: [Int: Bool] = [:]
    private(set) var endings: [String] = []
    private var arrivals: [(time: Instant, bytes: [UInt8], channel: Int)] = []
    let secrets: QuestionSecrets
    private let time: Timestamp
    /// Returns the notifications that follow a question; the number counts how often it was asked.
    private let device: ([UInt8], Int) -> [Piece]
    /// The values of characteristics that are read without a question, by the name of the entry.
    private let values: [String: [UInt8]]
    private var counts: [[UInt8]: Int] = [:]
    private var lateness = Duration.zero

    init(
        _ plan: ConversationPlan, _ secrets: QuestionSecrets = QuestionSecrets(), time: Timestamp? = nil,
        memories: [String: HistoryMemory] = [:], values: [String: [UInt8]] = [:],
        device: @escaping ([UInt8], Int) -> [Piece]
    ) {
        self.secrets = secrets
        self.time = time ?? Timestamp("2026-01-01T00:00:00.000Z") ?? Timestamp(milliseconds: 0)
        self.device = device
        self.values = values
        conversation = Conversation(plan, memories, at: Moment(now, Timestamp(milliseconds: 0), offset: 0))
    }

    var plan: ConversationPlan { conversation.plan }

    private var moment: Moment { Moment(now, time, offset: 0) }

    /// Lets each answer arrive this much later.
    mutating func delayAnswers(by delay: Duration) {
        lateness = delay
    }

    /// Connects, and subscribes to all channels.
    mutating func connect() {
        let channels = Set(plan.channels.indices)
        handle(.connected(channels: channels, secrets))
        for channel in channels.sorted() { handle(.subscribed(channel: channel)) }
    }

    mutating func handle(_ event: ConversationEvent) {
        for action in conversation.handle(event, at: moment) { perform(action) }
    }

    private mutating func perform(_ action: ConversationAction) {
        switch action {
        case .write(let item, let bytes, let token):
            written.append(bytes)
            counts[bytes, default: 0] += 1
            var time = now + lateness
            let pieces = device(bytes, counts[bytes] ?? 1)
            handle(.written(token: token))
            guard plan.items[item].answer?.method == .notification else { return }
            for piece in pieces {
                time = time + piece.after
                arrive(piece, at: time)
            }
        case .read(let item, let token):
            let question = written.last ?? []
            let bytes = values[plan.items[item].name] ?? device(question, counts[question] ?? 1).first?.bytes ?? []
            handle(.read(token: token, bytes))
        case .deliver(let item, let reading, let isAsked, let number):
            delivered.append((item, reading, isAsked))
            numbers.append(number)
            questions.append(written.last)
        case .record(_, let record): records.append(record)
        case .prolong(let limit): limits.append(limit)
        case .reject: break
        case .done(let item, let isAnswered): done[item] = isAnswered
        case .report(let item, let failure, let attempts): reports.append((item, failure, attempts))
        case .respond(let identifier, let result): responses[identifier] = result
        case .endAfterLogin(let reason): endings.append(reason)
        case .endAfterSilence(let questions):
            endings.append("\(questions) questions")
            doneAtEnding = done
        }
    }

    private mutating func arrive(_ piece: Piece, at time: Instant) {
        guard
            let channel = plan.channels.firstIndex(where: {
                "\($0.characteristic)".uppercased() == piece.from.uppercased()
            })
        else { return }
        arrivals.append((time, piece.bytes, channel))
    }

    /// Lets notifications arrive that were not asked for.
    mutating func send(_ pieces: [Piece]) {
        var time = now
        for piece in pieces {
            time = time + piece.after
            arrive(piece, at: time)
        }
    }

    /// Lets time pass until nothing more can happen, or until the limit.
    mutating func run(for limit: Duration = .seconds(120)) {
        let end = now + limit
        while true {
            let arrival = arrivals.indices.min { arrivals[$0].time < arrivals[$1].time }
            let next = [arrival.map { arrivals[$0].time }, conversation.wake].compactMap { $0 }.min()
            guard let next, next <= end else { break }
            now = max(now, next)
            if let arrival, arrivals[arrival].time <= now {
                let (_, bytes, channel) = arrivals.remove(at: arrival)
                handle(.received(bytes, channel: channel))
            } else {
                handle(.timer)
            }
        }
        now = max(now, end)
    }
}
