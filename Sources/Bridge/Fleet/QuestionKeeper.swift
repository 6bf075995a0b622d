import Bluetooth
import Configuration
import Devices
import EventLoop

/// Keeps the progress of the devices' questions in the state folder, so that the next start goes on there.
final class QuestionKeeper: LoopPart {
    /// The delay before the memories are stored, so that several records and devices cost one write.
    private static let storeDelay = Duration.seconds(1)

    let loop: EventLoop
    private let fleet: Fleet
    private var store: QuestionStore
    private var timer: Timer?
    /// The memories of devices that are being stopped.
    private var leaving: [Address: QuestionMemory] = [:]

    init(fleet: Fleet, stateFolder: String, host: HostMonitor, loop: EventLoop) {
        self.fleet = fleet
        self.loop = loop
        store = QuestionStore(in: stateFolder, observer: host.stateObserver)
    }

    /// Returns the progress of the questions of a device.
    func memory(of address: Address) -> QuestionMemory { leaving[address] ?? store[address] }

    /// Schedules the storage of the memories.
    func progressed() {
        guard timer == nil else { return }
        timer = after(Self.storeDelay) { $0.save() }
    }

    /// Keeps the memories of devices that are about to stop: they may start again with another configuration.
    func willStop(_ devices: [Device]) {
        for device in devices { leaving[device.configuration.address] = device.enter { $0.questionMemory } }
    }

    /// Forgets the devices that were removed.
    func settled() {
        guard !leaving.isEmpty else { return }
        leaving = [:]
        save()
    }

    /// Stores the memories at the end of the program.
    func stop() {
        save()
    }

    private func save() {
        timer?.cancel()
        timer = nil
        var memories = leaving
        for device in fleet.devices.values {
            memories[device.configuration.address] = device.enter { $0.questionMemory }
        }
        store.save(memories.filter { !$0.value.isEmpty })
    }
}
