import DBus
import EventLoop

/// A client on the simulated bus: it calls bluetoothd's methods and receives its signals.
final class Client: Sendable {
    let connection: Connection
    private let signals = Mailbox<Signal>()

    /// A signal of bluetoothd.
    struct Signal: Sendable {
        let path: String
        let member: String
        let arguments: [Variant]

        /// A short text, for example `InterfacesAdded dev_C0_00_00_00_00_01`.
        var summary: String {
            let name = path.split(separator: "/").last.map(String.init) ?? "/"
            switch member {
            case "InterfacesAdded", "InterfacesRemoved":
                let object = arguments[0].text?.split(separator: "/").last.map(String.init) ?? ""
                let interfaces = (arguments[1].texts ?? arguments[1].dictionary?.keys.sorted() ?? [])
                    .filter { $0.hasPrefix("org.bluez.") }.map { $0.dropFirst("org.bluez.".count) }
                return "\(member) \(object) \(interfaces.joined(separator: " "))"
            case "PropertiesChanged":
                // RSSI changes with each advertisement, independently of the other signals.
                let entries = (arguments[1].entries ?? []).filter { $0.key.text != "RSSI" }
                let changed = entries.map { "\($0.key.text ?? "")=\(Self.text($0.value.bare))" }
                let gone = (arguments[2].texts ?? []).map { "-\($0)" }
                return "\(name) \((changed + gone).joined(separator: " "))"
            default: return "\(name) \(member)"
            }
        }

        private static func text(_ value: Variant) -> String {
            if let boolean = value.boolean { return "\(boolean)" }
            if let bytes = value.bytes { return bytes.map { String($0, radix: 16) }.joined(separator: ",") }
            return value.integer.map(String.init) ?? value.text ?? "…"
        }
    }

    init(_ bus: String, loop: EventLoop, receivesSignals: Bool = true) async throws {
        connection = try await Connection.open(bus, loop: loop)
        let signals = signals
        await connection.onSignal { message in
            guard message.path.hasPrefix("/org/bluez") || message.path == "/" else { return }
            signals.put(Signal(path: message.path, member: message.member, arguments: message.arguments))
        }
        if receivesSignals { try await connection.addMatch("type='signal',sender='org.bluez'") }
    }

    /// Calls a method of bluetoothd: `call("hci0", "Adapter1.StartDiscovery")`.
    @discardableResult
    func call(_ path: String, _ method: String, _ arguments: Variant...) async throws -> [Variant] {
        try await connection.call(Self.message(path, method, arguments), timeout: nil).arguments
    }

    /// Returns the error of a call; nil if the call succeeds.
    func failure(_ path: String, _ method: String, _ arguments: [Variant] = []) async throws -> DBusError? {
        let message = try Self.message(path, method, arguments)
        do throws(DBusError) {
            _ = try await connection.call(message, timeout: nil)
            return nil
        } catch {
            return error
        }
    }

    /// Makes several calls at once; the mailbox receives their errors in the order of the replies, nil for success.
    func answers(_ calls: [(path: String, method: String, arguments: [Variant])]) -> Mailbox<DBusError?> {
        let answers = Mailbox<DBusError?>()
        for call in calls {
            Task(executorPreference: connection.loop.tasks) {
                answers.put(try await self.failure(call.path, call.method, call.arguments))
            }
        }
        return answers
    }

    private static func message(
        _ path: String, _ method: String, _ arguments: [Variant]
    ) throws(DBusError) -> Message {
        let parts = method.split(separator: ".")
        let interface = (method.hasPrefix("org.") ? "" : "org.bluez.") + parts.dropLast().joined(separator: ".")
        let path = path.hasPrefix("/") ? path : "/org/bluez" + (path.isEmpty ? "" : "/" + path)
        return try Message(call: String(parts.last ?? ""), on: interface, at: path, of: "org.bluez", arguments)
    }

    func property(_ path: String, _ interface: String, _ name: String) async throws -> Variant? {
        let properties = try await call(
            path, "org.freedesktop.DBus.Properties.GetAll", .string("org.bluez.\(interface)"))
        return properties.first?.dictionary?[name]
    }

    func set(_ path: String, _ interface: String, _ name: String, _ value: Variant) async throws {
        try await call(
            path, "org.freedesktop.DBus.Properties.Set", .string("org.bluez.\(interface)"), .string(name),
            .variant(value))
    }

    /// Calls a method of the control interface, `io.bluefleet.Simulator`.
    @discardableResult
    func control(_ method: String, _ arguments: Variant...) async throws -> [Variant] {
        let name = "io.bluefleet.Simulator"
        return try await connection.call(Message(call: method, on: name, at: "/", of: name, arguments)).arguments
    }

    /// Returns the events of a peripheral, for example `read 2A6E`, without those of bluetoothd itself.
    func events(of name: String) async throws -> [String] {
        (try await control("GetEvents", .string(name))[0].elements ?? []).compactMap(summary(of:))
    }

    /// Returns the paths of all objects, in bluetoothd's order.
    func paths() async throws -> [String] {
        let objects = try await call("/", "org.freedesktop.DBus.ObjectManager.GetManagedObjects")
        return objects.first?.entries?.compactMap(\.key.text) ?? []
    }

    /// Waits for a signal whose summary starts with this text.
    ///
    /// - Returns: The summaries of all signals up to that one.
    @discardableResult
    func signals(upTo summary: String) async -> [String] {
        var seen: [String] = []
        while let signal = await signals.next() {
            seen.append(signal.summary)
            if seen.last?.hasPrefix(summary) == true { break }
        }
        return seen
    }

    /// Drops the signals received so far.
    func forgetSignals() async {
        while signals.count > 0 { _ = await signals.next() }
    }

    /// Returns the summaries of the signals received so far.
    func signalsSoFar() async -> [String] {
        var seen: [String] = []
        while signals.count > 0, let signal = await signals.next() { seen.append(signal.summary) }
        return seen
    }

    /// Discovers the device, connects to it, and waits for its services and its battery.
    func connect(_ device: String) async throws {
        let name = device.split(separator: "/").last.map(String.init) ?? ""
        try await discover(device)
        try await call(device, "Device1.Connect")
        await signals(upTo: "\(name) UUIDs=… ServicesResolved=true")
        await signals(upTo: "InterfacesAdded \(name) Battery1")
        try await call("hci0", "Adapter1.StopDiscovery")
        await signals(upTo: "hci0 Discovering=false")
    }

    /// Scans until the device appears; the scan continues.
    func discover(_ device: String) async throws {
        try await call("hci0", "Adapter1.SetDiscoveryFilter", .properties(["Transport": .string("le")]))
        try await call("hci0", "Adapter1.StartDiscovery")
        await signals(upTo: "InterfacesAdded \(device.split(separator: "/").last ?? "") Device1")
    }

    func close() async { await connection.close() }
}

/// Returns an event of `GetEvents` without its time; nil for an event of bluetoothd itself.
private func summary(of event: Variant) -> String? {
    guard let event = event.dictionary, event["client"]?.text != "bluetoothd" else { return nil }
    let value = (event["value"]?.bytes ?? []).map { String($0, radix: 16) }.joined(separator: ",")
    return [event["event"]?.text, event["uuid"]?.text, value].compactMap(\.self).filter { !$0.isEmpty }
        .joined(separator: " ")
}
