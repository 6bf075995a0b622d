import BlueZ
import Bluetooth
import Bridge
import Codec
import Configuration
import Devices
import EventLoop
import System

/// Asks each question of a profile once, and reads or receives each of its other values once.
final class ProfileTrial {
    private enum Event: Sendable {
        case value([UInt8], BlueZ.Characteristic)
        case lost
        case timer
        /// The end of a wait with this number.
        case limit(Int)
    }

    /// A question that was written, and the bytes that arrived since.
    private struct Asked {
        let item: Int
        let bytes: [UInt8]
        var answer: [TrialResult.Piece] = []
    }

    /// How long to wait for values that the device sends unasked.
    private static let patience = Duration.seconds(10)
    /// How long to wait for the answers to the first questions.
    private static let loginTime = Duration.seconds(5)

    private let settings: Configuration.DeviceSettings
    private let attributes: QuestionAttributes?
    private let secrets: QuestionSecrets
    private let peripheral: Peripheral
    private let loop: EventLoop
    private let show: (TrialResult) -> Void
    private let events = Mailbox<Event>()
    private var conversation: Conversation?
    private var timer: Timer?
    private var waits = 0
    private var asked: Asked?
    /// The bytes that arrived unasked, and belong to no entry yet.
    private var unasked: [TrialResult.Piece] = []
    /// The items with a result.
    private var done: Set<Int> = []
    /// The reason why no further question is asked; nil: there is none.
    private var ending: String?
    /// The characteristics that notify values without frames, until their first value.
    private var expected: [BlueZ.Characteristic: Configuration.Characteristic] = [:]
    private(set) var results: [TrialResult] = []

    /// - Parameters:
    ///   - settings: The settings of a device with the profile.
    ///   - secrets: The PIN and the cipher of the questions.
    ///   - peripheral: The connected peripheral.
    ///   - loop: The loop of the peripheral.
    ///   - show: Shows each result as soon as it is known.
    init(
        _ settings: Configuration.DeviceSettings, _ secrets: QuestionSecrets, on peripheral: Peripheral,
        loop: EventLoop, show: @escaping (TrialResult) -> Void
    ) {
        self.settings = settings
        self.secrets = secrets
        self.peripheral = peripheral
        self.loop = loop
        self.show = show
        attributes = ConversationPlan(settings).map { QuestionAttributes($0) }
    }

    private var plan: ConversationPlan? { attributes?.plan }

    /// Asks, reads and receives.
    ///
    /// - Throws: `CentralError` if the services cannot be discovered; `Failure` if the connection is lost.
    func run() async throws {
        let services = try await peripheral.discoverServices()
        await peripheral.onEvent { [events] event in
            if case .disconnected = event { events.put(.lost) }
        }
        await peripheral.onValue { [events] bytes, characteristic, _ in
            events.put(.value([UInt8](bytes), characteristic))
        }
        try await converse(services)
        try await access(services)
        try await listen()
        timer?.cancel()
    }

    // MARK: Questions

    private func converse(_ services: [BlueZ.Service]) async throws {
        guard let attributes, let plan else { return }
        attributes.bind(services)
        conversation = Conversation(plan, at: moment)
        await handle(.connected(channels: attributes.presentChannels, secrets))
        for channel in attributes.presentChannels.sorted() {
            guard let characteristic = attributes.characteristic(of: channel) else { continue }
            do throws(CentralError) {
                try await peripheral.setNotify(true, for: characteristic, bySignals: true)
                await handle(.subscribed(channel: channel))
            } catch {
                await handle(.subscriptionFailed(channel: channel, reason: error.message))
            }
        }
        for item in plan.items.indices.dropFirst(plan.firstCount) {
            if let reason = reasonToSkip(item) {
                finish(item, reason)
            } else if plan.items[item].question != nil, !done.contains(item) {
                await handle(.requested(item, item: item, nil))
                try await wait { self.done.contains(item) || self.ending != nil }
            }
        }
        // Without further questions, nothing shows when the last first question is answered.
        if plan.firstCount > 0 { try await wait(atMost: Self.loginTime) { self.isLoginOver } }
        finishFirst()
    }

    /// Returns why the question of an item is not asked; nil: it is asked.
    private func reasonToSkip(_ index: Int) -> TrialResult.Outcome? {
        guard let attributes, let item = plan?.items[index] else { return nil }
        if item.isCommand { return .skipped("a command: only a request sends it") }
        if item.history != nil { return .skipped("records of the past: the bridge asks for them") }
        if let ending { return .skipped(ending) }
        guard let missing = attributes.missingPlaces(of: index).first else { return nil }
        return .failed("the device lacks the characteristic \(missing)")
    }

    private var isLoginOver: Bool {
        guard ending == nil, let plan, let asked, asked.item < plan.firstCount else { return true }
        return asked.item == plan.firstCount - 1 && (plan.items[asked.item].answer == nil || !asked.answer.isEmpty)
    }

    private var moment: Moment {
        let time = loop.timestamp
        return Moment(loop.now, time, offset: time.localOffset)
    }

    private func handle(_ event: ConversationEvent) async {
        var queue = conversation?.handle(event, at: moment) ?? []
        while !queue.isEmpty {
            let action = queue.removeFirst()
            guard let event = await perform(action) else { continue }
            queue += conversation?.handle(event, at: moment) ?? []
        }
        timer?.cancel()
        timer = conversation?.wake.map { wake in
            loop.schedule(after: max(wake - loop.now, .zero)) { [events] in events.put(.timer) }
        }
    }

    /// Performs an action; returns the event that follows at once.
    private func perform(_ action: ConversationAction) async -> ConversationEvent? {
        switch action {
        case .write(let item, let bytes, let token): return await write(bytes, item, token)
        case .read(let item, let token): return await read(item, token)
        // Of a series of questions, the first answer is shown.
        case .deliver(let item, let reading, let isAsked, _): finish(item, .values(reading), isAsked: isAsked)
        case .reject(let item, let reason, _): finish(item, .failed(reason), isAsked: false)
        case .report(let item, let failure, let attempts): finish(item, .failed(text(of: failure, item, attempts)))
        case .respond(let item, .success(let answer)): finish(item, .values(answer.reading))
        // A question that was asked has been reported.
        case .respond(let item, .failure(let failure)): finish(item, .skipped("\(failure)"))
        case .done, .record, .prolong: break
        case .endAfterLogin(let reason): ending = "the login failed: \(reason)"
        case .endAfterSilence(let questions): ending = "the device did not answer \(questions) questions in a row"
        }
        return nil
    }

    private func text(of failure: QuestionFailure, _ item: Int, _ attempts: Int) -> String {
        if secrets.pin == nil, case .containsPIN? = plan?.secrecy(of: item) {
            return "the question needs the PIN of the device: add --pin-file FILE"
        }
        return attempts > 1 ? "\(failure), asked \(attempts) times" : "\(failure)"
    }

    private func write(_ bytes: [UInt8], _ item: Int, _ token: Int) async -> ConversationEvent? {
        guard let attributes, let plan else { return nil }
        if asked?.item != item { finishFirst() }
        asked = Asked(item: item, bytes: bytes)
        Progress.show("Asking \(plan.items[item].name)")
        do throws(QuestionFailure) {
            let (characteristic, type) = try attributes.destination(of: item, writing: bytes.count)
            do throws(CentralError) {
                try await peripheral.writeValue(bytes, of: characteristic, type)
                return .written(token: token)
            } catch {
                return .accessFailed(token: token, reason: error.message)
            }
        } catch {
            return .accessFailed(token: token, reason: error.description)
        }
    }

    private func read(_ item: Int, _ token: Int) async -> ConversationEvent? {
        guard let characteristic = attributes?.source(of: item) else {
            return .accessFailed(token: token, reason: "the device lacks the characteristic of the answer")
        }
        do throws(CentralError) {
            let bytes = try await peripheral.readValue(of: characteristic)
            asked?.answer.append(TrialResult.Piece(source: characteristic.uuid, bytes: bytes))
            return .read(token: token, bytes)
        } catch {
            return .accessFailed(token: token, reason: error.message)
        }
    }

    /// Notes that a first question was answered: the next one was asked.
    private func finishFirst() {
        guard let plan, ending == nil, let asked, asked.item < plan.firstCount else { return }
        finish(asked.item, .values(nil))
    }

    /// Notes the result of an item, unless it has one.
    private func finish(_ index: Int, _ outcome: TrialResult.Outcome, isAsked: Bool = true) {
        guard let plan, !done.contains(index) else { return }
        done.insert(index)
        let item = plan.items[index]
        var question = TrialResult.Question.none
        var answer: [TrialResult.Piece] = []
        if !isAsked {
            let sources = (item.answer?.channels ?? []).map(\.characteristic)
            answer = unasked.filter { sources.contains($0.source) }
            unasked = []
        } else if let asked, asked.item == index || plan.items[asked.item].answering == index {
            question = self.question(asked)
            answer = asked.answer
            self.asked = nil
        }
        let isFirst = index < plan.firstCount
        let place = item.question?.destination ?? item.answer?.source
        add(
            TrialResult(
                name: item.name, entry: isFirst ? "first" : item.name, place: place.map { "\($0)" } ?? "",
                source: item.answer?.source.characteristic, question: question, answer: answer, format: item.format,
                outcome: outcome))
    }

    private func question(_ asked: Asked) -> TrialResult.Question {
        switch plan?.secrecy(of: asked.item) {
        case .containsPIN?: return .secret("it contains the PIN")
        case .encrypted?:
            // Bytes that are encrypted with a published key are no secret.
            if case .fixed? = settings.cipher?.key { break }
            return .secret("it is encrypted with your key")
        case nil: break
        }
        let pattern = plan?.pattern(of: asked.item, asked.bytes) ?? BytePattern(bytes: asked.bytes)
        return .bytes(asked.bytes, pattern)
    }

    // MARK: Values without questions

    /// Reads characteristics, and subscribes to those that only notify.
    private func access(_ services: [BlueZ.Service]) async throws {
        // A question may have needed the value of a characteristic already.
        let known = Set(results.map(\.entry))
        for entry in settings.characteristics where !entry.isExchange && !known.contains(entry.name) {
            let candidates = services.filter { entry.service == nil || $0.uuid == entry.service }
                .flatMap(\.characteristics).filter { $0.uuid == entry.uuid }
            guard candidates.indices.contains(entry.instance - 1) else {
                add(entry, [], .failed("the device lacks the characteristic \(entry.place)"))
                continue
            }
            let characteristic = candidates[entry.instance - 1]
            do throws(CentralError) {
                if characteristic.properties.contains(.read) {
                    Progress.show("Reading \(entry.name)")
                    note(try await peripheral.readValue(of: characteristic), of: entry)
                } else if characteristic.properties.canSubscribe {
                    try await peripheral.setNotify(true, for: characteristic)
                    expected[characteristic] = entry
                } else {
                    add(entry, [], .skipped("a command: only a request sends it"))
                }
            } catch {
                guard error.code != .peripheralDisconnected else { throw error }
                add(entry, [], .failed(error.message))
            }
        }
    }

    /// Waits for values that the device sends unasked.
    private func listen() async throws {
        let read = Set(settings.characteristics.lazy.filter { !$0.isExchange }.map(\.name))
        let frames = plan.map { plan in
            plan.items.indices.dropFirst(plan.firstCount).filter { index in
                plan.items[index].question == nil && !read.contains(plan.items[index].name)
            }
        }
        let listeners = (frames ?? []).filter { !done.contains($0) }
        guard !listeners.isEmpty || !expected.isEmpty else { return }
        Progress.show("Waiting for values")
        try await wait(atMost: Self.patience) {
            self.expected.isEmpty && listeners.allSatisfy(self.done.contains)
        }
        let reason = "the device sent nothing within \(Self.patience.text)"
        for item in listeners { finish(item, .failed(reason), isAsked: false) }
        for entry in settings.characteristics where expected.values.contains(entry) { add(entry, [], .failed(reason)) }
    }

    private func note(_ bytes: [UInt8], of entry: Configuration.Characteristic) {
        let pieces = [TrialResult.Piece(source: entry.uuid, bytes: bytes)]
        guard let format = entry.meaning else { return add(entry, pieces, .values(nil)) }
        do throws(DecodingError) {
            let reading = try format.decode(bytes)
            if let valid = entry.valid { try reading.check(valid, in: format) }
            add(entry, pieces, .values(reading))
        } catch {
            add(entry, pieces, .failed(error.description))
        }
    }

    private func add(
        _ entry: Configuration.Characteristic, _ answer: [TrialResult.Piece], _ outcome: TrialResult.Outcome
    ) {
        add(
            TrialResult(
                name: entry.name, entry: entry.name, place: "\(entry.place)", source: entry.uuid, question: .none,
                answer: answer, format: entry.meaning, outcome: outcome))
    }

    private func add(_ result: TrialResult) {
        results.append(result)
        Progress.clear()
        show(result)
    }

    // MARK: Events

    /// Handles events until a condition holds, or until a time has passed.
    ///
    /// - Throws: `Failure` if the connection is lost.
    private func wait(atMost limit: Duration? = nil, until isOver: () -> Bool) async throws(Failure) {
        waits += 1
        let number = waits
        let deadline = limit.map { limit in loop.schedule(after: limit) { [events] in events.put(.limit(number)) } }
        defer { deadline?.cancel() }
        while !isOver(), let event = await events.next() {
            switch event {
            case .value(let bytes, let characteristic): await received(bytes, characteristic)
            case .timer: await handle(.timer)
            case .limit(number): return
            case .limit: break
            case .lost:
                throw Failure(
                    .unavailable,
                    "\(peripheral.address): the connection was lost\(ending.map { ": \($0)" } ?? "")")
            }
        }
    }

    private func received(_ bytes: [UInt8], _ characteristic: BlueZ.Characteristic) async {
        if let entry = expected.removeValue(forKey: characteristic) { note(bytes, of: entry) }
        guard let channel = attributes?.channel(of: characteristic) else { return }
        let piece = TrialResult.Piece(source: characteristic.uuid, bytes: bytes)
        asked?.answer.append(piece)
        unasked.append(piece)
        await handle(.received(bytes, channel: channel))
    }
}

extension Configuration.Characteristic {
    fileprivate var place: Configuration.Place { Configuration.Place(service: service, characteristic: uuid) }
}
