import Testing

@testable import BlueZ

@Suite struct BluetoothdVersionTests {
    @Test func `BluetoothdVersion reads the modalias of an adapter`() {
        #expect(BluetoothdVersion(modalias: "usb:v1D6Bp0246d0542") == BluetoothdVersion(5, 66))
        #expect(BluetoothdVersion(modalias: "usb:v1D6Bp0246d0552") == BluetoothdVersion(5, 82))
        // The machine's maker has set its own.
        #expect(BluetoothdVersion(modalias: "usb:v0A5CpE07Ed0100") == nil)
        #expect(BluetoothdVersion(modalias: "usb:v1D6Bp0246d") == nil)
        #expect(BluetoothdVersion(modalias: "") == nil)
    }

    @Test func `BluetoothdVersion: the faults of each version are known`() {
        let versions = [(5, 66), (5, 68), (5, 69), (5, 82), (5, 83), (5, 84), (5, 86), (5, 87), (6, 0)]
            .map { BluetoothdVersion($0.0, $0.1) }
        #expect(versions.map(\.survivesLongAttempts) == [false, false, true, true, true, true, true, true, true])
        #expect(versions.map(\.acquiresReliably) == [false, false, false, false, false, true, true, false, false])
    }
}
