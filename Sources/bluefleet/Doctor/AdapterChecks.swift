import Bluetooth
import Configuration
import DBus
import EventLoop

/// Checks one adapter of bluetoothd.
struct AdapterChecks {
    let path: String
    let address: Address
    let properties: [String: Variant]
    /// All D-Bus objects of bluetoothd, by path.
    let objects: [String: Variant]

    private var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    private var isPowered: Bool { properties["Powered"]?.boolean == true }
    // The property Roles exists since BlueZ 5.55. In earlier versions, each adapter is a central.
    private var isCentral: Bool { properties["Roles"]?.texts?.contains("central") ?? true }

    /// Whether the adapter can scan and connect.
    var isUsable: Bool { isPowered && isCentral }

    func findings(_ connections: Configuration.Adapters.Connections?) -> [Diagnosis] {
        guard isCentral else {
            return [
                .wrong("adapter", "\(name) (\(address)) does not support the central role: use another adapter", nil)
            ]
        }
        guard isPowered else {
            return [
                .wrong(
                    "adapter", "\(name) (\(address)) is off", "printf 'select \(address)\\npower on\\n' | bluetoothctl")
            ]
        }
        return [.ok("adapter", "\(name) (\(address)) is on"), .ok("connections", slots(connections))]
    }

    private func slots(_ connections: Configuration.Adapters.Connections?) -> String {
        let devices = objects.filter { $0.key.hasPrefix(path + "/dev_") }.values
            .compactMap { $0.dictionary?["org.bluez.Device1"]?.dictionary }
        let used = devices.count { $0["Connected"]?.boolean == true }
        let text = "\(name) has \(used == 1 ? "1 connection" : "\(used) connections")"
        if case .perAdapter(let limit)? = connections { return "\(text); the configuration allows \(limit)" }
        return "\(text); the bridge finds the maximum while it runs"
    }

    /// Scans for 4 s, and up to 12 s until a device is seen: some sensors advertise only every 10 s.
    ///
    /// `remedy` is the command that fixes a bluetoothd that cannot scan.
    func scan(
        _ connection: Connection, _ loop: EventLoop, remedy: String?, isolation: isolated (any Actor)? = #isolation
    ) async -> Diagnosis {
        do throws(DBusError) {
            // The paths of seen devices; nil after 4 s.
            let seen = Mailbox<String?>()
            try await connection.addMatch(
                "type='signal',sender='org.bluez',path_namespace='\(path)'")
            try await connection.addMatch(
                "type='signal',sender='org.bluez',member='InterfacesAdded',arg0path='\(path)/'")
            await connection.onSignal { if let device = deviceSeen(by: $0) { seen.put(device) } }
            let filter: [String: Variant] = ["Transport": .string("le"), "DuplicateData": .boolean(true)]
            try await call("SetDiscoveryFilter", [.properties(filter)], connection)
            try await call("StartDiscovery", [], connection)
            loop.schedule(after: .seconds(4)) { seen.put(nil) }
            loop.schedule(after: .seconds(12)) { seen.close() }
            var devices: Set<String> = []
            var isTimeUp = false
            while let device = await seen.next(), !(isTimeUp && !devices.isEmpty) {
                if let device { devices.insert(device) }
                isTimeUp = isTimeUp || device == nil
            }
            try await call("StopDiscovery", [], connection)
            if devices.isEmpty {
                return .advice(
                    "scan", "\(name) saw no device: check that a device is near", "bluefleet scan --for 1m")
            }
            return .ok("scan", "\(name) saw \(devices.count == 1 ? "1 device" : "\(devices.count) devices")")
        } catch {
            return .wrong("scan", "\(name) cannot scan: \(error)", remedy)
        }
    }

    /// Returns the path of the device whose advertisement caused a signal; nil for other signals.
    func deviceSeen(by signal: Message) -> String? {
        let arguments = signal.arguments
        guard let subject = arguments.first?.text, let changes = arguments.dropFirst().first?.dictionary
        else { return nil }
        let device: String
        if signal.isSignal("InterfacesAdded", on: "org.freedesktop.DBus.ObjectManager") {
            guard changes[Self.device] != nil else { return nil }
            device = subject
        } else {
            guard signal.isSignal("PropertiesChanged", on: "org.freedesktop.DBus.Properties"), subject == Self.device,
                ["RSSI", "ManufacturerData", "ServiceData"].contains(where: { changes[$0] != nil })
            else { return nil }
            device = signal.path
        }
        return device.hasPrefix(path + "/") ? device : nil
    }

    private static let device = "org.bluez.Device1"

    private func call(
        _ member: String, _ arguments: [Variant], _ connection: Connection,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(DBusError) {
        let message = try Message(
            call: member, on: "org.bluez.Adapter1", at: path, of: "org.bluez", arguments)
        _ = try await connection.call(message)
    }
}
