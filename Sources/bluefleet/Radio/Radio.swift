import BlueZ
import Bluetooth
import Bridge
import EventLoop
import Survey
import System

/// Bluetooth for one command: a powered central and a connection, which are closed at the end and on Ctrl-C.
@safe actor Radio {
    nonisolated let unownedExecutor: UnownedSerialExecutor
    nonisolated let loop: EventLoop
    nonisolated let central: Central
    private let bus: String
    /// The peripheral to disconnect at the end; nil if the connection existed before.
    private var connectedPeripheral: Peripheral?
    private var stopHandler: (@Sendable () -> Void)?
    private let endings = Mailbox<Ending>()

    private enum Ending {
        case done(Failure?)
        case interrupted(ExitStatus)
    }

    private init(bus: String, adapters: [Address]?, loop: EventLoop) {
        self.bus = bus
        self.loop = loop
        central = Central(bus: bus, adapters: adapters, loop: loop)
        unsafe unownedExecutor = loop.asUnownedSerialExecutor()
    }

    /// Calls `body` when Bluetooth is on, and then restores the earlier state.
    ///
    /// - Parameters:
    ///   - bus: The D-Bus address of the bus of bluetoothd.
    ///   - adapters: The addresses of the adapters to use; nil: all.
    ///   - loop: The event loop of the command.
    ///   - body: The work of the command.
    /// - Throws: `Failure` if `body` fails or Bluetooth is unavailable.
    static func run(
        on bus: String, adapters: [Address]?, loop: EventLoop,
        _ body: @escaping @Sendable (isolated Radio) async throws -> Void
    ) async throws(Failure) {
        try await Radio(bus: bus, adapters: adapters, loop: loop).run(body)
    }

    private func run(_ body: @escaping @Sendable (isolated Radio) async throws -> Void) async throws(Failure) {
        do throws(SystemError) {
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

    /// Calls `handler` when a signal stops the command; without a handler, the signal cancels the command.
    func onStop(_ handler: @escaping @Sendable () -> Void) {
        stopHandler = handler
    }

    private func stop(_ status: ExitStatus) {
        if let stopHandler { stopHandler() } else { endings.put(.interrupted(status)) }
    }

    private func close() async {
        if let connectedPeripheral {
            do throws(CentralError) {
                try await central.cancelConnection(connectedPeripheral)
            } catch {
                StandardStream.error.print("\(Program.name): \(error)")
            }
        }
        await central.close()
    }

    // MARK: The adapter

    /// Waits until Bluetooth is on; an adapter may appear shortly after bluetoothd.
    private func switchOn() async throws(Failure) {
        let changes = Mailbox<Void>()
        await central.onStateChange { _, _ in changes.put(()) }
        // On a busy machine, the first change of state can take several seconds.
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

    // MARK: The connection

    /// Searches for a peripheral and connects to it.
    ///
    /// An existing connection is used and remains open.
    func connect(to address: Address, within limit: Duration) async throws(CentralError) -> Peripheral {
        let peripheral = await central.peripheral(at: address)
        try await find(peripheral, within: limit)
        Progress.show("Connecting to \(address)")
        try await central.connect(peripheral, priority: .command)
        Progress.show("Discovering the services of \(address)")
        return peripheral
    }

    /// Ends a later attempt to connect to a device if the device is still not connected after a time.
    func limitConnecting(to address: Address, to limit: Duration) {
        loop.schedule(after: limit) { [weak self] in self?.assumeIsolated { $0.endConnecting(to: address) } }
    }

    private func endConnecting(to address: Address) {
        Task(executorPreference: loop.tasks) { [central] in
            let peripheral = await central.peripheral(at: address)
            if await !peripheral.isConnected { try? await central.cancelConnection(peripheral) }
        }
    }

    /// Searches for a device and receives its advertisements.
    ///
    /// A sensor may advertise its values one after the other, so the advertisements are received for 10 s. If none of the
    /// first 2 s can be decoded, they are probably without values.
    ///
    /// - Returns: The data of the advertisements; nil if the device does not advertise any more.
    /// - Throws: `CentralError` if the device was not seen within `limit`.
    func listen(to address: Address, within limit: Duration) async throws(CentralError) -> NearbyDevice? {
        enum Event {
            case seen(Sighting)
            case isWithoutValues, end
        }
        let events = Mailbox<Event>()
        let peripheral = await central.peripheral(at: address)
        try await find(peripheral, within: limit)
        // A connected device rarely advertises.
        let wait = await peripheral.isConnected ? Duration.seconds(2) : .seconds(10)
        var deadline = loop.schedule(after: wait) { events.put(.end) }
        let observation = await central.observe { if $0.address == address { events.put(.seen($0)) } }
        var nearby = NearbyDevices()
        Progress.show("Receiving the advertisements of \(address)")
        listening: while let event = await events.next() {
            switch event {
            case .seen(let sighting):
                if nearby.count == 0 {
                    deadline.cancel()
                    deadline = loop.schedule(after: .seconds(10)) { events.put(.end) }
                    loop.schedule(after: .seconds(2)) { events.put(.isWithoutValues) }
                }
                nearby.add(sighting, at: loop.timestamp)
            case .isWithoutValues where nearby.all.allSatisfy(\.readings.isEmpty): break listening
            case .isWithoutValues: continue
            case .end: break listening
            }
        }
        deadline.cancel()
        await central.stopObserving(observation)
        return nearby.all.first
    }

    /// Searches for a peripheral and pairs with it.
    func pair(with address: Address, _ answers: PairingAnswers, within limit: Duration) async throws(CentralError) {
        let peripheral = await central.peripheral(at: address)
        try await find(peripheral, within: limit)
        Progress.show("Pairing with \(address)")
        try await central.pair(peripheral, with: answers)
    }

    private func find(_ peripheral: Peripheral, within limit: Duration) async throws(CentralError) {
        Progress.show("Searching for \(peripheral.address)")
        try await central.find(peripheral, within: limit)
        if await !peripheral.isConnected { connectedPeripheral = peripheral }
    }
}

extension Command {
    /// Runs work with Bluetooth on an event loop of this thread.
    ///
    /// - Parameters:
    ///   - bus: The D-Bus address of the bus of bluetoothd.
    ///   - adapters: The addresses of the adapters to use; nil: all.
    ///   - body: The work.
    /// - Throws: `Failure` if `body` fails or Bluetooth is unavailable.
    func onRadio(
        _ bus: String, adapters: [Address]? = nil, _ body: @escaping @Sendable (isolated Radio) async throws -> Void
    ) throws(Failure) {
        try onLoop { home in
            try await Radio.run(on: bus, adapters: adapters, loop: home.loop, body)
        }
    }
}
