import Configuration
import Testing

@Suite struct DeviceListTests {
    /// A device of a configuration that contains no other device.
    private func device(_ name: String, _ address: Int, _ keys: String = "") throws -> Configuration.Device {
        let yaml = "devices: {\(name): {address: C0:00:00:00:00:0\(address)\(keys)}}"
        return try #require(try Configuration(yaml: yaml).devices.first)
    }

    @Test(arguments: [
        ("a/b", "", "a", ", characteristics: {b/availability: {uuid: 2A6E}}"),
        ("a/b", "", "a", ", characteristics: {b/request/read: {uuid: 2A6E}}"),
        ("a/b", "", "a", ", advertisement: {company: 1, format: [{name: b/info, type: uint8}]}"),
        ("a/b", ", characteristics: {c: {uuid: 2A6E}}", "a", ", characteristics: {b/c/get: {uuid: 2A6E}}"),
        ("a/request/b", "", "a", ""),
    ])
    func `DeviceList rejects a device that would share a topic, in either order`(
        name: String, keys: String, otherName: String, otherKeys: String
    ) throws {
        let devices = [try device(name, 1, keys), try device(otherName, 2, otherKeys)]
        for (first, second) in [(devices[0], devices[1]), (devices[1], devices[0])] {
            var list = Configuration.DeviceList()
            try list.add(first)
            let error = #expect(throws: EntryError.self) { try list.add(second) }
            #expect(error?.description.contains("would share the topic") == true)
            #expect(list.devices == [first])
        }
    }

    @Test func `DeviceList accepts devices with similar names`() throws {
        var list = Configuration.DeviceList()
        try list.add(try device("a", 1, ", characteristics: {b/c: {uuid: 2A6E}}"))
        try list.add(try device("a/b", 2, ", characteristics: {d: {uuid: 2A6E}}"))
        try list.add(try device("requests/a", 3))
        #expect(list.devices.count == 3)
    }
}
