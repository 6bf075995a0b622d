import DBus
import EventLoop
import Testing

@testable import bluefleet

@Suite struct BluetoothExaminationTests {
    /// What the doctor says where bluetoothd cannot be asked.
    private func diagnosis(_ error: String, onSystemBus isSystemBus: Bool) throws -> Diagnosis {
        try EventLoop.run { home in
            BluetoothExamination(bus: "unix:path=/tmp/bus", isSystemBus: isSystemBus, scans: false, loop: home.loop)
                .diagnosis(DBusError(error, "what it says"))
        }
    }

    @Test func `a bluetoothd that hangs is started anew`() throws {
        let silent = try diagnosis(DBusError.noReply, onSystemBus: true)
        #expect(silent.message.hasPrefix("it runs, and does not answer: "))
        #expect(silent.remedy == "sudo systemctl restart bluetooth")
        let missing = try diagnosis(DBusError.serviceUnknown, onSystemBus: true)
        #expect(missing.message.hasPrefix("it does not run"))
    }

    @Test(arguments: [DBusError.noReply, DBusError.serviceUnknown, DBusError.accessDenied])
    func `what is behind another bus is not mended by this machine's commands`(error: String) throws {
        #expect(try diagnosis(error, onSystemBus: false).remedy == nil)
        #expect(try diagnosis(error, onSystemBus: true).remedy != nil)
    }

    @Test func `an empty variable names no bus`() {
        #expect(MessageBus.systemAddress("unix:path=/tmp/bus") == "unix:path=/tmp/bus")
        #expect(MessageBus.systemAddress("") == MessageBus.systemAddress(nil))
        #expect(MessageBus.isSystem(MessageBus.systemAddress("")))
    }

    @Test func `this machine's bus is known by its address`() {
        #expect(MessageBus.isSystem("unix:path=/run/dbus/system_bus_socket"))
        #expect(MessageBus.isSystem("unix:path=/var/run/dbus/system_bus_socket"))
        #expect(!MessageBus.isSystem("unix:path=/tmp/bus"))
    }
}
