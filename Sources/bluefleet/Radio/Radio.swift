internal import BlueZ
internal import Bluetooth
internal import EventLoop

/// Bluetooth for one command: a central that is on, the link that the command needs, and an end to both, on Ctrl-C too.
@safe actor Radio {
    nonisolated let unownedExecutor: UnownedSerialExecutor
    nonisolated let loop: EventLoop
    nonisolated let central: Central
    private let bus: String
    /// The peripheral whose link is ours to end.
    private var linked: Peripheral?
    private var stopHandler: (@Sendable () -> Void)?
    private let endings = Mailbox<Ending>()

    private enum Ending {
        case done(Failure?)
        case interrupted(ExitStatus)
    }

    private init(bus: String, loop: EventLoop) {
        self.bus = bus
        self.loop = loop
        central = Central(bus: bus, adapters: nil, loop: loop)
        unsafe unownedExecutor = loop.asUnownedSerialExecutor()
    }

    /// Does `body` with Bluetooth on, and then leaves everything as it was.
    ///
    /// - Throws: `Failure`: what `body` throws, in the words of the command line, or that Bluetooth cannot be used.
    static func run(
        on bus: String, loop: EventLoop, _ body: @escaping @Sendable (isolated Radio) async throws -> Void
    ) async throws(Failure) {
        try await Radio(bus: bus, loop: loop).run(body)
    }

    private func run(_ body: @escaping @Sendable (isolated Radio) async throws -> Void) async throws(Failure) {
        do throws(EventLoopError) {
            try loop.onRequests(abandon: Progress.clear) { [weak self] request in
                if case .stop(let status) = request { self?.assumeIsolated { $0.stop(status) } }
            }
        } catch {
            throw Failure(.unavailable, "\(error)")
        }
        Task(executorPreference: loop.tasks) { await self.perform(body) }
        let ending = await endings.next()
        Progress.clear()
        await close()
        switch ending {
        case .done(let failure?): throw failure
        case .interrupted(let status): throw Failure(status)
        case .done(nil), nil: return
        }
    }

    private func perform(_ body: @Sendable (isolated Radio) async throws -> Void) async {
        do {
            try await switchOn()
            try await body(self)
            endings.put(.done(nil))
        } catch let failure as Failure {
            endings.put(.done(failure))
        } catch let error as CentralError {
            endings.put(.done(Failure(error, on: bus)))
        } catch {
            endings.put(.done(Failure(.unavailable, "\(error)")))
        }
    }

    /// Calls `handler` when the command is asked to stop, in place of giving it up: for what runs until it is stopped.
    func onStop(_ handler: @escaping @Sendable () -> Void) {
        stopHandler = handler
    }

    private func stop(_ status: ExitStatus) {
        if let stopHandler { stopHandler() } else { endings.put(.interrupted(status)) }
    }

    private func close() async {
        if let linked {
            do throws(CentralError) {
                try await central.cancelConnection(linked)
            } catch {
                StandardStream.error.print("\(Program.name): \(error)")
            }
        }
        await central.close()
    }

    // MARK: The adapter

    /// Waits until Bluetooth can be used; an adapter may come a moment after bluetoothd.
    private func switchOn() async throws(Failure) {
        let changes = Mailbox<Void>()
        await central.onStateChange { _, _ in changes.put(()) }
        // On a busy machine it takes a while until there is any news at all.
        var deadline = loop.schedule(after: .seconds(20)) { changes.close() }
        await central.start()
        while await changes.next() != nil {
            if [.poweredOn, .unauthorized].contains(await central.state) { break }
            deadline.cancel()
            deadline = loop.schedule(after: .seconds(2)) { changes.close() }
        }
        deadline.cancel()
        let (state, reason) = (await central.state, await central.reason)
        switch state {
        case .poweredOn: return
        case .unauthorized: throw Failure(.noPermission, "\(reason). \(advice)")
        default: throw Failure(.unavailable, "\(reason). \(advice)")
        }
    }

    private var advice: String {
        "More: bluefleet doctor" + MessageBus.words(for: bus)
    }

    // MARK: The link

    /// Looks for a peripheral and makes the link to it; one that is up already is used, and stays when we leave.
    func connect(to address: Address, within limit: Duration) async throws(CentralError) -> Peripheral {
        let peripheral = await central.peripheral(at: address)
        try await find(peripheral, within: limit)
        Progress.show("Connecting to \(address)")
        try await central.connect(peripheral, priority: .command)
        Progress.show("Looking up what \(address) offers")
        return peripheral
    }

    /// Looks for a peripheral and pairs with it.
    func pair(with address: Address, _ answers: PairingAnswers, within limit: Duration) async throws(CentralError) {
        let peripheral = await central.peripheral(at: address)
        try await find(peripheral, within: limit)
        Progress.show("Pairing with \(address)")
        try await central.pair(peripheral, with: answers)
    }

    private func find(_ peripheral: Peripheral, within limit: Duration) async throws(CentralError) {
        Progress.show("Looking for \(peripheral.address)")
        try await central.find(peripheral, within: limit)
        if await !peripheral.isConnected { linked = peripheral }
    }
}

extension Command {
    /// Does work with Bluetooth, on a loop of this thread.
    func onRadio(
        _ bus: String, _ body: @escaping @Sendable (isolated Radio) async throws -> Void
    ) throws(Failure) {
        try onLoop { home in
            try await Radio.run(on: bus, loop: home.loop, body)
        }
    }
}
