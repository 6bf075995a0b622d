import Bluetooth
import Testing

@Suite struct NamesTests {
    @Test func `a characteristic is found by name and by UUID`() {
        #expect(AssignedNumbers.characteristics["temperature"] == UUID(0x2A6E as UInt16))
        #expect(AssignedNumbers.characteristics[UUID(0x2A6E as UInt16)] == "temperature")
        #expect(AssignedNumbers.services["environmental_sensing"] == UUID(0x181A as UInt16))
        #expect(AssignedNumbers.descriptors[UUID(0x2902 as UInt16)] == "client_characteristic_configuration")
        #expect(AssignedNumbers.characteristics["temperatur"] == nil)
    }

    @Test func `names are in lower case with underscores`() {
        for names in [AssignedNumbers.services, AssignedNumbers.characteristics, AssignedNumbers.descriptors] {
            #expect(!names.all.isEmpty)
            for name in names.all { #expect(name.wholeMatch(of: /[a-z0-9]+(_[a-z0-9]+)*/) != nil) }
        }
    }

    @Test func `CharacteristicProperties convert to BlueZ's flags and back`() {
        let flags = ["read", "write-without-response", "notify", "encrypt-authenticated-read", "authorize"]
        let properties = CharacteristicProperties(flags: flags + ["something-new"])
        #expect(properties == [.read, .writeWithoutResponse, .notify, .encryptAuthenticatedRead, .authorize])
        #expect(properties.flags == flags)
        #expect(properties.canSubscribe && properties.canWrite)
        #expect(!CharacteristicProperties.read.canSubscribe)
    }

    @Test func `every ATT error has a meaning and an advice`() {
        for code in UInt8.min...UInt8.max {
            let error = ATTError(code: code)
            #expect(!error.name.isEmpty && !error.meaning.isEmpty && !error.advice.isEmpty)
        }
        #expect(ATTError(code: 0x03).name == "write_not_permitted")
        #expect(ATTError(code: 0x80).name == "application_error")
        #expect(ATTError(code: 0x05).description.hasPrefix("ATT error 0x05 (insufficient_authentication): "))
    }
}
