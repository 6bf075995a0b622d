import DBus
import Testing

@Suite struct DBusErrorTests {
    @Test func `DBusError leaves out the description of a rejected message`() {
        let refusal = DBusError(
            DBusError.accessDenied,
            "Rejected send message, 1 matched rules; type=\"method_call\", sender=\":1.2\" (uid=65534 pid=7241)")
        #expect(
            refusal.description
                == "Rejected send message, 1 matched rules (org.freedesktop.DBus.Error.AccessDenied)")
        #expect(DBusError("org.bluez.Error.Failed", "a; b").description == "a; b (org.bluez.Error.Failed)")
    }
}
