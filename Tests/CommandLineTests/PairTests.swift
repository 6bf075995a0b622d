import Foundation
import System
import TestSupport
import TestTraits
import Testing

@Suite(.ownThreads) struct PairTests {
    private static func house(_ pairing: String) throws -> SimulatedHouse {
        try SimulatedHouse(
            """
            peripherals:
              lock:
                address: C0:00:00:00:00:01
                pairing: \(pairing)
                services:
                  - uuid: 181A
                    characteristics: [{uuid: temperature, flags: [encrypt-read], value: 21}]
            """)
    }

    @Test func `pair creates a bond and unpair removes it`() throws {
        let house = try Self.house("just works")
        let pair = try house.run("pair", "C0:00:00:00:00:01")
        #expect(pair.status == 0)
        #expect(pair.output == "C0:00:00:00:00:01 is paired\n")
        #expect(try house.run("unpair", "C0:00:00:00:00:01").output == "C0:00:00:00:00:01 is no longer paired\n")
        let again = try house.run("unpair", "C0:00:00:00:00:01")
        #expect(again.status == 69)
        #expect(again.error.contains("there is no bond"))
    }

    @Test func `--passkey gives the passkey, and a wrong one is rejected`() throws {
        let house = try Self.house("passkey 012345")
        #expect(try house.run("pair", "C0:00:00:00:00:01", "--passkey", "999999").status == 77)
        let pair = try house.run("pair", "C0:00:00:00:00:01", "--passkey", "012 345", "--json")
        #expect(pair.output == #"{"address":"C0:00:00:00:00:01","paired":true}"# + "\n")
        for passkey in ["12", "1234567"] {
            let refused = try house.run("pair", "C0:00:00:00:00:01", "--passkey", passkey)
            #expect(refused.status == 64)
            #expect(refused.error.contains("--passkey: expected six digits, found '\(passkey)'"))
        }
    }

    @Test func `pair uses the configured passkey, and names its file if it is wrong`() throws {
        let house = try Self.house("passkey 012345")
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let (file, configuration) = ("\(folder.path)/passkey", "\(folder.path)/bluefleet.yaml")
        let device = "devices: {lock: {address: C0:00:00:00:00:01, pair: true, passkey_file: \(file)}}"
        try device.write(toFile: configuration, atomically: true, encoding: .utf8)
        let missing = try house.run("pair", "lock", "--config", configuration)
        #expect(missing.status == 77)
        #expect(missing.error.contains("passkey_file: ") && missing.error.contains(file))
        try "999999\n".write(toFile: file, atomically: true, encoding: .utf8)
        let wrong = try house.run("pair", "lock", "--config", configuration)
        #expect(wrong.status == 77)
        #expect(wrong.error.contains("the passkey is in passkey_file: \(file)"))
        try "012345\n".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try house.run("pair", "lock", "--config", configuration).status == 0)
    }

    @Test func `a passkey for the device is shown`() throws {
        let pair = try Self.house("display").run("pair", "C0:00:00:00:00:01")
        #expect(pair.status == 0)
        #expect(pair.error.wholeMatch(of: /Enter the passkey \d{6} at the device.\n/) != nil)
    }

    /// A user who pairs with the lock at a terminal.
    private struct User {
        let house: SimulatedHouse
        let terminal: Pseudoterminal
        let pair: RunningBluefleet

        init(_ pairing: String) throws {
            house = try PairTests.house(pairing)
            terminal = try Pseudoterminal(columns: 80, rows: 24)
            pair = try RunningBluefleet(["pair", "C0:00:00:00:00:01", "--bus", house.bus], at: terminal)
        }
    }

    @Test func `the terminal asks for the passkey again after an invalid one`() throws {
        let user = try User("passkey 012345")
        #expect(user.terminal.next(until: "digits: ").contains("The passkey of C0:00:00:00:00:01, six digits: "))
        user.terminal.type("twelve")
        #expect(user.terminal.next(until: "digits: ").contains("six digits: "))
        user.terminal.type("012345")
        #expect(user.pair.output.rest() == "C0:00:00:00:00:01 is paired\n")
        #expect(user.pair.exit() == 0)
    }

    @Test func `the terminal asks whether both sides show the same number`() throws {
        let user = try User("compare 654321")
        #expect(user.terminal.next(until: "[y/n] ").contains("Does C0:00:00:00:00:01 also show 654321? [y/n] "))
        user.terminal.type("y")
        #expect(user.pair.output.rest() == "C0:00:00:00:00:01 is paired\n")
        #expect(user.pair.exit() == 0)
    }

    @Test func `a rejected number creates no bond`() throws {
        let user = try User("compare 654321")
        _ = user.terminal.next(until: "[y/n] ")
        user.terminal.type("n")
        #expect(user.pair.exit() == 77)
    }

    @Test func `Ctrl-C ends pair while it asks`() throws {
        let user = try User("passkey 012345")
        _ = user.terminal.next(until: "digits: ")
        user.pair.send(SIGINT)
        #expect(user.pair.exit() == 130)
    }

    @Test func `without a terminal, the message names --passkey`() throws {
        let pair = try Self.house("passkey 012345").run("pair", "C0:00:00:00:00:01")
        #expect(pair.status == 77)
        #expect(pair.error.contains("--passkey"))
    }
}
