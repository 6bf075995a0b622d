import BlueZ
import Bluetooth
import Configuration
import DBus
import EventLoop
import Glibc

/// Checks the D-Bus, bluetoothd and its adapters in this order.
///
/// A failure ends the checks.
struct BluetoothChecks {
    let bus: String
    /// Whether the bus is the system bus, with the bluetoothd of this machine.
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
        if isSystemBus { findings += await InstalledBluetoothd.findings(on: loop) }
        do throws(DBusError) {
            // A call to bluetoothd would start it, on a bus that starts services.
            guard try await connection.owner(of: "org.bluez") != nil else {
                findings.append(notRunning("bluetoothd is not running"))
                await connection.close()
                return findings
            }
            let objects = try await objects(connection)
            findings.append(.ok("D-Bus policy", "user \(SystemChecks.user) can access bluetoothd"))
            if isSystemBus { findings += RadioSwitch.findings() }
            findings += await adapters(in: objects, configuration?.bluetooth, connection)
        } catch {
            findings.append(diagnosis(error))
        }
        await connection.close()
        return findings
    }

    /// Returns the command that fixes the system bus.
    private func remedy(for error: DBusError) -> String {
        switch error.name {
        // The bus disconnects users that do not exist on its machine, e.g. users of a container.
        case DBusError.authenticationFailed, DBusError.disconnected:
            "on the host: sudo useradd --system --uid \(getuid()) bluefleet"
        // The socket is accessible to all users by default: its permissions have been changed.
        case DBusError.accessDenied: "ls -l \(bus.drop { $0 != "/" })"
        default: "sudo systemctl start dbus"
        }
    }

    /// The command that checks the system bus.
    ///
    /// The command that starts another bus is unknown.
    private static var systemBusInstead: String {
        "for the system bus: \(unsafe getenv("DBUS_SYSTEM_BUS_ADDRESS") == nil ? "" : "env -u DBUS_SYSTEM_BUS_ADDRESS ")"
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

    /// Returns the diagnosis of a failed call to bluetoothd.
    func diagnosis(_ error: DBusError) -> Diagnosis {
        if Self.status(error) == .noPermission {
            return .wrong(
                "D-Bus policy", "user \(SystemChecks.user) has no permission to access bluetoothd: \(error)",
                here("sudo adduser \(SystemChecks.user) bluetooth"), status: .noPermission)
        }
        if error.name == DBusError.noReply {
            return .wrong("bluetoothd", "bluetoothd runs but does not answer: \(error)", here(Self.restart))
        }
        return notRunning("bluetoothd is not running: \(error)")
    }

    /// Returns the diagnosis of a bluetoothd that is not running: `message`, unless it is not installed.
    private func notRunning(_ message: String) -> Diagnosis {
        let isInstalled = !isSystemBus || InstalledBluetoothd.path != nil
        return .wrong(
            "bluetoothd", isInstalled ? message : "bluetoothd is not installed",
            here(isInstalled ? "sudo systemctl enable --now bluetooth" : "sudo apt install bluez"))
    }

    static let restart = "sudo systemctl restart bluetooth"

    /// Returns a command that fixes bluetoothd; nil if the bluetoothd of the bus may run on another machine.
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
            let adapter = AdapterChecks(path: path, address: address, properties: properties, objects: objects)
            findings += adapter.findings(wanted?.connections)
            if adapter.isUsable, scans {
                findings.append(await adapter.scan(connection, loop, remedy: here(Self.restart)))
            }
        }
        for address in missing.sorted() {
            findings.append(
                .wrong("adapter", "\(address) of the configuration was not found", "bluetoothctl list"))
        }
        if !isAnyUsed, missing.isEmpty {
            findings.append(
                .wrong(
                    "adapter", "no adapter was found: plug one in, or look for errors in the kernel log",
                    "sudo dmesg | grep -i blue"
                ))
        }
        return findings
    }
}

extension RadioSwitch {
    /// Returns one result for each blocked Bluetooth radio of this machine.
    static func findings() -> [Diagnosis] {
        all().compactMap { radio in
            switch radio.block {
            case .hard: .wrong("rfkill", "\(radio.radio) is blocked by a hardware switch of the machine", nil)
            case .soft: .wrong("rfkill", "\(radio.radio) is blocked by software", "sudo rfkill unblock bluetooth")
            case nil: nil
            }
        }
    }
}
