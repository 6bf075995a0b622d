internal import Configuration
internal import EventLoop
internal import JSON
internal import Log

/// Requests to the gateway, each answered once.
extension Gateway {
    func perform(_ command: GatewayCommand, _ request: Request) {
        switch command {
        case .scan(let duration):
            answer(request) { gateway throws(RequestError) in try await gateway.scan(for: duration) }
        case .inspect(let address): inspect(address, request)
        case .pair(let partner, let passkey): pair(partner, passkey, request)
        case .unpair(let partner): unpair(partner, request)
        case .add(let name, let entry):
            change(request) { gateway throws(RequestError) in try await gateway.add(name, entry) }
        case .remove(let name): change(request) { gateway throws(RequestError) in try await gateway.remove(name) }
        case .rename(let name, let newName):
            change(request) { gateway throws(RequestError) in try await gateway.rename(name, to: newName) }
        case .reload: change(request) { gateway throws(RequestError) in try await gateway.readAgain() }
        case .logLevel(let level):
            if let level { Log.level = level }
            outlet?.respond(.success(["level": .string(Log.level.rawValue)]), to: request.reply)
        }
    }

    typealias Work = @Sendable (isolated Gateway) async throws(RequestError) -> JSON

    /// Answers a request with what comes of some work, or earlier, when the gateway stops.
    func answer(_ request: Request, by work: @escaping Work) {
        guard let number = begin(request, for: .work) else { return }
        Task(executorPreference: loop.tasks) { await self.finish(number, with: work) }
    }

    /// Answers a request with what comes of a change of the fleet, when those before it are done.
    private func change(_ request: Request, by work: @escaping Work) {
        guard let number = begin(request, for: .change) else { return }
        change { gateway in await gateway.finish(number, with: work) }
    }

    /// Why nothing more will come of a request.
    static let stopReason = "the gateway stops"

    private func begin(_ request: Request, for purpose: PendingReplies.Purpose) -> Int? {
        guard !isStopping else {
            outlet?.respond(.failure(RequestError(.failed, Self.stopReason)), to: request.reply)
            return nil
        }
        guard !pending.isFull else {
            let error = RequestError(.busy, "\(PendingReplies.capacity) requests are being carried out already")
            outlet?.respond(.failure(error), to: request.reply)
            return nil
        }
        return pending.add(request.reply, for: purpose)
    }

    private func finish(_ number: Int, with work: Work) async {
        let outcome: Result<JSON, RequestError>
        do throws(RequestError) {
            outcome = .success(try await work(self))
        } catch {
            outcome = .failure(error)
        }
        if let reply = pending.take(number) { outlet?.respond(outcome, to: reply) }
    }

    /// Answers what has no answer yet, since nothing more will come of it.
    func giveUpRequests(for purposes: PendingReplies.Purpose..., because reason: String) {
        for reply in pending.takeAll(for: purposes) {
            outlet?.respond(.failure(RequestError(.failed, reason)), to: reply)
        }
    }
}
