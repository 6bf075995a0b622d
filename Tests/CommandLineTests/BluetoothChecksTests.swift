import DBus
import EventLoop
import TestSupport
import Testing

@testable import bluefleet

@Suite struct BluetoothChecksTests {
    /// Returns the diagnosis of a failed call to bluetoothd.
    private func diagnosis(_ error: String, onSystemBus isSystemBus: Bool) throws -> Diagnosis {
        try EventLoop.run { home in
            BluetoothChecks(bus: "unix:path=/tmp/bus", isSystemBus: isSystemBus, scans: false, loop: home.loop)
                .diagnosis(DBusError(error, "what it says"))
        }
    }

    @Test func `a bluetoothd that does not answer is restarted`() throws {
        let silent = try diagnosis(DBusError.noReply, onSystemBus: true)
        #expect(silent.message.hasPrefix("bluetoothd runs but does not answer: "))
        #expect(silent.remedy == "sudo systemctl restart bluetooth")
        let missing = try diagnosis(DBusError.serviceUnknown, onSystemBus: true)
        #expect(missing.message.hasPrefix("bluetoothd is not running"))
    }

    @Test(arguments: [DBusError.noReply, DBusError.serviceUnknown, DBusError.accessDenied])
    func `another bus has no command that fixes it`(error: String) throws {
        #expect(try diagnosis(error, onSystemBus: false).remedy == nil)
        #expect(try diagnosis(error, onSystemBus: true).remedy != nil)
    }

    @Test func `an empty DBUS_SYSTEM_BUS_ADDRESS is ignored`() {
        #expect(MessageBus.systemAddress("unix:path=/tmp/bus") == "unix:path=/tmp/bus")
        #expect(MessageBus.systemAddress("") == MessageBus.systemAddress(nil))
        #expect(MessageBus.isSystem(MessageBus.systemAddress("")))
    }

    @Test func `the bus of this machine is recognized by its address`() {
        #expect(MessageBus.isSystem("unix:path=/run/dbus/system_bus_socket"))
        #expect(MessageBus.isSystem("unix:path=/var/run/dbus/system_bus_socket"))
        #expect(!MessageBus.isSystem("unix:path=/tmp/bus"))
    }
}
