import EventLoop
import Foundation
import MQTT
import System
import TestSupport
import TestTraits
import Testing

@testable import bluefleet

@Suite(.ownThreads) struct PrivateBrokerTests {
    @Test func `two brokers run in parallel, transport messages, and leave no files`() throws {
        let path = try EventLoop.run { home in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let first = try await PrivateBroker(in: folder, on: home.loop)
            let second = try await PrivateBroker(in: folder, on: home.loop)
            #expect(first.port != second.port)
            #expect(try await echo(through: first, home.loop) == Array("21.53".utf8))
            await first.stop()
            await second.stop()
            #expect(!LoopbackPort(number: first.port).isOpen)
            #expect(!LoopbackPort(number: second.port).isOpen)
            return folder.path
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a broker that never accepts connections is stopped`() throws {
        try EventLoop.run { home in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let program = try folder.program("exec sleep infinity", named: "broker")
            let error = await #expect(throws: SystemError.self) {
                _ = try await PrivateBroker(in: folder, running: program, within: .milliseconds(1), on: home.loop)
            }
            #expect(error?.description == "\(program) does not accept connections")
        }
    }

    @Test func `an unused port accepts no connections`() throws {
        #expect(try !LoopbackPort.unused().isOpen)
    }

    /// Publishes a message and returns the received payload.
    private func echo(
        through broker: PrivateBroker, _ loop: EventLoop, isolation: isolated (any Actor)? = #isolation
    ) async throws -> [UInt8]? {
        let received = Mailbox<[UInt8]>()
        let endpoint = Endpoint.tcp(host: "127.0.0.1", port: broker.port)
        let client = try Client(Client.Settings(endpoint, identifier: "test"), on: loop) { event in
            if case .received(let message) = event { received.put(message.payload) }
        }
        client.subscribe(to: "cellar/#")
        client.start()
        client.publish(Message("cellar/temperature", Array("21.53".utf8), isRetained: true), policy: .latest)
        let payload = await received.next()
        await client.close()
        return payload
    }
}
