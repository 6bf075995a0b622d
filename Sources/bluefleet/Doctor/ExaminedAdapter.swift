internal import Bluetooth
internal import Configuration
internal import DBus
internal import EventLoop

/// One adapter, as bluetoothd shows it.
struct ExaminedAdapter {
    let path: String
    let address: Address
    let properties: [String: Variant]
    /// All of bluetoothd's objects.
    let objects: [String: Variant]

    private var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    private var isPowered: Bool { properties["Powered"]?.boolean == true }
    // Roles is there since 5.55; before, every adapter was a central.
    private var isCentral: Bool { properties["Roles"]?.texts?.contains("central") ?? true }

    /// Whether it can scan and connect.
    var isUsable: Bool { isPowered && isCentral }

    func findings(_ connections: Configuration.Adapters.Connections?) -> [Diagnosis] {
        guard isCentral else {
            return [.wrong("adapter", "\(name) (\(address)) cannot connect to devices: another one is needed", nil)]
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
        let text = "\(name) has \(used == 1 ? "1 link" : "\(used) links") up"
        if case .perAdapter(let limit)? = connections { return "\(text), of \(limit) that the configuration allows" }
        return "\(text); how many it can hold shows while the bridge runs"
    }

    /// Scans for a few seconds, and some more where nothing is heard: many a sensor speaks every ten seconds only.
    ///
    /// - Parameter remedy: the command that mends a bluetoothd that cannot.
    func scan(
        _ connection: Connection, _ loop: EventLoop, remedy: String?, isolation: isolated (any Actor)? = #isolation
    ) async -> Diagnosis {
        do throws(DBusError) {
            // Nil when what was heard by then is enough.
            let heard = Mailbox<String?>()
            try await connection.addMatch(
                "type='signal',sender='org.bluez',path_namespace='\(path)'")
            try await connection.addMatch(
                "type='signal',sender='org.bluez',member='InterfacesAdded',arg0path='\(path)/'")
            await connection.onSignal { if let device = deviceHeard(by: $0) { heard.put(device) } }
            let filter: [String: Variant] = ["Transport": .string("le"), "DuplicateData": .boolean(true)]
            try await call("SetDiscoveryFilter", [.properties(filter)], connection)
            try await call("StartDiscovery", [], connection)
            loop.schedule(after: .seconds(4)) { heard.put(nil) }
            loop.schedule(after: .seconds(12)) { heard.close() }
            var devices: Set<String> = []
            var isTimeUp = false
            while let device = await heard.next(), !(isTimeUp && !devices.isEmpty) {
                if let device { devices.insert(device) }
                isTimeUp = isTimeUp || device == nil
            }
            try await call("StopDiscovery", [], connection)
            if devices.isEmpty {
                return .advice(
                    "scan", "\(name) hears nothing: there may be no device near", "bluefleet scan --for 1m")
            }
            return .ok("scan", "\(name) hears \(devices.count == 1 ? "1 device" : "\(devices.count) devices")")
        } catch {
            return .wrong("scan", "\(name) cannot scan: \(error)", remedy)
        }
    }

    /// The path of the device of which a signal tells that it was heard; nil where it tells of something else, such as
    /// what comes over a link.
    func deviceHeard(by signal: Message) -> String? {
        let arguments = signal.arguments
        guard let subject = arguments.first?.text, let news = arguments.dropFirst().first?.dictionary
        else { return nil }
        let device: String
        if signal.isSignal("InterfacesAdded", on: "org.freedesktop.DBus.ObjectManager") {
            guard news[Self.device] != nil else { return nil }
            device = subject
        } else {
            guard signal.isSignal("PropertiesChanged", on: "org.freedesktop.DBus.Properties"), subject == Self.device,
                ["RSSI", "ManufacturerData", "ServiceData"].contains(where: { news[$0] != nil })
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
