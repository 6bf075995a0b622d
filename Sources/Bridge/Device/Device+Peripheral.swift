import Devices
import Contract
import BlueZ
import EventLoop

/// The events of the peripheral.
extension Device {
    /// Handles an event of the peripheral.
    func handle(_ event: PeripheralEvent) {
        switch event {
        // A peripheral that another program has connected does not advertise.
        case .advertised, .connected:
            let (rssi, adapter) = peripheral?.assumeIsolated { ($0.rssi, $0.adapterName) } ?? (nil, nil)
            noteSeen(rssi, by: adapter)
            if session.phase == .seeking { process(.found) }
        case .subscriptionEnded(let characteristic):
            if let binding = bindings.first(where: { $0.isBound(to: characteristic) }) {
                process(.subscribeFailed(binding.name, isFinal: false, reason: "the subscription ended"))
            }
        case .disconnected:
            unbindCharacteristics()
            connectionLost()
        case .serviceEnded:
            unbindCharacteristics()
            process(.serviceEnded)
        case .disconnectReason(let cause): lossExplained(cause)
        case .waitingForSlot(let used): waitForSlot(because: slotReason(used))
        case .slotGranted: process(.slotGranted)
        case .slotRecalled(let other): process(.slotRecalled(for: hooks.name(other) ?? "\(other)"))
        case .identified(let address): identified(as: address)
        case .bonded:
            bond.bonded()
            if session.phase == .ready { process(.paired) }
        case .bondLost: reportBondLoss("bluetoothd has removed it")
        case .servicesInvalidated:
            unbindCharacteristics()
            handleCommands(.servicesChanged)
            process(.servicesChanged)
        }
    }

    /// Publishes the loss of the connection before the gateway searches for the device again.
    private func connectionLost() {
        if session.phase == .ready || session.phase == .discovering {
            publish(ConnectionStatus(state: .disconnected, reason: Session.loss))
        }
        process(.connectionLost)
    }

    private func unbindCharacteristics() {
        for binding in bindings { binding.bind(to: nil) }
    }
}
