import Bluetooth

/// The devices that the bluetoothd of a machine stores in `/var/lib/bluetooth`; kept when the simulated one restarts.
final class Storage {
    struct Device {
        var isTrusted = false
        var isBonded = false
        var uuids: [UUID] = []
    }

    /// The stored devices, by the addresses of the adapter and of the device.
    private var devices: [Address: [Address: Device]] = [:]

    init(_ adapters: [SimulatedFleet.Adapter], _ peripherals: [SimulatedFleet.Peripheral]) {
        for adapter in adapters {
            for peripheral in peripherals where peripheral.isBonded {
                guard peripheral.adapters?.contains(adapter.fullName) ?? true else { continue }
                devices[adapter.address, default: [:]][peripheral.identity ?? peripheral.address] = Device(
                    isBonded: true)
            }
        }
    }

    subscript(adapter: Address, device: Address) -> Device? {
        get { devices[adapter]?[device] }
        set { devices[adapter, default: [:]][device] = newValue }
    }

    func devices(of adapter: Address) -> [Address] {
        devices[adapter]?.keys.sorted() ?? []
    }
}
