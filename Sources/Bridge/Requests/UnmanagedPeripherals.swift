import BlueZ
import Bluetooth
import Configuration
import Contract
import EventLoop
import JSON
import Log
import Survey
import System

/// Scans for devices, and inspects and pairs peripherals that are not configured or have `connect: never`.
final class UnmanagedPeripherals: LoopPart {
    /// The time limit for a peripheral to be seen before the gateway connects to it.
    private static let searchTime = Duration.seconds(30)

    let loop: EventLoop
    private let bluetooth: BluetoothLink
    private let central: Central
    private let broker: BrokerLink
    private let fleet: Fleet
    private let log = Log("gateway")
    private var requests = OpenRequests()
    /// The peripherals that are being inspected.
    private var inspected: Set<Address> = []
    private var scans = SharedScans()
    /// Proposes profiles; nil: not read since the last reload.
    private var recognition: ProfileRecognition?
    /// The maximum number of devices in the response to a scan: those with the strongest signals.
    private static let mostScanned = 500

    init(fleet: Fleet, bluetooth: BluetoothLink, broker: BrokerLink, loop: EventLoop) {
        self.fleet = fleet
        self.bluetooth = bluetooth
        central = bluetooth.central
        self.broker = broker
        self.loop = loop
    }

    /// Reads the files of the profiles again before the next proposal.
    func configurationChanged() {
        recognition = nil
    }

    private func loadedRecognition() -> ProfileRecognition {
        let loaded = recognition ?? ProfileRecognition(fleet.configuration.profileLibrary)
        recognition = loaded
        return loaded
    }

    private func checkBluetooth() throws(RequestError) {
        guard bluetooth.state == .poweredOn else {
            throw RequestError(.bluetoothOff, "Bluetooth is not available: \(bluetooth.reason ?? "not started")")
        }
    }

    private func publish(_ event: GatewayEvent) {
        broker.publisher?.publish(event, at: loop.timestamp)
    }

    // MARK: Scan and inspect

    /// Scans for a time, and returns the 500 devices with the strongest signals, including managed devices.
    ///
    /// Requests for scans of the same duration share one scan if they arrive within a second.
    ///
    /// - Throws: `RequestError` if Bluetooth is off, or `busy` if too many different scans are under way.
    func scan(for duration: Duration) async throws(RequestError) -> JSON {
        try checkBluetooth()
        switch scans.begin(duration, at: loop.now) {
        case .refused:
            throw RequestError(.busy, "\(SharedScans.capacity) scans are under way already: try again later")
        case .joined(let number):
            return await withCheckedContinuation { scans.wait(for: number, $0) }
        case .new(let number):
            let result = await scanAlone(for: duration)
            scans.end(number, with: result)
            return result
        }
    }

    private func scanAlone(for duration: Duration) async -> JSON {
        let collector = NearbyDeviceCollector()
        let observation = await central.observe { [loop] sighting in
            collector.nearbyDevices.add(sighting, at: loop.timestamp)
        }
        await loop.sleep(for: duration)
        await central.stopObserving(observation)
        let devices = fleet.devices
        let names = Dictionary(devices.values.map { ($0.configuration.address, $0.name) }) { first, _ in first }
        let recognition = loadedRecognition()
        let nearby = collector.nearbyDevices.all.prefix(Self.mostScanned).map { device -> JSON in
            let json = recognition.json(device)
            guard let name = names[device.address], var object = json.object else { return json }
            object["device"] = .string(name)
            return .object(object)
        }
        return ["devices": .array(nearby)]
    }

    /// Connects to a peripheral and returns its services, characteristics and values.
    ///
    /// - Parameters:
    ///   - address: the address of the peripheral.
    ///   - limit: the time in which the peripheral must be connected.
    /// - Returns: The data of the response.
    /// - Throws: `RequestError` if Bluetooth is off, if another request inspects the peripheral, or if the peripheral
    ///   cannot be found, connected or discovered.
    func inspect(_ address: Address, within limit: Duration) async throws(RequestError) -> JSON {
        try checkBluetooth()
        guard inspected.insert(address).inserted else {
            throw RequestError(.busy, "\(address): another request is inspecting the device")
        }
        defer { inspected.remove(address) }
        return try await withPeripheral(address, within: limit) { this, peripheral throws(CentralError) in
            try await this.central.connect(peripheral, priority: .command)
            let device = try await InspectedDevice(peripheral)
            return this.loadedRecognition().json(device)
        }
    }

    // MARK: Bonds

    /// Creates a bond.
    ///
    /// A question or a passkey to display is published as an event; a second `pair` request contains the answer.
    ///
    /// - Parameters:
    ///   - address: the address of the peripheral.
    ///   - passkey: the passkey that the peripheral shows, if the client knows it.
    ///   - limit: the time in which the peripheral must be connected.
    /// - Returns: The data of the response.
    /// - Throws: `RequestError` if Bluetooth is off, or if no bond could be created.
    func pair(
        _ address: Address, _ passkey: Passkey?, within limit: Duration
    ) async throws(RequestError) -> JSON {
        try checkBluetooth()
        try await withPeripheral(address, within: limit) { this, peripheral throws(CentralError) in
            try await this.central.pair(peripheral, with: this.answers(address, passkey))
            this.log.info("paired", ["address": "\(address)"])
            this.publish(.paired(.peripheral(address)))
        }
        return ResponseData.bond(address, device: nil, isBonded: true).json
    }

    /// Answers the question of an earlier `pair` request, if there is one.
    func answer(_ address: Address, _ passkey: Passkey) {
        requests.answer(address, passkey)
    }

    /// Removes the bond of a peripheral or of a configured device, and ends its connection.
    ///
    /// A device with `pair: true` is paired again at its next connection.
    func unpair(_ address: Address) async throws(RequestError) -> JSON {
        try checkBluetooth()
        requests.begin(address)
        defer { if requests.end(address) { forget(address) } }
        do throws(CentralError) {
            try await central.unpair(central.peripheral(at: address))
        } catch {
            throw RequestError(error, on: "\(address)")
        }
        log.info("unpaired", ["address": "\(address)"])
        publish(.unpaired(address))
        return ResponseData.bond(address, device: nil, isBonded: false).json
    }

    private func answers(_ address: Address, _ passkey: Passkey?) -> PairingAnswers {
        PairingAnswers(
            passkey: passkey, ask: handler { $0.ask($1) },
            display: handler { $0.publish(.passkeyDisplay(.peripheral(address), passkey: $1)) })
    }

    private func ask(_ question: PairingQuestion) {
        requests.ask(question)
        publish(GatewayEvent(question.subject, from: .peripheral(question.peripheral)))
    }

    // MARK: Connections

    /// Searches for a peripheral, runs `body`, and disconnects the peripheral after the last open request.
    ///
    /// - Parameters:
    ///   - address: the address of the peripheral.
    ///   - limit: the time in which the peripheral must be connected.
    ///   - body: the work, which must connect the peripheral first.
    /// - Returns: The result of `body`.
    /// - Throws: `RequestError`; its code is `expired` if the peripheral was not connected within `limit`.
    private func withPeripheral<Outcome: Sendable>(
        _ address: Address, within limit: Duration,
        _ body: (UnmanagedPeripherals, Peripheral) async throws(CentralError) -> Outcome
    ) async throws(RequestError) -> Outcome {
        requests.begin(address)
        let peripheral = await central.peripheral(at: address)
        let deadline = loop.now + limit
        let outcome: Result<Outcome, RequestError>
        do throws(CentralError) {
            try await central.find(peripheral, within: min(limit, Self.searchTime))
            let expiry = after(deadline - loop.now) { $0.cancelAttempt(peripheral) }
            defer { expiry.cancel() }
            outcome = .success(try await body(self, peripheral))
        } catch {
            let isLate = loop.now >= deadline && (error.code == .notFound || error.code == .cancelled)
            let expired = RequestError(.expired, "\(address): no connection within \(limit.text)")
            outcome = .failure(isLate ? expired : RequestError(error, on: "\(address)"))
        }
        // If the disconnection fails, the gateway disconnects the peripheral at its next start.
        if requests.isLast(address) { try? await central.cancelConnection(peripheral) }
        if requests.end(address) { forget(address) }
        return try outcome.get()
    }

    /// Cancels a connection attempt that has reached its time limit.
    private func cancelAttempt(_ peripheral: Peripheral) {
        spawn { part in
            if await !peripheral.isConnected { try? await part.central.cancelConnection(peripheral) }
        }
    }

    /// Makes the central forget a peripheral, unless the peripheral is a managed device or has an open request.
    func forget(_ address: Address) {
        guard fleet.device(at: address) == nil, !requests.contains(address) else { return }
        bluetooth.forget(address)
    }
}

/// Collects the devices that are seen during a scan; used only on the event loop's thread.
private final class NearbyDeviceCollector: @unchecked Sendable {
    fileprivate var nearbyDevices = NearbyDevices()
}
