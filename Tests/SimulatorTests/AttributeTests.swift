import DBus
import EventLoop
import Glibc
import TestSupport
import Testing

/// Reading, writing and subscribing, and bluetoothd's errors.
@Suite struct AttributeTests {
    /// A call on a characteristic, with the error of bluetoothd 5.66.
    struct Refusal: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let path: String
        let method: String
        let arguments: [Variant]
        let name: String
        let text: String

        init(_ what: String, _ path: String, _ method: String, _ arguments: [Variant], _ name: String, _ text: String) {
            testDescription = what
            self.path = path
            self.method = method
            self.arguments = arguments
            self.name = name
            self.text = text
        }
    }

    static let refusals = [
        Refusal(
            "an offset in a short value", Path.temperature, "ReadValue", [.properties(["offset": .uint16(1)])],
            "Failed", "Operation failed with ATT error: 0x0b"),
        Refusal(
            "an offset after the end", Path.temperature, "ReadValue", [.properties(["offset": .uint16(9)])],
            "InvalidArguments", "Invalid offset"),
        Refusal(
            "reading without the flag read", Path.command, "ReadValue", [.properties([:])],
            "NotPermitted", "Read not permitted"),
        Refusal(
            "writing without the flag write", Path.temperature, "WriteValue",
            [.bytes([0]), .properties(["type": .string("request")])], "NotPermitted", "Write not permitted"),
        Refusal(
            "an unknown type of write", Path.output, "WriteValue",
            [.bytes([0]), .properties(["type": .string("nonsense")])], "NotSupported", "Operation is not supported"),
        Refusal(
            "a command longer than a packet", Path.command, "WriteValue",
            [.bytes([UInt8](repeating: 0, count: 515)), .properties(["type": .string("command")])],
            "Failed", "Failed to initiate write"),
        Refusal(
            "reading without a bond", Path.locked, "ReadValue", [.properties([:])], "NotPermitted", "Not paired"),
        Refusal(
            "StopNotify before StartNotify", Path.temperature, "StopNotify", [], "Failed", "No notify session started"),
        Refusal(
            "StartNotify without the flag notify", Path.locked, "StartNotify", [],
            "NotSupported", "Operation is not supported"),
        Refusal(
            "AcquireWrite without the flag write-without-response", Path.output, "AcquireWrite", [.properties([:])],
            "NotSupported", "Operation is not supported"),
    ]

    @Test func `invalid calls fail with bluetoothd's errors`() throws {
        let errors = try withSimulation(specimen) { _, client, _ in
            try await client.connect(Path.device)
            var errors: [DBusError?] = []
            for refusal in Self.refusals {
                errors.append(
                    try await client.failure(
                        refusal.path, "GattCharacteristic1.\(refusal.method)", refusal.arguments))
            }
            return errors
        }
        for (refusal, error) in zip(Self.refusals, errors) {
            #expect(error == DBusError("org.bluez.Error.\(refusal.name)", refusal.text), "\(refusal.testDescription)")
        }
    }

    @Test func `options of the wrong type fail with InvalidArguments`() throws {
        let errors = try withSimulation(specimen) { _, client, _ in
            try await client.connect(Path.device)
            let descriptor = "\(Path.temperature)/desc0011"
            var errors: [DBusError?] = []
            for offset in [Variant.int32(-1), .int16(0), .string("0")] {
                let options = Variant.properties(["offset": offset])
                errors += [
                    try await client.failure(Path.output, "GattCharacteristic1.ReadValue", [options]),
                    try await client.failure(Path.output, "GattCharacteristic1.WriteValue", [.bytes([1]), options]),
                    try await client.failure(descriptor, "GattDescriptor1.ReadValue", [options]),
                    try await client.failure(descriptor, "GattDescriptor1.WriteValue", [.bytes([1]), options]),
                ]
            }
            let type = Variant.properties(["type": .uint16(1)])
            errors.append(
                try await client.failure(Path.output, "GattCharacteristic1.WriteValue", [.bytes([1]), type]))
            return errors
        }
        let invalid = DBusError("org.bluez.Error.InvalidArguments", "Invalid arguments in method call")
        #expect(errors == [DBusError?](repeating: invalid, count: 13))
    }

    @Test func `unknown objects, methods and properties fail with D-Bus's errors`() throws {
        let errors = try withSimulation(specimen) { _, client, _ in
            let get = "org.freedesktop.DBus.Properties.Get"
            return [
                try await client.failure(Path.device, "Device1.Connect", []),
                try await client.failure("hci0", "Adapter1.Nonsense", []),
                try await client.failure("hci0", "Adapter1.StartDiscovery", [.string("")]),
                try await client.failure("hci0", get, [.string("org.bluez.Adapter1"), .string("Nonsense")]),
                try await client.failure("hci0", get, [.string("org.bluez.Nonsense"), .string("Powered")]),
                try await client.failure(
                    "hci0", "org.freedesktop.DBus.Properties.Set",
                    [.string("org.bluez.Adapter1"), .string("Address"), .variant(.string(""))]),
                try await client.failure(
                    "hci0", "org.freedesktop.DBus.Properties.Set",
                    [.string("org.bluez.Adapter1"), .string("Powered"), .variant(.string("on"))]),
            ]
        }
        #expect(
            errors == [
                DBusError(
                    DBusError.unknownObject,
                    "Method \"Connect\" with signature \"\" on interface \"org.bluez.Device1\" doesn't exist\n"),
                DBusError(
                    DBusError.unknownMethod,
                    "Method \"Nonsense\" with signature \"\" on interface \"org.bluez.Adapter1\" doesn't exist\n"),
                DBusError(
                    DBusError.unknownMethod,
                    "Method \"StartDiscovery\" with signature \"s\" on interface \"org.bluez.Adapter1\" "
                        + "doesn't exist\n"),
                DBusError(DBusError.invalidArguments, "No such property 'Nonsense'"),
                DBusError(DBusError.invalidArguments, "No such interface 'org.bluez.Nonsense'"),
                DBusError(DBusError.propertyReadOnly, "Property 'Address' is not writable"),
                DBusError("org.freedesktop.DBus.Error.InvalidSignature", "Invalid signature for 'Powered'"),
            ])
    }

    @Test func `reading needs a connection, and StartNotify takes effect with the next one`() throws {
        let (read, write, again, subscribed, value) = try withSimulation(specimen) { _, client, _ in
            try await client.connect(Path.device)
            try await client.call(Path.device, "Device1.Disconnect")
            let read = try await client.failure(
                Path.temperature, "GattCharacteristic1.ReadValue", [.properties([:])])
            let write = try await client.failure(
                Path.output, "GattCharacteristic1.WriteValue", [.bytes([1]), .properties([:])])
            try await client.call(Path.humidity, "GattCharacteristic1.StartNotify")
            let again = try await client.failure(Path.humidity, "GattCharacteristic1.StartNotify")
            try await client.call(Path.device, "Device1.Connect")
            let seen = await client.signals(upTo: "char0012 Notifying=true")
            return (read, write, again, seen.last, await client.signals(upTo: "char0012 Value=").last)
        }
        #expect(read == DBusError("org.bluez.Error.Failed", "Not connected"))
        #expect(write == DBusError("org.bluez.Error.Failed", "Not connected"))
        #expect(again == DBusError("org.bluez.Error.InProgress", "In Progress"))
        #expect(subscribed == "char0012 Notifying=true")
        #expect(value == "char0012 Value=a0,f")
    }

    @Test func `a subscription ends with its last client`() throws {
        let events = try withSimulation(specimen) { home, client, _ in
            try await client.connect(Path.device)
            let other = try await Client(client.connection.address, loop: home.loop)
            try await other.call(Path.temperature, "GattCharacteristic1.StartNotify")
            try await client.call(Path.temperature, "GattCharacteristic1.StartNotify")
            try await client.call(Path.temperature, "GattCharacteristic1.StopNotify")
            await client.forgetSignals()
            await other.close()
            await client.signals(upTo: "char000f Notifying=false")
            return try await client.events(of: "specimen")
        }
        #expect(events == ["connected", "subscribed 2A6E", "unsubscribed 2A6E"])
    }

    @Test func `AcquireNotify sends values through a socket until the client closes it`() throws {
        let (packets, errors, signals) = try withSimulation(specimen) { home, client, _ in
            try await client.connect(Path.device)
            let reply = try await client.call(
                Path.temperature, "GattCharacteristic1.AcquireNotify", .properties([:]))
            let descriptor = try #require(reply[0].fileDescriptor?.take())
            var errors: [DBusError?] = [
                try await client.failure(Path.temperature, "GattCharacteristic1.StartNotify", []),
                try await client.failure(
                    Path.temperature, "GattCharacteristic1.AcquireNotify", [.properties([:])]),
            ]
            await client.forgetSignals()
            var packets: [[UInt8]] = []
            for value: [UInt8] in [[1, 2], [], [3]] {
                try await client.control("Notify", .string("specimen"), .string("2A6E"), .bytes(value))
                packets.append(receive(descriptor))
            }
            close(descriptor)
            let signals = await client.signals(upTo: "char000f NotifyAcquired=false")
            errors.append(try await client.failure(Path.temperature, "GattCharacteristic1.StartNotify", []))
            return (packets, errors, signals)
        }
        #expect(packets == [[1, 2], [], [3]])
        let acquired = DBusError("org.bluez.Error.NotPermitted", "Notify acquired")
        #expect(errors == [acquired, acquired, nil])
        #expect(signals == ["char000f NotifyAcquired=false"])
    }

    @Test func `the first of several concurrent AcquireNotify calls succeeds`() throws {
        let fleet = specimen.replacingOnce("subscribe: 1ms", with: "subscribe: 200ms")
        let errors = try withSimulation(fleet) { _, client, _ in
            try await client.connect(Path.device)
            let answers = client.answers([
                (Path.temperature, "GattCharacteristic1.AcquireNotify", [.properties([:])]),
                (Path.temperature, "GattCharacteristic1.AcquireNotify", [.properties([:])]),
                (Path.temperature, "GattCharacteristic1.StartNotify", []),
            ])
            return [await answers.next() ?? nil, await answers.next() ?? nil, await answers.next() ?? nil]
        }
        let acquired = DBusError("org.bluez.Error.NotPermitted", "Notify acquired")
        #expect(errors == [acquired, acquired, nil])
    }

    @Test func `a second StartNotify is answered before the first one`() throws {
        let fleet = specimen.replacingOnce("subscribe: 1ms", with: "subscribe: 200ms")
        let (errors, notifying) = try withSimulation(fleet) { _, client, _ in
            try await client.connect(Path.device)
            let answers = client.answers([
                (Path.temperature, "GattCharacteristic1.StartNotify", []),
                (Path.temperature, "GattCharacteristic1.StartNotify", []),
            ])
            let first = await answers.next()
            let notifying = try await client.property(Path.temperature, "GattCharacteristic1", "Notifying")
            return ([first ?? nil, await answers.next() ?? nil], notifying)
        }
        #expect(errors == [nil, nil])
        #expect(notifying == .boolean(false))
    }

    @Test func `reads are answered during a change of the services`() throws {
        let fleet = specimen.replacingOnce("read: 1ms", with: "read: 200ms").replacingOnce(
            "resolve: 5ms", with: "resolve: 1s")
        let errors = try withSimulation(fleet) { _, client, _ in
            try await client.connect(Path.device)
            let read = (Path.temperature, "GattCharacteristic1.ReadValue", [Variant.properties([:])])
            let answers = client.answers([read, read])
            try await client.control("ChangeServices", .string("specimen"))
            return [await answers.next() ?? nil, await answers.next() ?? nil]
        }
        #expect(errors == [nil, nil])
    }

    @Test func `AcquireWrite sends commands through a socket`() throws {
        let (error, events) = try withSimulation(specimen) { home, client, _ in
            try await client.connect(Path.device)
            let reply = try await client.call(Path.command, "GattCharacteristic1.AcquireWrite", .properties([:]))
            let descriptor = try #require(reply[0].fileDescriptor?.take())
            let error = try await client.failure(
                Path.command, "GattCharacteristic1.WriteValue",
                [.bytes([9]), .properties(["type": .string("command")])])
            let packet: [UInt8] = [4, 5]
            _ = packet.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
            await client.forgetSignals()
            close(descriptor)
            await client.signals(upTo: "char001e WriteAcquired=false")
            return (error, try await client.events(of: "specimen"))
        }
        #expect(error == DBusError("org.bluez.Error.NotPermitted", "Write acquired"))
        #expect(events == ["connected", "command 6e400003-b5a3-f393-e0a9-e50e24dcca9e 4,5"])
    }

    @Test func `long values are read and written at an offset`() throws {
        let (tail, whole) = try withSimulation(specimen.replacingOnce("advertise:", with: "mtu: 23\n    advertise:")) {
            _, client, _ in
            try await client.connect(Path.device)
            let long = [UInt8](0..<100)
            let request = Variant.properties(["type": .string("request")])
            try await client.call(Path.output, "GattCharacteristic1.WriteValue", .bytes(long), request)
            try await client.call(
                Path.output, "GattCharacteristic1.WriteValue", .bytes([7, 7]),
                .properties(["type": .string("request"), "offset": .uint16(98)]))
            let tail = try await client.call(
                Path.output, "GattCharacteristic1.ReadValue", .properties(["offset": .uint16(96)]))
            let whole = try await client.call(Path.output, "GattCharacteristic1.ReadValue", .properties([:]))
            return (tail[0].bytes, whole[0].bytes)
        }
        #expect(tail == [96, 97, 7, 7])
        #expect(whole == [UInt8](0..<98) + [7, 7])
    }
}

/// Returns the next packet of a non-blocking socket; 0xEE if there is none.
private func receive(_ descriptor: Int32) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count < 0 ? [0xEE] : Array(buffer.prefix(count))
}
