internal import BlueZ
internal import Bluetooth
internal import Configuration
internal import DBus
internal import EventLoop
internal import Glibc

/// bluetoothd and its adapters, as far as the bus, each of them in its turn: the first that fails hides the rest.
struct BluetoothExamination {
    let bus: String
    /// Whether it is this machine's bluetoothd.
    let isSystemBus: Bool
    let scans: Bool
    let loop: EventLoop

    func findings(
        _ configuration: Configuration?, isolation: isolated (any Actor)? = #isolation
    ) async -> [Diagnosis] {
        var findings: [Diagnosis] = []
        let connection: Connection
        do throws(DBusError) {
            connection = try await Connection.open(bus, loop: loop)
        } catch {
            let remedy = isSystemBus ? remedy(for: error) : Self.systemBusInstead
            return [.wrong("D-Bus", "\(bus): \(error)", remedy, status: Self.status(error))]
        }
        findings.append(.ok("D-Bus", bus))
        if isSystemBus { findings += await BluetoothdVersion.findings(on: loop) }
        do throws(DBusError) {
            let objects = try await objects(connection)
            findings.append(.ok("D-Bus policy", "\(SystemExamination.user) may talk to bluetoothd"))
            if isSystemBus { findings += RadioSwitch.findings() }
            findings += await adapters(in: objects, configuration?.bluetooth, connection)
        } catch {
            findings.append(diagnosis(error))
        }
        await connection.close()
        return findings
    }

    /// What mends the system's bus.
    private func remedy(for error: DBusError) -> String {
        switch error.name {
        // A bus lets in only users that its machine knows, and hangs up on others: on those of a container.
        case DBusError.authenticationFailed, DBusError.disconnected:
            "on the host: sudo useradd --system --uid \(getuid()) bluefleet"
        // The socket is for everybody; whoever has changed that knows why.
        case DBusError.accessDenied: "ls -l \(bus.drop { $0 != "/" })"
        default: "sudo systemctl start dbus"
        }
    }

    /// Of a bus that somebody has named nobody knows how it is started.
    private static var systemBusInstead: String {
        "for the system's bus: \(unsafe getenv("DBUS_SYSTEM_BUS_ADDRESS") == nil ? "" : "env -u DBUS_SYSTEM_BUS_ADDRESS ")"
            + "bluefleet doctor"
    }

    private func objects(
        _ connection: Connection, isolation: isolated (any Actor)? = #isolation
    ) async throws(DBusError) -> [String: Variant] {
        let call = try Message(
            call: "GetManagedObjects", on: "org.freedesktop.DBus.ObjectManager", at: "/", of: "org.bluez")
        return try await connection.call(call).arguments.first?.dictionary ?? [:]
    }

    private static func status(_ error: DBusError) -> ExitStatus {
        [DBusError.accessDenied, DBusError.authenticationFailed].contains(error.name) ? .noPermission : .unavailable
    }

    /// What it means that bluetoothd cannot be asked.
    func diagnosis(_ error: DBusError) -> Diagnosis {
        if Self.status(error) == .noPermission {
            return .wrong(
                "D-Bus policy", "\(SystemExamination.user) may not talk to bluetoothd: \(error)",
                here("sudo adduser \(SystemExamination.user) bluetooth"), status: .noPermission)
        }
        if error.name == DBusError.noReply {
            return .wrong("bluetoothd", "it runs, and does not answer: \(error)", here(Self.restart))
        }
        let isInstalled = !isSystemBus || BluetoothdVersion.path != nil
        return .wrong(
            "bluetoothd", isInstalled ? "it does not run: \(error)" : "it does not run, and is not installed here",
            here(isInstalled ? "sudo systemctl enable --now bluetooth" : "sudo apt install bluez"))
    }

    static let restart = "sudo systemctl restart bluetooth"

    /// A command, where it is this machine's bluetoothd that it mends.
    private func here(_ command: String) -> String? { isSystemBus ? command : nil }

    // MARK: Adapters

    private func adapters(
        in objects: [String: Variant], _ wanted: Configuration.Adapters?, _ connection: Connection,
        isolation: isolated (any Actor)? = #isolation
    ) async -> [Diagnosis] {
        var findings: [Diagnosis] = []
        var missing = Set(wanted?.addresses ?? [])
        var isAnyUsed = false
        for (path, interfaces) in objects.sorted(by: { $0.key < $1.key }) {
            guard let properties = interfaces.dictionary?["org.bluez.Adapter1"]?.dictionary,
                let address = properties["Address"]?.text.flatMap({ Address($0) }),
                wanted?.addresses?.contains(address) ?? true
            else { continue }
            missing.remove(address)
            isAnyUsed = true
            let adapter = ExaminedAdapter(path: path, address: address, properties: properties, objects: objects)
            findings += adapter.findings(wanted?.connections)
            if adapter.isUsable, scans {
                findings.append(await adapter.scan(connection, loop, remedy: here(Self.restart)))
            }
        }
        for address in missing.sorted() {
            findings.append(
                .wrong("adapter", "\(address), which the configuration names, is not there", "bluetoothctl list"))
        }
        if !isAnyUsed, missing.isEmpty {
            findings.append(
                .wrong(
                    "adapter", "there is none: plug one in, or see why the kernel has none", "sudo dmesg | grep -i blue"
                ))
        }
        return findings
    }
}
