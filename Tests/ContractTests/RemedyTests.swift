import Contract
import JSON
import Testing

@Suite struct RemedyTests {
    @Test(
        arguments: [
            ("the gateway attic is offline", "systemctl status bluefleet", nil),
            ("Bluetooth is not available", "bluefleet doctor", nil),
            ("all 7 connections of hci0 are in use", "every 10m", .connections),
            ("connect: the peripheral requires a bond: pair with it", "Pair the device", .pair),
            ("the keys of the bond were rejected", "Pair the device", .pair),
            ("the device has not been seen yet", "Press its button", .connect),
            ("the device is no longer seen", "Press its button", .connect),
            ("no advertisement for longer than usual", "Press its button", .connect),
            ("cannot read the key: /etc/bluefleet/key: no such file", "key_file", nil),
            ("no value of temperature for longer than usual", "Connect to the device", .connect),
            ("the device is being connected", "Wait", nil),
            ("other devices are being connected first", "Wait", nil),
            ("le-connection-abort-by-local", "Move the device closer", .connect),
        ] as [(String, String, Remedy.Action?)])
    func `each reason has a step that helps`(reason: String, step: String, action: Remedy.Action?) {
        let remedy = Remedy(for: reason)
        #expect(remedy.step.contains(step))
        #expect(remedy.action == action)
    }

    @Test func `the last entry of the table fits every reason`() {
        let entries = Remedy.table.array ?? []
        #expect(entries.last?["words"]?.array?.isEmpty == true)
        #expect(entries.dropLast().allSatisfy { $0["words"]?.array?.isEmpty == false })
        // The page compares in lower case.
        let words = entries.flatMap { $0["words"]?.array ?? [] }.compactMap(\.string)
        #expect(words.allSatisfy { $0 == $0.lowercased() })
    }
}
