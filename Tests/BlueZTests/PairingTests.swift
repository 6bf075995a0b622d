import Bluetooth
import DBus
import EventLoop
import Simulator
import Testing

@testable import BlueZ

/// Bonds, each way in which they come about.
@Suite struct PairingTests {
    /// What came of an attempt to pair with the sensor.
    private struct Outcome: Sendable {
        var error: CentralError?
        /// What was asked and shown meanwhile.
        var asked: [String] = []
        var isBonded = false
    }

    private static func fleet(_ pairing: String) -> String {
        oneSensor.replacing("advertise: {services", with: "pairing: \(pairing)\n    advertise: {services")
    }

    /// Pairs with the sensor, whose way of pairing is given.
    ///
    /// - Parameter reply: what is answered to a question; with nil nobody is there to ask.
    private static func pair(
        _ pairing: String, passkey: Int? = nil, reply: (@Sendable (PairingQuestion.Subject) -> Passkey?)? = nil,
        _ preparation: @escaping @Sendable (Room) async throws -> Void = { _ in }
    ) throws -> Outcome {
        try inRoom(fleet(pairing)) { _, room in
            try await preparation(room)
            let sensor = await room.central.peripheral(at: Room.sensor)
            await room.hear(sensor)
            let asked = Mailbox<String>()
            var answers = PairingAnswers(passkey: passkey.flatMap { Passkey($0) })
            if let reply {
                answers.ask = { question in
                    asked.put("\(question.subject)")
                    question.answer(reply(question.subject))
                }
                answers.display = { asked.put("display \($0.description.utf8.count) digits") }
            }
            var outcome = Outcome()
            do throws(CentralError) {
                try await room.central.pair(sensor, with: answers)
            } catch {
                outcome.error = error
            }
            asked.close()
            while let text = await asked.next() { outcome.asked.append(text) }
            outcome.isBonded = await sensor.isBonded
            return outcome
        }
    }

    @Test func `Just Works asks nothing`() throws {
        let outcome = try Self.pair("just works")
        #expect(outcome.error == nil)
        #expect(outcome.isBonded)
    }

    @Test func `after bluetoothd's restart the agent for bonds that are expected is there again`() throws {
        let errors = try inRoom(Self.fleet("passkey 012345")) { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            await room.central.expectBond(with: sensor, PairingAnswers(passkey: Passkey(12345)))
            await room.simulation.stopBluetoothd()
            while await room.central.state != .resetting { await room.loop.sleep(for: .milliseconds(1)) }
            try await room.simulation.startBluetoothd()
            while await room.central.state != .poweredOn { await room.loop.sleep(for: .milliseconds(1)) }
            await room.hear(sensor)
            // A program that has no agent of its own is helped by the default one: ours.
            let stranger = try await Connection.open(room.bus, loop: room.loop)
            var errors = 0
            while await !sensor.isBonded, errors < 1000 {
                do throws(DBusError) {
                    let call = try Message(
                        call: "Pair", on: "org.bluez.Device1", at: "/org/bluez/hci0/dev_C0_00_00_00_00_04",
                        of: "org.bluez")
                    _ = try await stranger.call(call)
                } catch {
                    // It may take a moment until the agent is there.
                    errors += 1
                    await room.loop.sleep(for: .milliseconds(1))
                }
            }
            await stranger.close()
            return errors
        }
        #expect(errors < 1000)
    }

    @Test func `a passkey that is known is entered, rightly or wrongly`() throws {
        let right = try Self.pair("passkey 012345", passkey: 12345)
        #expect(right.error == nil)
        #expect(right.isBonded)
        let wrong = try Self.pair("passkey 123456", passkey: 654321)
        #expect(wrong.error?.code == .pairingFailed)
        #expect(wrong.error?.message.contains("passkey") == true)
        #expect(!wrong.isBonded)
    }

    @Test func `a passkey that is not known is asked for`() throws {
        let given = try Self.pair("passkey 123456", reply: { _ in Passkey(123456) })
        #expect(given.asked == ["passkey"])
        #expect(given.isBonded)
        let refused = try Self.pair("passkey 123456", reply: { _ in nil })
        #expect(refused.error?.code == .pairingFailed)
        #expect(try Self.pair("passkey 123456").error?.code == .pairingFailed)
    }

    @Test func `a passkey is shown for the other side`() throws {
        let outcome = try Self.pair("display", reply: { _ in nil })
        #expect(outcome.asked == ["display 6 digits"])
        #expect(outcome.isBonded)
    }

    @Test func `numbers are the same only if somebody says so`() throws {
        let same = try Self.pair("compare 004711", reply: { _ in Passkey(4711) })
        #expect(same.asked == ["comparison(004711)"])
        #expect(same.isBonded)
        let other = try Self.pair("compare 004711", reply: { _ in Passkey(4712) })
        #expect(other.error?.code == .pairingFailed)
        #expect(!other.isBonded)
        #expect(try Self.pair("compare 004711", reply: { _ in nil }).error?.code == .pairingFailed)
    }

    @Test func `who is bonded already is left as it is`() throws {
        let events = try inRoom(Self.fleet("just works")) { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            await room.hear(sensor)
            try await room.central.pair(sensor)
            try await room.central.pair(sensor)
            return try await room.events()
        }
        #expect(events == ["connected", "paired"])
    }

    @Test func `a pairing that hangs is given up in time, and the next one has its turn`() throws {
        let (error, isBonded) = try inRoom { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            await room.hear(sensor)
            try await room.simulation.direct { scene throws(SceneError) in
                try scene.plan(Fault.Rule(.pairingHangs, times: 1), for: "sensor")
            }
            var failure: CentralError?
            do throws(CentralError) {
                try await room.central.pair(sensor, within: .milliseconds(50))
            } catch {
                failure = error
            }
            try await room.central.pair(sensor)
            return (failure, await sensor.isBonded)
        }
        #expect(error?.code == .timeout)
        #expect(isBonded)
    }

    @Test func `who is bonded already does not wait for somebody else's pairing`() throws {
        let error = try inRoom { _, room in
            let (sensor, other) = (
                await room.central.peripheral(at: Room.sensor), await room.central.peripheral(at: Room.other)
            )
            await room.hear(other)
            try await room.central.pair(other)
            try await room.simulation.direct { scene throws(SceneError) in
                try scene.plan(Fault.Rule(.pairingHangs), for: "sensor")
            }
            await room.hear(sensor)
            let outcomes = room.begin { () async throws(CentralError) in try await room.central.pair(sensor) }
            while await !room.central.isPairing(Room.sensor) { await room.loop.sleep(for: .milliseconds(1)) }
            try await room.central.pair(other)
            #expect(await room.central.isPairing(Room.sensor))
            try await room.central.cancelConnection(sensor)
            return await outcomes.next() ?? nil
        }
        #expect(error != nil)
    }

    @Test func `a question is taken back when the link goes, and a late answer does no harm`() throws {
        let (error, isBonded) = try inRoom(Self.fleet("passkey 123456")) { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            await room.hear(sensor)
            let questions = Mailbox<PairingQuestion>()
            let outcomes = room.begin { () async throws(CentralError) in
                try await room.central.pair(sensor, with: PairingAnswers(ask: { questions.put($0) }))
            }
            let question = await questions.next()
            try await room.dropLink(of: "sensor")
            let error = await outcomes.next() ?? nil
            question?.answer(Passkey(123456))
            await room.hear(sensor)
            try await room.central.pair(sensor, with: PairingAnswers(passkey: Passkey(123456)))
            return (error, await sensor.isBonded)
        }
        #expect(error?.code == .pairingFailed)
        #expect(error?.message.contains("link was lost") == true)
        #expect(isBonded)
    }

    @Test func `a bond is ended on request, whether the device is heard or not`() throws {
        let (events, isBonded, again) = try inRoom { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            await room.hear(sensor)
            try await room.central.pair(sensor)
            let next = await room.makeCentral()
            let same = await next.peripheral(at: Room.sensor)
            try await next.unpair(same)
            let isBonded = await same.isBonded
            var again: CentralError?
            do throws(CentralError) {
                try await next.unpair(same)
            } catch {
                again = error
            }
            await next.close()
            return (try await room.events(), isBonded, again)
        }
        #expect(events == ["connected", "paired", "disconnected"])
        #expect(!isBonded)
        #expect(again?.code == .notFound)
    }

    @Test func `only bluetoothd is answered`() throws {
        let error = try inRoom(Self.fleet("passkey 123456")) { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            await room.hear(sensor)
            // A stranger asks for the passkey, while ours is at hand.
            let stranger = try await Connection.open(room.bus, loop: room.loop)
            await room.central.expectBond(with: sensor, PairingAnswers(passkey: Passkey(123456)))
            try await room.central.pair(sensor, with: PairingAnswers(passkey: Passkey(123456)))
            let names = try await stranger.callBus("ListNames").arguments.first?.texts ?? []
            var errors: Set<String> = []
            for name in names where name.hasPrefix(":") {
                do throws(DBusError) {
                    let call = try Message(
                        call: "RequestPasskey", on: "org.bluez.Agent1", at: "/io/bluefleet/agent", of: name,
                        [.objectPath("/org/bluez/hci0/dev_C0_00_00_00_00_04")])
                    _ = try await stranger.call(call, timeout: .seconds(5))
                    errors.insert("none")
                } catch {
                    errors.insert(error.name)
                }
            }
            await stranger.close()
            return errors
        }
        #expect(error.contains("org.bluez.Error.Rejected"))
        #expect(!error.contains("none"))
    }
}

extension Central {
    fileprivate func isPairing(_ address: Address) -> Bool {
        agent.pairings[address] != nil
    }
}
