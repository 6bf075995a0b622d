import Bluetooth
import DBus
import EventLoop
import Simulator
import TestTraits
import Testing

@testable import BlueZ

/// Bonds and the methods of pairing.
@Suite(.ownThreads) struct PairingTests {
    /// The outcome of a pairing with the sensor.
    private struct Outcome: Sendable {
        var error: CentralError?
        /// The questions that were asked, and what was displayed.
        var asked: [String] = []
        var isBonded = false
    }

    private static func fleet(_ pairing: String) -> String {
        oneSensor.replacing("advertise: {services", with: "pairing: \(pairing)\n    advertise: {services")
    }

    /// Pairs with the sensor.
    ///
    /// - Parameters:
    ///   - pairing: The sensor's method of pairing.
    ///   - passkey: The passkey that answers the question in advance, 0 to 999999; nil: none.
    ///   - reply: Returns the answer to a question; nil: questions are not answered.
    ///   - preparation: Called with the fixture before the pairing.
    /// - Returns: The questions, the error of the pairing, and whether there is a bond.
    /// - Throws: The error of `preparation` or of the fixture.
    private static func pair(
        _ pairing: String, passkey: Int? = nil, reply: (@Sendable (PairingQuestion.Subject) -> Passkey?)? = nil,
        _ preparation: @escaping @Sendable (Fixture) async throws -> Void = { _ in }
    ) throws -> Outcome {
        try withFixture(fleet(pairing)) { _, fixture in
            try await preparation(fixture)
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            await fixture.waitForSighting(of: sensor)
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
                try await fixture.central.pair(sensor, with: answers)
            } catch {
                outcome.error = error
            }
            asked.close()
            while let text = await asked.next() { outcome.asked.append(text) }
            outcome.isBonded = await sensor.isBonded
            return outcome
        }
    }

    @Test func `pair with Just Works asks no question`() throws {
        let outcome = try Self.pair("just works")
        #expect(outcome.error == nil)
        #expect(outcome.isBonded)
    }

    @Test func `the agent for expected bonds is registered again after bluetoothd has restarted`() throws {
        let errors = try withFixture(Self.fleet("passkey 012345")) { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            await fixture.central.expectBond(with: sensor, PairingAnswers(passkey: Passkey(12345)))
            await fixture.simulation.stopBluetoothd()
            while await fixture.central.state != .resetting { await fixture.loop.sleep(for: .milliseconds(1)) }
            try await fixture.simulation.startBluetoothd()
            while await fixture.central.state != .poweredOn { await fixture.loop.sleep(for: .milliseconds(1)) }
            await fixture.waitForSighting(of: sensor)
            // For a client without an agent bluetoothd asks the default agent, which is that of the central.
            let otherClient = try await Connection.open(fixture.bus, loop: fixture.loop)
            var errors = 0
            while await !sensor.isBonded, errors < 1000 {
                do throws(DBusError) {
                    let call = try Message(
                        call: "Pair", on: "org.bluez.Device1", at: "/org/bluez/hci0/dev_C0_00_00_00_00_04",
                        of: "org.bluez")
                    _ = try await otherClient.call(call)
                } catch {
                    // It takes a moment until the agent is registered.
                    errors += 1
                    await fixture.loop.sleep(for: .milliseconds(1))
                }
            }
            await otherClient.close()
            return errors
        }
        #expect(errors < 1000)
    }

    @Test func `pair enters a known passkey, and fails if it is wrong`() throws {
        let right = try Self.pair("passkey 012345", passkey: 12345)
        #expect(right.error == nil)
        #expect(right.isBonded)
        let wrong = try Self.pair("passkey 123456", passkey: 654321)
        #expect(wrong.error?.code == .pairingFailed)
        #expect(wrong.error?.message.contains("passkey") == true)
        #expect(!wrong.isBonded)
    }

    @Test func `pair asks for an unknown passkey`() throws {
        let given = try Self.pair("passkey 123456", reply: { _ in Passkey(123456) })
        #expect(given.asked == ["passkey"])
        #expect(given.isBonded)
        let refused = try Self.pair("passkey 123456", reply: { _ in nil })
        #expect(refused.error?.code == .pairingFailed)
        #expect(try Self.pair("passkey 123456").error?.code == .pairingFailed)
    }

    @Test func `pair displays a passkey that must be entered at the peripheral`() throws {
        let outcome = try Self.pair("display", reply: { _ in nil })
        #expect(outcome.asked == ["display 6 digits"])
        #expect(outcome.isBonded)
    }

    @Test func `pair confirms a comparison only with the same number`() throws {
        let same = try Self.pair("compare 004711", reply: { _ in Passkey(4711) })
        #expect(same.asked == ["comparison(004711)"])
        #expect(same.isBonded)
        let other = try Self.pair("compare 004711", reply: { _ in Passkey(4712) })
        #expect(other.error?.code == .pairingFailed)
        #expect(!other.isBonded)
        #expect(try Self.pair("compare 004711", reply: { _ in nil }).error?.code == .pairingFailed)
    }

    @Test func `pair leaves an existing bond as it is`() throws {
        let events = try withFixture(Self.fleet("just works")) { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            await fixture.waitForSighting(of: sensor)
            try await fixture.central.pair(sensor)
            try await fixture.central.pair(sensor)
            return try await fixture.events()
        }
        #expect(events == ["connected", "paired"])
    }

    @Test func `pair times out, and the next pairing works`() throws {
        let (error, isBonded) = try withFixture { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            await fixture.waitForSighting(of: sensor)
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.plan(Fault.Rule(.pairingHangs, times: 1), for: "sensor")
            }
            var failure: CentralError?
            do throws(CentralError) {
                try await fixture.central.pair(sensor, within: .milliseconds(50))
            } catch {
                failure = error
            }
            try await fixture.central.pair(sensor)
            return (failure, await sensor.isBonded)
        }
        #expect(error?.code == .timeout)
        #expect(isBonded)
    }

    @Test func `pair does not wait for another pairing if there is a bond`() throws {
        let error = try withFixture { _, fixture in
            let (sensor, other) = (
                await fixture.central.peripheral(at: Fixture.sensor),
                await fixture.central.peripheral(at: Fixture.other)
            )
            await fixture.waitForSighting(of: other)
            try await fixture.central.pair(other)
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.plan(Fault.Rule(.pairingHangs), for: "sensor")
            }
            await fixture.waitForSighting(of: sensor)
            let outcomes = fixture.begin { () async throws(CentralError) in try await fixture.central.pair(sensor) }
            while await !fixture.central.isPairing(Fixture.sensor) { await fixture.loop.sleep(for: .milliseconds(1)) }
            try await fixture.central.pair(other)
            #expect(await fixture.central.isPairing(Fixture.sensor))
            try await fixture.central.cancelConnection(sensor)
            return await outcomes.next() ?? nil
        }
        #expect(error != nil)
    }

    @Test func `a question ends with the connection, and a late answer has no effect`() throws {
        let (error, isBonded) = try withFixture(Self.fleet("passkey 123456")) { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            await fixture.waitForSighting(of: sensor)
            let questions = Mailbox<PairingQuestion>()
            let outcomes = fixture.begin { () async throws(CentralError) in
                try await fixture.central.pair(sensor, with: PairingAnswers(ask: { questions.put($0) }))
            }
            let question = await questions.next()
            try await fixture.dropLink(of: "sensor")
            let error = await outcomes.next() ?? nil
            question?.answer(Passkey(123456))
            await fixture.waitForSighting(of: sensor)
            try await fixture.central.pair(sensor, with: PairingAnswers(passkey: Passkey(123456)))
            return (error, await sensor.isBonded)
        }
        #expect(error?.code == .peripheralDisconnected)
        #expect(error?.message.contains("connection was lost") == true)
        #expect(isBonded)
    }

    @Test func `unpair ends a bond, even if the device was not seen`() throws {
        let (events, isBonded, again) = try withFixture { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            await fixture.waitForSighting(of: sensor)
            try await fixture.central.pair(sensor)
            let next = await fixture.makeCentral()
            let same = await next.peripheral(at: Fixture.sensor)
            try await next.unpair(same)
            let isBonded = await same.isBonded
            var again: CentralError?
            do throws(CentralError) {
                try await next.unpair(same)
            } catch {
                again = error
            }
            await next.close()
            return (try await fixture.events(), isBonded, again)
        }
        #expect(events == ["connected", "paired", "disconnected"])
        #expect(!isBonded)
        #expect(again?.code == .notFound)
    }

    @Test func `PairingAgent rejects calls of programs other than bluetoothd`() throws {
        let error = try withFixture(Self.fleet("passkey 123456")) { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            await fixture.waitForSighting(of: sensor)
            // Another client asks for the passkey while there is an answer.
            let otherClient = try await Connection.open(fixture.bus, loop: fixture.loop)
            await fixture.central.expectBond(with: sensor, PairingAnswers(passkey: Passkey(123456)))
            try await fixture.central.pair(sensor, with: PairingAnswers(passkey: Passkey(123456)))
            let names = try await otherClient.callBus("ListNames").arguments.first?.texts ?? []
            var errors: Set<String> = []
            for name in names where name.hasPrefix(":") {
                do throws(DBusError) {
                    let call = try Message(
                        call: "RequestPasskey", on: "org.bluez.Agent1", at: "/io/bluefleet/agent", of: name,
                        [.objectPath("/org/bluez/hci0/dev_C0_00_00_00_00_04")])
                    _ = try await otherClient.call(call, timeout: .seconds(5))
                    errors.insert("none")
                } catch {
                    errors.insert(error.name)
                }
            }
            await otherClient.close()
            return errors
        }
        #expect(error.contains("org.bluez.Error.Rejected"))
        #expect(!error.contains("none"))
    }
}

extension Central {
    fileprivate func isPairing(_ address: Address) -> Bool {
        bonds.agent.pairings[address] != nil
    }
}
