package import Bluetooth
package import Contract
package import JSON
package import System

/// The queue of the commands of one device, which are executed one at a time.
///
/// A value without I/O: the device passes events to `handle(_:)` and performs the returned actions in their order.
/// The queue responds to each command exactly once. `Reply` identifies the destination of a response.
package struct CommandQueue<Reply: Sendable>: Sendable {
    package enum Event: Sendable {
        /// A valid command that needs a connection has arrived.
        case received(AcceptedCommand, Reply, timeToLive: Duration)
        /// The time to live of the command with this identifier has ended.
        case expired(Int)
        /// The connection is ready for the next command.
        case ready
        /// The execution of a command has ended.
        case executed(OperationToken, Outcome)
        /// The services changed during the execution of a command.
        case servicesChanged
        /// Pairing with the device has failed.
        case pairingFailed(RequestError)
        /// A collecting session has ended.
        case collected(Result<JSON, RequestError>)
        /// A request to disconnect has arrived; the queue responds at the event `disconnected`.
        case disconnectRequested(Reply, timeToLive: Duration)
        /// The connection is down; the JSON is the response to the requests to disconnect.
        case disconnected(JSON)
        /// All queued and collecting commands must fail with this code and reason.
        case aborted(RequestError.Code, reason: String)
    }

    package enum Outcome: Sendable {
        case finished(Result<JSON, RequestError>)
        /// The command must be executed again on the next connection.
        case repeated
    }

    package enum Action: Sendable {
        case respond(Reply, Result<JSON, RequestError>)
        /// Execute the command, then report `executed` with this token.
        case execute(AcceptedCommand, OperationToken)
        /// Report `ready` if the connection is ready.
        case executeNext
        /// Report `expired` with this identifier after the delay.
        case scheduleExpiry(Int, after: Duration)
        case cancelExpiry(Int)
        /// Pass an event to the session.
        case process(SessionEvent)
        /// A command to pair was queued; its passkey, if any, answers the open question of the pairing.
        case pairRequested(Passkey?)
        /// A command to pair has been answered.
        case pairEnded
    }

    private struct Entry {
        let identifier: Int
        let accepted: AcceptedCommand
        let reply: Reply

        var command: DeviceCommand { accepted.command }
    }

    private struct Execution {
        let identifier: Int
        let token: OperationToken
        /// Whether the time to live ended during the execution.
        var isExpired = false
    }

    /// The maximum number of queued commands of one device.
    package static var capacity: Int { 32 }

    /// The name of the device, for messages.
    private let device: String
    /// The commands to execute on the connection, in order of arrival, including the command that is being executed.
    private var queue: [Entry] = []
    private var execution: Execution?
    private var token = OperationToken()
    /// The commands that wait for the end of a collecting session.
    private var collecting: [Entry] = []
    /// The requests to disconnect that have not been answered.
    private var disconnecting: [Entry] = []
    private var lastIdentifier = 0
    /// The values of the current collecting session, by characteristic.
    private var collected: [String: ReceivedReading] = [:]

    /// The characteristics of the current collecting session whose last value could not be decoded.
    private var undecodable: Set<String> = []

    package init(device: String) {
        self.device = device
    }

    /// Whether a request to disconnect waits for the end of the connection.
    package var isDisconnecting: Bool { !disconnecting.isEmpty }

    /// The newest queued command to pair; nil if there is none.
    package var pairCommand: DeviceCommand? { queue.last { $0.command.isPair }?.command }

    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .received(let command, let reply, let timeToLive): receive(command, reply, timeToLive)
        case .expired(let identifier): expire(identifier)
        case .ready: executeFirst()
        case .executed(let token, let outcome): end(token, outcome)
        case .servicesChanged: repeatIfHarmless()
        case .pairingFailed(let error): queue.filter(\.command.isPair).flatMap { finish($0, .failure(error)) }
        case .collected(let outcome): collecting.flatMap { finish($0, outcome) }
        case .disconnectRequested(let reply, let timeToLive): disconnect(reply, timeToLive)
        case .disconnected(let status): respondDisconnected(status)
        case .aborted(let code, let reason): abort(RequestError(code, "\(device): \(reason)"))
        }
    }

    /// Stores a value of the current collecting session.
    package mutating func collect(_ reading: ReceivedReading, of characteristic: String) {
        collected[characteristic] = reading
        undecodable.remove(characteristic)
    }

    /// Notes that a value of the current collecting session cannot be decoded.
    package mutating func noteUndecodable(_ characteristic: String) {
        undecodable.insert(characteristic)
    }

    /// Removes and returns the values of the collecting session that has ended, by characteristic, and the
    /// characteristics whose last value could not be decoded.
    package mutating func takeCollected() -> (values: [String: ReceivedReading], undecodable: Set<String>) {
        defer { (collected, undecodable) = ([:], []) }
        return (collected, undecodable)
    }

    /// Whether further requests are rejected.
    private var isFull: Bool { queue.count + collecting.count + disconnecting.count >= Self.capacity }

    private var busy: RequestError {
        RequestError(.busy, "\(device): \(Self.capacity) commands are queued already: try again later")
    }

    // MARK: Arrival

    private mutating func receive(_ accepted: AcceptedCommand, _ reply: Reply, _ timeToLive: Duration) -> [Action] {
        let command = accepted.command
        let superseded = queue.filter {
            $0.identifier != execution?.identifier && command.supersedes($0.command)
        }
        guard !isFull || !superseded.isEmpty else { return [.respond(reply, .failure(busy))] }
        let entry = makeEntry(accepted, reply)
        var actions: [Action] = [.scheduleExpiry(entry.identifier, after: timeToLive)]
        if case .collect = command {
            collecting.append(entry)
            return actions + [.process(.collectRequested)]
        }
        queue.append(entry)
        if case .pair(let passkey) = command { actions.append(.pairRequested(passkey)) }
        actions.append(.process(.commandQueued))
        let error = RequestError(.superseded, "\(device): a newer value was set")
        return actions + superseded.flatMap { finish($0, .failure(error)) }
    }

    /// Queues a request to disconnect, which the queue answers when the connection is down.
    private mutating func disconnect(_ reply: Reply, _ timeToLive: Duration) -> [Action] {
        guard !isFull else { return [.respond(reply, .failure(busy))] }
        let entry = makeEntry(AcceptedCommand(.disconnect(pause: nil)), reply)
        disconnecting.append(entry)
        return [.scheduleExpiry(entry.identifier, after: timeToLive)]
    }

    private mutating func makeEntry(_ accepted: AcceptedCommand, _ reply: Reply) -> Entry {
        lastIdentifier += 1
        return Entry(identifier: lastIdentifier, accepted: accepted, reply: reply)
    }

    // MARK: Execution

    private mutating func executeFirst() -> [Action] {
        guard execution == nil, let first = queue.first else { return [] }
        token.advance()
        execution = Execution(identifier: first.identifier, token: token)
        return [.execute(first.accepted, token)]
    }

    /// Ends the execution of a command; the result is ignored if the token is not that of the current execution.
    private mutating func end(_ token: OperationToken, _ outcome: Outcome) -> [Action] {
        guard let execution, execution.token == token else { return [.executeNext] }
        switch outcome {
        case .finished(let result):
            guard let entry = queue.first(where: { $0.identifier == execution.identifier }) else { return [] }
            return finish(entry, result) + [.executeNext]
        case .repeated:
            return putBack()
        }
    }

    /// Returns the executed command to the queue if executing the command twice is safe.
    ///
    /// The result of the present execution is ignored.
    private mutating func repeatIfHarmless() -> [Action] {
        let entry = queue.first { $0.identifier == execution?.identifier }
        switch entry?.command {
        case .read, .history, .subscribe, .discover, .inspect: return putBack()
        case .set, .write, .connect, .disconnect, .collect, .rssi, .pair, nil: return []
        }
    }

    /// Returns the executed command to the queue; if its time to live has ended, the command fails instead.
    private mutating func putBack() -> [Action] {
        guard let former = execution else { return [] }
        execution = nil
        return former.isExpired ? expire(former.identifier) : []
    }

    // MARK: Answers

    private mutating func expire(_ identifier: Int) -> [Action] {
        if execution?.identifier == identifier {
            execution?.isExpired = true
            return []
        }
        let all = queue + collecting + disconnecting
        guard let entry = all.first(where: { $0.identifier == identifier }) else { return [] }
        let message =
            "\(device): the command expired before the device could execute it: \"ttl\" sets how long it waits"
        return finish(entry, .failure(RequestError(.expired, message)))
    }

    private mutating func finish(_ entry: Entry, _ result: Result<JSON, RequestError>) -> [Action] {
        var actions: [Action] = [.cancelExpiry(entry.identifier), .respond(entry.reply, result)]
        let wasQueued = queue.contains { $0.identifier == entry.identifier }
        queue.removeAll { $0.identifier == entry.identifier }
        collecting.removeAll { $0.identifier == entry.identifier }
        disconnecting.removeAll { $0.identifier == entry.identifier }
        if execution?.identifier == entry.identifier { execution = nil }
        if entry.command.isPair { actions.append(.pairEnded) }
        if wasQueued { actions.append(.process(.commandFinished)) }
        return actions
    }

    private mutating func abort(_ error: RequestError) -> [Action] {
        (queue + collecting).flatMap { finish($0, .failure(error)) }
    }

    private mutating func respondDisconnected(_ status: JSON) -> [Action] {
        disconnecting.flatMap { finish($0, .success(status)) }
    }
}
