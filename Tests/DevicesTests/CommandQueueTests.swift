import Codec
import Configuration
import JSON
import System
import Testing

@testable import Contract
@testable import Devices

@Suite struct CommandQueueTests {
    /// A queue whose commands are named by text, and the responses that it has sent.
    private struct Scenario {
        var queue = CommandQueue<String>(device: "relay")
        /// The responses so far: the name of the command, and `ok` or the code of the error.
        var responses: [String] = []
        /// The executions so far that have not been reported as ended.
        var executions: [(command: DeviceCommand, token: OperationToken)] = []
        /// The events for the session so far.
        var events: [SessionEvent] = []
        /// The identifiers of the commands whose time to live is running.
        var timers: [Int] = []
        /// The other actions so far.
        var others: [String] = []

        mutating func callAsFunction(_ event: CommandQueue<String>.Event) {
            for action in queue.handle(event) {
                switch action {
                case .respond(let name, .success): responses.append("\(name): ok")
                case .respond(let name, .failure(let error)): responses.append("\(name): \(error.code.rawValue)")
                case .execute(let accepted, let token): executions.append((accepted.command, token))
                case .executeNext: self(.ready)
                case .scheduleExpiry(let identifier, _): timers.append(identifier)
                case .cancelExpiry(let identifier): timers.removeAll { $0 == identifier }
                case .process(let event): events.append(event)
                case .pairRequested: others.append("pair requested")
                case .pairEnded: others.append("pair ended")
                }
            }
        }

        mutating func receive(_ command: DeviceCommand, _ name: String) {
            self(.received(AcceptedCommand(command), name, timeToLive: .seconds(60)))
        }

        /// Ends the first execution.
        mutating func end(_ outcome: CommandQueue<String>.Outcome = .finished(.success(.null))) {
            self(.executed(executions.removeFirst().token, outcome))
        }
    }

    @Test func `CommandQueue executes one command at a time, in order of arrival`() {
        var scenario = Scenario()
        scenario.receive(.read("a"), "first")
        scenario.receive(.read("b"), "second")
        scenario(.ready)
        scenario(.ready)
        #expect(scenario.executions.map(\.command.characteristic) == ["a"])
        scenario.end()
        #expect(scenario.responses == ["first: ok"])
        #expect(scenario.executions.map(\.command.characteristic) == ["b"])
        scenario.end()
        #expect(scenario.responses == ["first: ok", "second: ok"])
        #expect(scenario.events == [.commandQueued, .commandQueued, .commandFinished, .commandFinished])
        #expect(scenario.timers.isEmpty && scenario.executions.isEmpty)
        // No command is being executed: the next one is executed at once.
        scenario.receive(.read("c"), "third")
        scenario(.ready)
        #expect(scenario.executions.map(\.command.characteristic) == ["c"])
    }

    @Test func `CommandQueue rejects the 33rd request with busy`() {
        var scenario = Scenario()
        for number in 1...31 { scenario.receive(.read("a"), "\(number)") }
        scenario.receive(.collect, "32")
        #expect(scenario.responses.isEmpty)
        scenario.receive(.connect, "33")
        scenario.receive(.collect, "34")
        #expect(scenario.responses == ["33: busy", "34: busy"])
        #expect(scenario.timers.count == 32)
    }

    @Test func `CommandQueue rejects the 33rd request to disconnect, and each one expires`() {
        var scenario = Scenario()
        for number in 1...33 { scenario(.disconnectRequested("\(number)", timeToLive: .seconds(1))) }
        #expect(scenario.responses == ["33: busy"])
        #expect(scenario.timers.count == 32)
        scenario.receive(.read("a"), "34")
        #expect(scenario.responses.last == "34: busy")
        for timer in scenario.timers { scenario(.expired(timer)) }
        #expect(scenario.responses.suffix(32) == (1...32).map { "\($0): expired" })
        #expect(!scenario.queue.isDisconnecting)
        scenario(.disconnected(.null))
        #expect(scenario.responses.count == 34)
    }

    @Test func `a set supersedes an earlier one of the same characteristic, also in a full queue`() {
        var scenario = Scenario()
        for number in 1...31 { scenario.receive(.write("a", 1, nil), "\(number)") }
        scenario.receive(.set("a", 1), "32")
        scenario.receive(.set("a", 2), "33")
        #expect(scenario.responses == ["32: superseded"])
        scenario.receive(.set("b", 2), "34")
        #expect(scenario.responses == ["32: superseded", "34: busy"])
        // A superseded command counts as finished after the new one counts as queued.
        #expect(scenario.events.suffix(2) == [.commandQueued, .commandFinished])
    }

    @Test func `a set supersedes only an earlier one with the same op code`() {
        var scenario = Scenario()
        scenario.receive(.set("a", 1, operation: "start"), "1")
        scenario.receive(.set("a", 2, operation: "stop"), "2")
        scenario.receive(.set("a", 3), "3")
        #expect(scenario.responses.isEmpty)
        scenario.receive(.set("a", 4, operation: "start"), "4")
        #expect(scenario.responses == ["1: superseded"])
    }

    @Test func `the op code of a value is the named number on which other fields depend`() throws {
        let characteristics = try Configuration(
            yaml: """
                devices:
                  pump:
                    address: C0:00:00:00:00:01
                    characteristics:
                      control:
                        uuid: 7e400002-b5a3-f393-e0a9-e50e24dcca9e
                        format:
                          - {name: op, type: uint8, values: {0: start, 1: set_pressure}}
                          - {name: pressure, type: uint8, when: op = set_pressure}
                      mode:
                        uuid: 7e400003-b5a3-f393-e0a9-e50e24dcca9e
                        format: [{name: mode, type: uint8, values: {0: eco, 1: boost}}, {name: level, type: uint8}]
                """
        ).devices[0].characteristics
        let formats = Dictionary(uniqueKeysWithValues: characteristics.map { ($0.name, $0.meaning) })
        let control = try #require(formats["control"] ?? nil)
        #expect(control.operation(in: ["op": "set_pressure", "pressure": 2]) == "set_pressure")
        #expect(control.operation(in: ["hex": "00"]) == nil)
        #expect(control.operation(in: 1) == nil)
        let mode = try #require(formats["mode"] ?? nil)
        #expect(mode.operation(in: ["mode": "eco", "level": 1]) == nil)
    }

    @Test func `a set that is being executed is not superseded`() {
        var scenario = Scenario()
        scenario.receive(.set("a", 1), "first")
        scenario(.ready)
        scenario.receive(.set("a", 2), "second")
        scenario.end()
        #expect(scenario.responses == ["first: ok"])
    }

    @Test func `a queued command expires, an executed one is answered by its result`() {
        var scenario = Scenario()
        scenario.receive(.read("a"), "first")
        scenario.receive(.read("b"), "second")
        scenario.receive(.collect, "third")
        scenario(.ready)
        for identifier in scenario.timers { scenario(.expired(identifier)) }
        #expect(scenario.responses == ["second: expired", "third: expired"])
        scenario.end()
        #expect(scenario.responses.last == "first: ok")
        #expect(scenario.executions.isEmpty)
    }

    @Test func `a command without side effects is executed again when the services change`() {
        var scenario = Scenario()
        scenario.receive(.read("a"), "first")
        scenario(.ready)
        scenario(.servicesChanged)
        scenario(.ready)
        #expect(scenario.executions.count == 2)
        // The result of the first execution is ignored.
        scenario.end(.finished(.failure(RequestError(.failed, ""))))
        #expect(scenario.responses.isEmpty)
        scenario.end()
        #expect(scenario.responses == ["first: ok"])
    }

    @Test func `a write is not executed again when the services change`() {
        var scenario = Scenario()
        scenario.receive(.write("a", 1, nil), "first")
        scenario(.ready)
        scenario(.servicesChanged)
        scenario(.ready)
        #expect(scenario.executions.count == 1)
        scenario.end()
        #expect(scenario.responses == ["first: ok"])
    }

    @Test func `a repeated command waits for the next connection, and expires if its time to live has ended`() {
        var scenario = Scenario()
        scenario.receive(.read("a"), "first")
        scenario(.ready)
        scenario.end(.repeated)
        #expect(scenario.executions.isEmpty && scenario.responses.isEmpty)
        scenario(.ready)
        #expect(scenario.executions.count == 1)
        scenario(.expired(scenario.timers[0]))
        #expect(scenario.responses.isEmpty)
        scenario.end(.repeated)
        #expect(scenario.responses == ["first: expired"])
    }

    @Test func `CommandQueue returns the encoded bytes of a write with each execution`() {
        var queue = CommandQueue<String>(device: "relay")
        _ = queue.handle(.received(AcceptedCommand(.write("a", 1, nil), bytes: [1]), "first", timeToLive: .seconds(60)))
        func execute() -> ([UInt8], OperationToken)? {
            guard case .execute(let accepted, let token)? = queue.handle(.ready).first else { return nil }
            return (accepted.bytes, token)
        }
        let first = execute()
        #expect(first?.0 == [1])
        if let token = first?.1 { _ = queue.handle(.executed(token, .repeated)) }
        #expect(execute()?.0 == [1])
    }

    @Test func `aborted fails all commands, and the result of the executed one is ignored`() {
        var scenario = Scenario()
        scenario.receive(.read("a"), "first")
        scenario.receive(.collect, "second")
        scenario(.ready)
        scenario(.aborted(.bluetoothOff, reason: "off"))
        #expect(scenario.responses == ["first: bluetooth_off", "second: bluetooth_off"])
        scenario.end()
        #expect(scenario.responses.count == 2 && scenario.timers.isEmpty)
        // Only commands that need the connection count for the session.
        #expect(scenario.events == [.commandQueued, .collectRequested, .commandFinished])
    }

    @Test func `the end of a collecting session answers the requests to collect only`() {
        var scenario = Scenario()
        scenario.receive(.collect, "first")
        scenario.receive(.read("a"), "second")
        scenario.receive(.collect, "third")
        scenario(.collected(.success(.null)))
        #expect(scenario.responses == ["first: ok", "third: ok"])
    }

    @Test func `a request to disconnect is answered once, when the connection is down`() {
        var scenario = Scenario()
        scenario(.disconnectRequested("first", timeToLive: .seconds(60)))
        scenario(.disconnectRequested("second", timeToLive: .seconds(60)))
        #expect(scenario.queue.isDisconnecting && scenario.responses.isEmpty)
        scenario(.disconnected(.null))
        scenario(.disconnected(.null))
        #expect(scenario.responses == ["first: ok", "second: ok"])
        #expect(!scenario.queue.isDisconnecting)
    }

    @Test func `a failed pairing answers all commands to pair only`() {
        var scenario = Scenario()
        scenario.receive(.pair(nil), "first")
        scenario.receive(.read("a"), "second")
        #expect(scenario.queue.pairCommand != nil)
        scenario.receive(.pair(nil), "third")
        scenario(.pairingFailed(RequestError(.failed, "")))
        #expect(scenario.responses == ["first: failed", "third: failed"])
        #expect(scenario.others == ["pair requested", "pair requested", "pair ended", "pair ended"])
        #expect(scenario.queue.pairCommand == nil)
    }
}
