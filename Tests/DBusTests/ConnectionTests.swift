import DBus
import EventLoop
import Glibc
import System
import Testing

@Suite struct ConnectionTests {
    /// Runs `body` with two connections on a bus of its own.
    private func onBus<Success: Sendable>(
        _ body: @escaping @Sendable (isolated LoopActor, Connection, Connection) async throws -> Success
    ) throws -> Success {
        try EventLoop.run { home in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let bus = try await PrivateBus(in: folder.path, on: home.loop)
            let server = try await Connection.open(bus.address, loop: home.loop)
            let client = try await Connection.open(bus.address, loop: home.loop)
            let result: Result<Success, any Error>
            do {
                result = .success(try await body(home, server, client))
            } catch {
                result = .failure(error)
            }
            await client.close()
            await server.close()
            await bus.stop()
            return try result.get()
        }
    }

    static let values: [Variant] = [
        .byte(255), .boolean(true), .boolean(false), .int16(-32768), .uint16(65535), .int32(-1), .uint32(.max),
        .int64(.min), .uint64(.max), .double(21.53), .string("Grüße"), .objectPath("/org/bluez/hci0"),
        .signature("a{sv}"), .bytes([]), .bytes([0, 1, 255]), .strings(["a", "b"]), .array([], of: "a{oa{sv}}"),
        .objectPaths([]), .structure([.byte(1), .string("x")]), .variant(.variant(.bytes([7]))),
        .properties(["Value": .bytes([1]), "Empty": .strings([])]),
        .dictionary([.init(.uint16(0x0499), .variant(.bytes([5])))], key: "q", value: "v"),
        .dictionary([], key: "o", value: "a{sa{sv}}"),
    ]

    @Test func `values of every type are equal after a round trip over the bus`() throws {
        let echoed = try onBus { _, server, client in
            await server.onCall { [unowned server] call in
                server.assumeIsolated { server in
                    if let reply = try? Message(replyingTo: call, call.arguments) { server.send(reply) }
                }
                return true
            }
            try await server.requestName("org.example.Echo")
            let call = try Message(
                call: "Echo", on: "org.example.Echo", at: "/", of: "org.example.Echo", Self.values)
            return try await client.call(call).arguments
        }
        #expect(echoed == Self.values)
    }

    @Test func `at most 64 calls are under way, the others wait and all are answered`() throws {
        let (most, unwanted, answers) = try onBus { home, server, client in
            let calls = Mailbox<Message>()
            await server.onCall { call in
                calls.put(call)
                return true
            }
            try await server.requestName("org.example.Slow")
            let answers = Mailbox<Bool>()
            @Sendable func call(_ isWanted: Bool) {
                Task(executorPreference: home.loop.tasks) {
                    let call = try Message(call: "Wait", on: "org.example.Slow", at: "/", of: "org.example.Slow")
                    do {
                        _ = try await client.call(call) { isWanted }
                        answers.put(true)
                    } catch {
                        answers.put(false)
                    }
                }
            }
            for index in 0..<200 { call(index < 199) }
            // The bus itself answers meanwhile, after the calls that were sent before.
            for _ in 0..<3 { try await client.callBus("GetId") }
            for _ in 0..<3 { try await server.callBus("GetId") }
            let most = calls.count
            var results: [Bool] = []
            while results.count < 200 {
                while calls.count > 0, let call = await calls.next() {
                    await server.send(try Message(replyingTo: call))
                }
                if answers.count > 0, let answer = await answers.next() {
                    results.append(answer)
                } else {
                    await home.loop.sleep(for: .milliseconds(1))
                }
            }
            return (most, results.count { !$0 }, results.count)
        }
        #expect(most == 64)
        #expect(unwanted == 1)
        #expect(answers == 200)
    }

    @Test func `FileDescriptor returns nil for a negative descriptor`() {
        #expect(FileDescriptor(owning: -1).take() == nil)
    }

    @Test func `descriptors of a message that are not taken are closed`() throws {
        let ends = try #require(PacketSocket.pair())
        defer { close(ends.near) }
        let sent = FileDescriptor(owning: ends.far)
        try onBus { _, server, client in
            let received = Mailbox<Int>()
            await client.onSignal { received.put($0.arguments.count) }
            let arguments: [Variant] = [
                .fileDescriptor(sent), .array([.variant(.fileDescriptor(sent))], of: "v"),
            ]
            try await client.requestName("org.example.Client")
            await server.send(
                try Message(
                    signal: "Open", on: "org.example.Door", at: "/", to: "org.example.Client", arguments))
            while await received.next() != 2 {}
        }
        // Only this process is checked. Other processes hold copies for a moment: the bus, and a process that a parallel
        // test has just forked, until it executes its program.
        #expect(Self.copies(of: ends.far) == 1)
        #expect(sent.take().map { close($0) } == 0)
    }

    /// Returns how many descriptors of this process refer to the same socket as `descriptor`.
    private static func copies(of descriptor: Int32) -> Int {
        let socket = inode(of: descriptor)
        return Folder.names(in: "/proc/self/fd").compactMap(Int32.init).count { inode(of: $0) == socket }
    }

    private static func inode(of descriptor: Int32) -> UInt? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? UInt(status.st_ino) : nil
    }

    @Test func `a connection still receives after a signal of 9 MiB`() throws {
        let length = try onBus { _, server, client in
            let lengths = Mailbox<Int>()
            await client.onSignal { lengths.put($0.arguments.first?.bytes?.count ?? 0) }
            try await client.requestName("org.example.Client")
            await server.send(
                try Message(
                    signal: "Large", on: "org.example.Stranger", at: "/", to: "org.example.Client",
                    [.bytes([UInt8](repeating: 0, count: 9 << 20))]))
            while await lengths.next() != 9 << 20 {}
            // A deaf connection would not receive the reply of the bus.
            try await client.callBus("GetId")
            await server.send(
                try Message(
                    signal: "Small", on: "org.example.Stranger", at: "/", to: "org.example.Client", [.bytes([1])]))
            return await lengths.next()
        }
        #expect(length == 1)
    }

    @Test func `a call throws the error that the peer returned`() throws {
        let error = try onBus { _, server, client in
            await server.onCall { [unowned server] call in
                let error = DBusError("org.bluez.Error.InProgress", "Operation already in progress")
                server.assumeIsolated { $0.send(Message(answering: call, with: error)) }
                return true
            }
            try await server.requestName("org.example.Busy")
            do throws(DBusError) {
                let call = try Message(call: "Connect", on: "org.example.Busy", at: "/", of: "org.example.Busy")
                _ = try await client.call(call)
                return nil as DBusError?
            } catch {
                return error
            }
        }
        #expect(error == DBusError("org.bluez.Error.InProgress", "Operation already in progress"))
    }

    @Test func `a missing service, an invalid name and a missing bus are different errors`() throws {
        let names = try onBus { home, _, client in
            var names: [String] = []
            do throws(DBusError) {
                _ = try await client.call(try Message(call: "Get", on: "a.b", at: "/", of: "org.example.Missing"))
            } catch { names.append(error.name) }
            do throws(DBusError) {
                _ = try Message(call: "Get", on: "a.b", at: "not a path", of: "org.example.Missing")
            } catch { names.append(error.name) }
            do throws(DBusError) {
                _ = try Message(call: "Get", on: "a.b", at: "/", of: "a.b", [.string("nul\0")])
            } catch { names.append(error.name) }
            do throws(DBusError) {
                _ = try await Connection.open("unix:path=/nowhere", loop: home.loop)
            } catch { names.append(error.name) }
            return names
        }
        #expect(names[0] == DBusError.serviceUnknown)
        #expect(names[1] == DBusError.invalidArguments)
        #expect(names[2] == DBusError.invalidArguments)
        #expect(names[3].hasPrefix("org.freedesktop.DBus.Error."))
        #expect(names.count == 4)
    }

    @Test func `a released connection with unread messages does not call its handlers`() throws {
        try EventLoop.run { home in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let bus = try await PrivateBus(in: folder.path, on: home.loop)
            let sender = try await Connection.open(bus.address, loop: home.loop)
            var receiver: Connection? = try await Connection.open(bus.address, loop: home.loop)
            let received = Mailbox<Void>()
            let ends = Mailbox<Void>()
            await receiver?.onSignal { _ in received.put(()) }
            await receiver?.onDisconnect { ends.put(()) }
            try await receiver?.addMatch("type='signal',interface='a.b'")
            // More than the loop handles in one turn, so that some are unread when the first is handled.
            for _ in 0..<1000 { await sender.send(try Message(signal: "Sign", on: "a.b", at: "/")) }
            await received.next()
            weak let released = receiver
            receiver = nil
            // The bus answers after it has noticed the end of the connection.
            for _ in 0..<10 { try await sender.callBus("GetId") }
            #expect(released == nil)
            #expect(ends.count == 0)
            await sender.close()
            await bus.stop()
        }
    }

    @Test func `a caller continues before the signals after its reply are handled`() throws {
        let order = try onBus { _, server, client in
            let order = Mailbox<String>()
            try await client.addMatch("type='signal',interface='a.b'")
            await client.onSignal { _ in order.put("signal") }
            await server.onCall { [unowned server] call in
                server.assumeIsolated { server in
                    if let reply = try? Message(replyingTo: call, []) { server.send(reply) }
                    if let signal = try? Message(signal: "Sign", on: "a.b", at: "/") { server.send(signal) }
                }
                return true
            }
            try await server.requestName("org.example.Echo")
            for _ in 0..<200 {
                _ = try await client.call(Message(call: "Echo", on: "a.b", at: "/", of: "org.example.Echo"))
                order.put("reply")
                _ = try await client.callBus("GetId")
            }
            var events: [String] = []
            while events.count < 400, let event = await order.next() { events.append(event) }
            return events
        }
        #expect(order == (0..<200).flatMap { _ in ["reply", "signal"] })
    }

    @Test func `a handler that closes the connection receives no further messages`() throws {
        let (signals, calls) = try onBus { _, server, client in
            let (signals, calls) = (Mailbox<Void>(), Mailbox<Void>())
            try await client.addMatch("type='signal',interface='a.b'")
            try await client.requestName("org.example.Leaver")
            await client.onSignal { [unowned client] message in
                guard message.isSignal("Sign", on: "a.b") else { return }
                signals.put(())
                client.assumeIsolated { $0.close() }
            }
            await client.onCall { _ in
                calls.put(())
                return true
            }
            for _ in 0..<3 { await server.send(try Message(signal: "Sign", on: "a.b", at: "/")) }
            await #expect(throws: DBusError.self) {
                try await server.call(Message(call: "Go", on: "a.b", at: "/", of: "org.example.Leaver"))
            }
            return (signals.count, calls.count)
        }
        #expect(signals == 1)
        #expect(calls == 0)
    }

    @Test func `a handler can release its own connection`() throws {
        /// Holds the connection that its handler releases.
        final class Owner: @unchecked Sendable {
            var connection: Connection?
        }
        try EventLoop.run { home in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let bus = try await PrivateBus(in: folder.path, on: home.loop)
            let sender = try await Connection.open(bus.address, loop: home.loop)
            let owner = Owner()
            owner.connection = try await Connection.open(bus.address, loop: home.loop)
            weak let receiver = owner.connection
            let received = Mailbox<Void>()
            try await owner.connection?.addMatch("type='signal',interface='a.b'")
            await owner.connection?.onSignal { [unowned owner] message in
                guard message.isSignal("Sign", on: "a.b") else { return }
                owner.connection = nil
                received.put(())
            }
            for _ in 0..<3 { await sender.send(try Message(signal: "Sign", on: "a.b", at: "/")) }
            await received.next()
            // The connection exists until its handler has returned.
            await home.loop.sleep(for: .zero)
            #expect(receiver == nil)
            #expect(received.count == 0)
            await sender.close()
            await bus.stop()
        }
    }

    @Test func `a connection ends after 64 calls without a reply`() throws {
        let (codes, isOver) = try onBus { _, server, client in
            await server.onCall { _ in true }
            try await server.requestName("org.example.Mute")
            let ends = Mailbox<Void>()
            await client.onDisconnect { ends.put(()) }
            var names: Set<String> = []
            for _ in 0..<Connection.maximumUnansweredCalls {
                #expect(ends.count == 0)
                do throws(DBusError) {
                    let call = try Message(call: "Connect", on: "org.example.Mute", at: "/", of: "org.example.Mute")
                    _ = try await client.call(call, timeout: .milliseconds(1))
                } catch {
                    names.insert(error.name)
                }
            }
            await ends.next()
            do throws(DBusError) {
                try await client.callBus("GetId")
                return (names, false)
            } catch {
                return (names, error.name == DBusError.disconnected)
            }
        }
        #expect(codes == [DBusError.noReply])
        #expect(isOver)
    }

    @Test func `late replies do not count as unanswered calls`() throws {
        let isUp = try onBus { _, server, client in
            let calls = Mailbox<Message>()
            await server.onCall { call in
                calls.put(call)
                return true
            }
            try await server.requestName("org.example.Slow")
            for _ in 0..<2 * Connection.maximumUnansweredCalls {
                let call = try Message(call: "Connect", on: "org.example.Slow", at: "/", of: "org.example.Slow")
                await #expect(throws: DBusError.self) { try await client.call(call, timeout: .milliseconds(1)) }
                if let call = await calls.next() { await server.send(try Message(replyingTo: call)) }
                // The bus forwards the late reply before it answers these calls.
                try await server.callBus("GetId")
                try await client.callBus("GetId")
            }
            return true
        }
        #expect(isUp)
    }

    @Test func `matching signals arrive in order, before a later reply`() throws {
        let seen = try onBus { _, server, client in
            let mailbox = Mailbox<Int>()
            await client.onSignal { message in
                if message.isSignal("Count", on: "org.example.Counter"), let n = message.arguments.first?.integer {
                    mailbox.put(n)
                }
            }
            try await client.addMatch("type='signal',interface='org.example.Counter'")
            await server.onCall { [unowned server] call in
                server.assumeIsolated { server in
                    for n in 0..<500 {
                        let count = Variant.uint32(UInt32(n))
                        if let signal = try? Message(signal: "Count", on: "org.example.Counter", at: "/", [count]) {
                            server.send(signal)
                        }
                    }
                    if let reply = try? Message(replyingTo: call) { server.send(reply) }
                }
                return true
            }
            try await server.requestName("org.example.Counter")
            _ = try await client.call(
                try Message(call: "Go", on: "org.example.Counter", at: "/", of: "org.example.Counter"))
            mailbox.close()
            var seen: [Int] = []
            while let n = await mailbox.next() { seen.append(n) }
            return seen
        }
        #expect(seen == Array(0..<500))
    }

    @Test func `signals that are sent while the loop holds back arrive afterwards`() throws {
        let seen = try onBus { home, server, client in
            let mailbox = Mailbox<Int>()
            await client.onSignal { if let n = $0.arguments.first?.integer { mailbox.put(n) } }
            try await client.addMatch("type='signal',interface='org.example.Counter'")
            home.loop.holdsBack = true
            for n in 0..<5000 {
                await server.send(
                    try Message(signal: "Count", on: "org.example.Counter", at: "/", [.uint32(UInt32(n))]))
            }
            for _ in 0..<100 { await home.loop.sleep(for: .zero) }
            let early = mailbox.count
            home.loop.holdsBack = false
            var seen: [Int] = []
            while seen.count < 5000, let n = await mailbox.next() { seen.append(n) }
            return [early] + seen
        }
        #expect(seen == [0] + Array(0..<5000))
    }

    @Test func `an unanswered call ends after its timeout, or with the bus`() throws {
        let names = try EventLoop.run { home in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let bus = try await PrivateBus(in: folder.path, on: home.loop)
            let server = try await Connection.open(bus.address, loop: home.loop)
            let client = try await Connection.open(bus.address, loop: home.loop)
            let calls = Mailbox<Void>()
            await server.onCall { _ in
                calls.put(())
                return true
            }
            try await server.requestName("org.example.Silent")
            var names: [String] = []
            do throws(DBusError) {
                _ = try await client.call(
                    try Message(call: "Wait", on: "a.b", at: "/", of: "org.example.Silent"),
                    timeout: .milliseconds(20))
            } catch { names.append(error.name) }
            let disconnected = Mailbox<Void>()
            await client.onDisconnect { disconnected.put(()) }
            let waiting = Task(executorPreference: home.loop.tasks) { () async -> String in
                do throws(DBusError) {
                    _ = try await client.call(
                        try Message(call: "Wait", on: "a.b", at: "/", of: "org.example.Silent"), timeout: nil)
                    return "answered"
                } catch {
                    return error.name
                }
            }
            for _ in 1...2 { await calls.next() }
            await bus.stop()
            names.append(await waiting.value)
            await disconnected.next()
            do throws(DBusError) {
                try await client.callBus("GetId")
            } catch { names.append(error.name) }
            await server.close()
            return names
        }
        #expect(names == [DBusError.noReply, DBusError.disconnected, DBusError.disconnected])
    }
}
