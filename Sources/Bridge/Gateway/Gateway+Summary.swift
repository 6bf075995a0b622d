internal import MQTT

extension Gateway {
    /// How the gateway is doing, in a line for `systemctl status`.
    package var summary: String {
        let broker = outlet?.client.isConnected == true ? "broker connected" : "no connection to the broker"
        let available = devices.values.count { $0.assumeIsolated { $0.publishedAvailability?.isAvailable ?? false } }
        let fleet = devices.isEmpty ? "no devices" : "\(available) of \(devices.count) devices available"
        return "\(broker), \(fleet), Bluetooth: \(bluetoothReason)"
    }
}
