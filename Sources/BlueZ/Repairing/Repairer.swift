import Bluetooth
import DBus
import EventLoop
import System

/// Repairs adapters and peripherals that are stuck.
final class Repairer: LoopPart {
    let powerCycles: PowerCycles
    private let bluetoothd: Bluetoothd
    private let scanner: Scanner
    let loop: EventLoop
    /// The earlier repairs of each adapter and its peripherals, by the adapter's path.
    private var ladders: [String: RepairLadder] = [:]
    private var repairHandler: ((Repair, Adapter, String) -> Void)?
    /// Whether new repairs are prevented.
    private var isDisabled = false
    /// Returns whether the program itself has connections through an adapter.
    private var hasConnections: (_ adapter: String) -> Bool = { _ in false }

    init(
        _ bluetoothd: Bluetoothd, _ scanner: Scanner, _ powerCycles: PowerCycles, loop: EventLoop
    ) {
        self.bluetoothd = bluetoothd
        self.scanner = scanner
        self.powerCycles = powerCycles
        self.loop = loop
        scanner.watches.onDue { [weak self] adapter in
            self?.spawn { await $0.checkScan(on: adapter) }
        }
    }

    /// Calls `handler` with each repair, the adapter and the reason.
    func onRepair(_ handler: @escaping (Repair, Adapter, _ reason: String) -> Void) {
        repairHandler = handler
    }

    /// Sets the closure that returns whether the program itself has connections through an adapter.
    func askForConnections(_ answer: @escaping (_ adapter: String) -> Bool) {
        hasConnections = answer
    }

    /// Prevents new repairs of peripherals that are stuck.
    func disable() {
        isDisabled = true
    }

    // MARK: Occasions

    /// Checks the scan of an adapter, and carries out the repair that is due.
    private func checkScan(on path: String) async {
        var isInUse = hasConnections(path)
        // bluetoothd is asked only if the decision depends on its answer.
        if scanner.watches.preview(of: path, isInUse: isInUse) == .powerCycle {
            isInUse = await bluetoothd.isInUse(path)
        }
        guard scanner.isScanning(on: path), let adapter = bluetoothd.adapters[path] else { return }
        let repair = scanner.watches.check(path, isInUse: isInUse)
        if let repair { await carryOut(repair, on: adapter, reason: "the scan receives no advertisements") }
    }

    /// Repairs a peripheral that is stuck.
    func free(_ peripheral: Peripheral, reason: String) async {
        guard !isDisabled, let path = await peripheral.adapterPath, let adapter = bluetoothd.adapters[path] else {
            return
        }
        let device = await peripheral.path
        let isInUse = await bluetoothd.isInUse(path, besides: device)
        let isBonded = await peripheral.isBonded
        let repair = ladders[path, default: RepairLadder()].stuck(
            peripheral.address, isBonded: isBonded, isInUse: isInUse, at: loop.now)
        if let repair { await carryOut(repair, on: adapter, for: peripheral, sparing: device, reason: reason) }
    }

    /// Notes a failed attempt to connect, which may show that the adapter is stuck.
    func connectFailed(_ peripheral: Peripheral, _ error: CentralError) async {
        guard error.code == .connectionFailed || error.code == .connectionTimeout,
            let path = await peripheral.adapterPath, let adapter = bluetoothd.adapters[path]
        else { return }
        let device = await peripheral.path
        // bluetoothd is asked only if the decision depends on its answer.
        var trial = ladders[path, default: RepairLadder()]
        let connections =
            trial.failed(peripheral.address, connections: 0, at: loop.now) == nil
            ? 0 : await bluetoothd.connectionCount(of: path, besides: device)
        let repair = ladders[path, default: RepairLadder()]
            .failed(peripheral.address, connections: connections, at: loop.now)
        guard let repair else { return }
        let reason =
            connections == 0
            ? "connecting fails for every peripheral"
            : "connecting has failed for all other peripherals for 5 minutes; the power cycle ends "
                + (connections == 1 ? "1 connection" : "\(connections) connections")
        await carryOut(
            repair, on: adapter, for: peripheral, sparing: device, ending: connections, reason: reason)
    }

    /// Notes a successful connect.
    func connectSucceeded(_ peripheral: Address, by adapter: String) {
        ladders[adapter]?.succeeded(peripheral)
    }

    // MARK: Repairs

    /// Reports a repair and carries it out.
    ///
    /// - Parameters:
    ///   - repair: The repair.
    ///   - adapter: The adapter to repair.
    ///   - peripheral: The peripheral that `removeDevice` removes; nil for other repairs.
    ///   - device: The path of the device whose connection does not prevent a power cycle.
    ///   - connections: The number of other connections that the power cycle may end.
    ///   - reason: The reason to report.
    private func carryOut(
        _ repair: Repair, on adapter: Adapter, for peripheral: Peripheral? = nil, sparing device: String? = nil,
        ending connections: Int = 0, reason: String
    ) async {
        switch repair {
        case .restartScan:
            await scanner.exclusively(on: adapter.path) { object throws(DBusError) in
                repairHandler?(repair, adapter, reason)
                try await scanner.restart(on: object)
            }
        case .removeDevice:
            repairHandler?(repair, adapter, reason)
            guard let path = await peripheral?.path else { return }
            do throws(DBusError) {
                try await bluetoothd.removeDevice(at: path, of: adapter.path)
            } catch {
                // bluetoothd's signals show whether the device is gone; if not, the next repair is a different repair.
            }
        case .powerCycle:
            await scanner.exclusively(on: adapter.path) { object throws(DBusError) in
                // There may be a connection by now.
                guard await bluetoothd.connectionCount(of: adapter.path, besides: device) <= connections else {
                    return
                }
                repairHandler?(repair, adapter, reason)
                try await powerCycles.run(adapter, object)
            }
        }
    }
}
