import Foundation
import TestSupport
import Testing

@Suite struct PairTests {
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

    @Test func `a bond is made and ended`() throws {
        let house = try Self.house("just works")
        let pair = try house.run("pair", "C0:00:00:00:00:01")
        #expect(pair.status == 0)
        #expect(pair.output == "C0:00:00:00:00:01 is paired\n")
        #expect(try house.run("unpair", "C0:00:00:00:00:01").output == "C0:00:00:00:00:01 is no longer paired\n")
        let again = try house.run("unpair", "C0:00:00:00:00:01")
        #expect(again.status == 69)
        #expect(again.error.contains("there is no bond with it"))
    }

    @Test func `a script gives the passkey, and a wrong one is refused`() throws {
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

    @Test func `a passkey to be entered at the device is told`() throws {
        let pair = try Self.house("display").run("pair", "C0:00:00:00:00:01")
        #expect(pair.status == 0)
        #expect(pair.error.wholeMatch(of: /Enter \d{6} at the device.\n/) != nil)
    }

    /// Somebody who pairs with the lock at a terminal.
    private struct Person {
        let house: SimulatedHouse
        let terminal: Pseudoterminal
        let pair: RunningBluefleet

        init(_ pairing: String) throws {
            house = try PairTests.house(pairing)
            terminal = try Pseudoterminal(columns: 80, rows: 24)
            pair = try RunningBluefleet(["pair", "C0:00:00:00:00:01", "--bus", house.bus], at: terminal)
        }
    }

    @Test func `the terminal asks for the passkey, once more where it is none`() throws {
        let person = try Person("passkey 012345")
        #expect(person.terminal.next(until: "digits: ").contains("The passkey of C0:00:00:00:00:01, six digits: "))
        person.terminal.type("twelve")
        #expect(person.terminal.next(until: "digits: ").contains("six digits: "))
        person.terminal.type("012345")
        #expect(person.pair.output.rest() == "C0:00:00:00:00:01 is paired\n")
        #expect(person.pair.exit() == 0)
    }

    @Test func `the terminal asks whether both sides show one number`() throws {
        let person = try Person("compare 654321")
        #expect(person.terminal.next(until: "[y/n] ").contains("Does C0:00:00:00:00:01 show 654321, too? [y/n] "))
        person.terminal.type("y")
        #expect(person.pair.output.rest() == "C0:00:00:00:00:01 is paired\n")
        #expect(person.pair.exit() == 0)
    }

    @Test func `who says no to a number gets no bond`() throws {
        let person = try Person("compare 654321")
        _ = person.terminal.next(until: "[y/n] ")
        person.terminal.type("n")
        #expect(person.pair.exit() == 77)
    }

    @Test func `Ctrl-C in place of an answer ends it`() throws {
        let person = try Person("passkey 012345")
        _ = person.terminal.next(until: "digits: ")
        person.pair.send(SIGINT)
        #expect(person.pair.exit() == 130)
    }

    @Test func `where nobody can be asked, it says how to answer`() throws {
        let pair = try Self.house("passkey 012345").run("pair", "C0:00:00:00:00:01")
        #expect(pair.status == 77)
        #expect(pair.error.contains("--passkey"))
    }
}
