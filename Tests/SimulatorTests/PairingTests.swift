import DBus
import EventLoop
import Simulator
import TestSupport
import Testing

/// Pairing, with and without an agent.
@Suite struct PairingTests {
    /// Registers an agent that gives these answers, or never answers.
    private static func register(
        _ client: Client, capability: String, answering answers: [Variant]? = [], isSilent: Bool = false
    ) async throws -> Mailbox<String> {
        let asked = Mailbox<String>()
        await client.connection.onCall { [unowned connection = client.connection] call in
            asked.put("\(call.member) \(call.arguments.dropFirst().compactMap(\.integer).map(String.init).joined())")
            if isSilent { return true }
            connection.assumeIsolated { connection in
                let rejection = DBusError("org.bluez.Error.Rejected", "no")
                guard let answers, let reply = try? Message(replyingTo: call, answers) else {
                    return connection.send(Message(answering: call, with: rejection))
                }
                connection.send(reply)
            }
            return true
        }
        try await client.call(
            "", "AgentManager1.RegisterAgent", .objectPath("/agent"), .string(capability))
        return asked
    }

    private static func pair(
        _ pairing: String, capability: String?, answering answers: [Variant]? = []
    ) throws -> (error: DBusError?, asked: String?, bonded: Variant?, again: DBusError?) {
        let fleet = specimen.replacingOnce("advertise:", with: "pairing: \(pairing)\n    advertise:")
        return try withSimulation(fleet) { _, client, _ in
            var asked: Mailbox<String>?
            if let capability { asked = try await register(client, capability: capability, answering: answers) }
            try await client.discover(Path.device)
            let error = try await client.failure(Path.device, "Device1.Pair")
            asked?.close()
            return (
                error, await asked?.next(), try await client.property(Path.device, "Device1", "Bonded"),
                error == nil ? try await client.failure(Path.device, "Device1.Pair") : nil
            )
        }
    }

    private static let failed = DBusError("org.bluez.Error.AuthenticationFailed", "Authentication Failed")

    @Test func `Just Works needs an agent but calls none of its methods`() throws {
        let without = try Self.pair("just works", capability: nil)
        #expect(without.error == Self.failed)
        #expect(without.bonded == .boolean(false))
        let with = try Self.pair("just works", capability: "NoInputNoOutput")
        #expect(with.error == nil)
        #expect(with.asked == nil)
        #expect(with.bonded == .boolean(true))
        #expect(with.again == DBusError("org.bluez.Error.AlreadyExists", "Already Exists"))
    }

    @Test func `pairing succeeds with the right passkey only`() throws {
        let right = try Self.pair("passkey 123456", capability: "KeyboardOnly", answering: [.uint32(123456)])
        #expect(right.asked == "RequestPasskey ")
        #expect(right.bonded == .boolean(true))
        let wrong = try Self.pair("passkey 123456", capability: "KeyboardOnly", answering: [.uint32(1)])
        #expect(wrong.error == Self.failed)
        #expect(wrong.bonded == .boolean(false))
        let unable = try Self.pair("passkey 123456", capability: "NoInputNoOutput")
        #expect(unable.error == Self.failed)
        #expect(unable.asked == nil)
    }

    @Test func `pairing fails when the user rejects the comparison`() throws {
        let same = try Self.pair("compare 4711", capability: "DisplayYesNo")
        #expect(same.asked == "RequestConfirmation 4711")
        #expect(same.bonded == .boolean(true))
        let other = try Self.pair("compare 4711", capability: "DisplayYesNo", answering: nil)
        #expect(other.error == DBusError("org.bluez.Error.AuthenticationRejected", "Authentication Rejected"))
    }

    @Test func `the agent displays a passkey`() throws {
        let shown = try Self.pair("display", capability: "DisplayOnly")
        #expect(shown.asked?.hasPrefix("DisplayPasskey ") == true)
        #expect(shown.bonded == .boolean(true))
    }

    @Test func `a bond allows reading and survives a restart of bluetoothd`() throws {
        let (value, bonded) = try withSimulation(specimen) { home, client, simulation in
            _ = try await Self.register(client, capability: "NoInputNoOutput")
            try await client.connect(Path.device)
            try await client.call(Path.device, "Device1.Pair")
            let value = try await client.call(Path.locked, "GattCharacteristic1.ReadValue", .properties([:]))
            await simulation.stopBluetoothd()
            try await simulation.startBluetoothd()
            return (value[0].bytes, try await client.property(Path.device, "Device1", "Bonded"))
        }
        #expect(value == [1])
        #expect(bonded == .boolean(true))
    }

    // MARK: Cancellation and concurrent calls

    private static let canceled = DBusError("org.bluez.Error.AuthenticationCanceled", "Authentication Canceled")
    private static let entering = specimen.replacingOnce("advertise:", with: "pairing: passkey 123456\n    advertise:")

    @Test func `Disconnect cancels a pairing`() throws {
        let (error, asked) = try withSimulation(Self.entering) { _, client, _ in
            let asked = try await Self.register(client, capability: "KeyboardOnly", isSilent: true)
            try await client.discover(Path.device)
            let answers = client.answers([(Path.device, "Device1.Pair", [])])
            let question = await asked.next()
            try await client.call(Path.device, "Device1.Disconnect")
            return (await answers.next() ?? nil, [question, await asked.next()])
        }
        #expect(error == Self.canceled)
        #expect(asked == ["RequestPasskey ", "Cancel "])
    }

    @Test func `a pairing and its connection end with the client`() throws {
        let (asked, error) = try withSimulation(Self.entering) { home, client, _ in
            let asked = try await Self.register(client, capability: "KeyboardOnly", isSilent: true)
            try await client.discover(Path.device)
            let other = try await Client(client.connection.address, loop: home.loop)
            let answers = other.answers([(Path.device, "Device1.Pair", [])])
            let question = await asked.next()
            await other.close()
            let cancel = await asked.next()
            await client.signals(upTo: "dev_C0_00_00_00_00_04 ServicesResolved=false Connected=false")
            answers.close()
            return ([question, cancel], try await client.failure(Path.device, "Device1.CancelPairing"))
        }
        #expect(asked == ["RequestPasskey ", "Cancel "])
        #expect(error == DBusError("org.bluez.Error.DoesNotExist", "Does Not Exist"))
    }

    @Test(arguments: ["5.66", "5.82"])
    func `Pair during Connect and Connect during Pair fail`(version: String) throws {
        let fleet = "bluetoothd: \(version)\n\(Self.entering)"
        let (beside, during) = try withSimulation(fleet) { _, client, _ in
            let asked = try await Self.register(client, capability: "KeyboardOnly", isSilent: true)
            try await client.discover(Path.device)
            try await client.control("SetAdvertising", .string("specimen"), .boolean(false))
            let answers = client.answers([(Path.device, "Device1.Connect", []), (Path.device, "Device1.Pair", [])])
            let beside = await answers.next() ?? nil
            try await client.control("SetAdvertising", .string("specimen"), .boolean(true))
            _ = await answers.next()
            let pairing = client.answers([(Path.device, "Device1.Pair", [])])
            _ = await asked.next()
            let during = try await client.failure(Path.device, "Device1.Connect")
            pairing.close()
            return (beside, during)
        }
        let inProgress = DBusError("org.bluez.Error.InProgress", "In Progress")
        let failed = DBusError("org.bluez.Error.Failed", "Operation already in progress")
        #expect(beside == (version == "5.66" ? failed : inProgress))
        #expect(during == (version == "5.66" ? nil : inProgress))
    }

    @Test func `the previous default agent is used after the default agent has left`() throws {
        let asked = try withSimulation(Self.entering) { home, client, _ in
            let asked = try await Self.register(client, capability: "KeyboardOnly", answering: [.uint32(123456)])
            let other = try await Client(client.connection.address, loop: home.loop)
            _ = try await Self.register(other, capability: "NoInputNoOutput")
            try await other.call("", "AgentManager1.RequestDefaultAgent", .objectPath("/agent"))
            try await other.call("", "AgentManager1.UnregisterAgent", .objectPath("/agent"))
            try await client.discover(Path.device)
            try await other.call(Path.device, "Device1.Pair")
            await other.close()
            return await asked.next()
        }
        #expect(asked == "RequestPasskey ")
    }
}
