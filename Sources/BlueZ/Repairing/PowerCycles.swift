import Bluetooth
import DBus
import EventLoop
import System

/// The power cycles of adapters: an adapter that was switched off for a repair is switched on again.
///
/// The power cycles are stored by the adapter's address, because an adapter may return with another path.
final class PowerCycles: LoopPart {
    /// A power cycle that has not ended.
    private struct Cycle {
        /// When bluetoothd was asked to switch the adapter off.
        let start: Instant
        /// Whether the power cycle has switched the adapter off.
        var isOff = false
        /// Whether a task is switching the adapter on.
        var isEnding = false
    }

    /// How long after the call bluetoothd may still switch the adapter off: a call that times out is not cancelled.
    private static let longestDelay = Duration.seconds(120)

    private var cycles: [Address: Cycle] = [:]
    private let bluetoothd: Bluetoothd
    let loop: EventLoop

    init(_ bluetoothd: Bluetoothd, loop: EventLoop) {
        self.bluetoothd = bluetoothd
        self.loop = loop
    }

    /// Notes that an adapter is about to be switched off.
    func begin(of adapter: Address) {
        cycles[adapter] = Cycle(start: loop.now)
    }

    /// Switches an adapter off, and on again in a separate task.
    func run(_ adapter: Adapter, _ object: RemoteObject) async throws(DBusError) {
        begin(of: adapter.address)
        do throws(DBusError) {
            try await object.set(AdapterProperties.powered, to: .boolean(false))
            cycles[adapter.address]?.isOff = true
        } catch {
            // If there was no reply, bluetoothd may still switch the adapter off.
            if error.name.hasPrefix(BlueZError.prefix) { cycles[adapter.address] = nil }
            throw error
        }
        endSoon(of: adapter.address)
    }

    /// Handles the power state of an adapter after a change or after the first report.
    func powerReported(of adapter: Adapter) {
        guard let cycle = cycles[adapter.address] else { return }
        if adapter.isPowered {
            // The power cycle is over, even if another program switched the adapter on.
            if cycle.isOff { cycles[adapter.address] = nil }
        } else if cycle.isOff || loop.now - cycle.start < Self.longestDelay {
            cycles[adapter.address]?.isOff = true
            endSoon(of: adapter.address)
        } else {
            cycles[adapter.address] = nil
        }
    }

    private func endSoon(of address: Address) {
        guard cycles[address]?.isEnding == false else { return }
        cycles[address]?.isEnding = true
        spawn { await $0.end(of: address) }
    }

    /// Tries to switch an adapter on until it is on.
    ///
    /// If bluetoothd or the adapter disappears, `powerReported` starts again when the adapter is back.
    private func end(of address: Address) async {
        var pause = Backoff(first: .milliseconds(250), longest: .seconds(60))
        while cycles[address] != nil,
            let adapter = bluetoothd.adapters.values.first(where: { $0.address == address }),
            let object = bluetoothd.adapterObject(at: adapter.path)
        {
            await switchOn(adapter, object)
            guard cycles[address] != nil else { return }
            await loop.sleep(for: pause.delay())
        }
        cycles[address]?.isEnding = false
    }

    /// Completes the power cycle of an adapter that is no longer used, so that the adapter does not stay off.
    ///
    /// - Parameters:
    ///   - adapter: The adapter.
    ///   - object: The adapter's object of bluetoothd.
    ///   - limit: How long the completion may take.
    func finish(_ adapter: Adapter, _ object: RemoteObject, within limit: Duration) async {
        let deadline = loop.now + limit
        while let cycle = cycles[adapter.address], loop.now < deadline,
            cycle.isOff || loop.now - cycle.start < Self.longestDelay
        {
            if cycle.isOff { await switchOn(adapter, object) }
            if cycles[adapter.address] != nil { await loop.sleep(for: .milliseconds(100)) }
        }
        cycles[adapter.address] = nil
    }

    private func switchOn(_ adapter: Adapter, _ object: RemoteObject) async {
        do throws(DBusError) {
            try await object.set(AdapterProperties.powered, to: .boolean(true))
            cycles[adapter.address] = nil
        } catch {
            // Another program or the user has blocked the adapter by rfkill.
            if error.name == BlueZError.blocked { cycles[adapter.address] = nil }
        }
    }
}
