import EventLoop
import Foundation
import Testing

@Suite struct EventLoopTests {
    @Test func `a body runs on the loop and hands back its result`() throws {
        let onLoop = try EventLoop.run { home in home.loop.isCurrent }
        #expect(onLoop)
    }

    @Test func `an error of the body comes out`() {
        struct Broken: Error {}
        #expect(throws: Broken.self) {
            try EventLoop.run { _ in throw Broken() }
        }
    }

    @Test func `actors on one loop share one thread`() throws {
        actor Counter {
            nonisolated let unownedExecutor: UnownedSerialExecutor
            var threads: Set<UInt> = []
            init(_ loop: EventLoop) { unownedExecutor = loop.asUnownedSerialExecutor() }
            func note() { threads.insert(UInt(pthread_self())) }
        }
        let threads = try EventLoop.run { home in
            let counters = (0..<8).map { _ in Counter(home.loop) }
            var threads: Set<UInt> = [UInt(pthread_self())]
            for _ in 0..<100 {
                for counter in counters {
                    await counter.note()
                    threads.formUnion(await counter.threads)
                }
            }
            return threads
        }
        #expect(threads.count == 1)
    }

    @Test func `timers fire in the order in which they are due`() throws {
        let order = try EventLoop.run(time: .manual) { home in
            var order: [Int] = []
            let delays = (0..<200).map { ($0 * 7919) % 200 }
            for delay in delays {
                home.loop.schedule(after: .milliseconds(delay)) { order.append(delay) }
            }
            home.loop.schedule(after: .milliseconds(50)) { order.append(-1) }.cancel()
            home.loop.advance(by: .seconds(1))
            await home.loop.sleep(for: .zero)
            return order
        }
        #expect(order == Array(0..<200))
    }

    @Test func `what is to be done before the loop waits is done once, after what is at hand`() throws {
        let order = try EventLoop.run(time: .manual) { home in
            var order: [String] = []
            home.loop.beforeWaiting { order.append("before waiting") }
            home.loop.schedule(after: .zero) { order.append("timer") }
            await home.loop.sleep(for: .zero)
            await home.loop.sleep(for: .zero)
            return order
        }
        #expect(order == ["timer", "before waiting"])
    }

    @Test func `what is to be done after the descriptors is done once, when all have been handled`() throws {
        let order = try EventLoop.run { home in
            var order: [String] = []
            let done = Mailbox<Void>()
            let pairs = try (0..<2).map { _ in try #require(PacketSocket.pair()) }
            let receivers = pairs.map { ends in
                PacketSocket(
                    owning: ends.near, on: home.loop,
                    received: { _ in
                        order.append("descriptor")
                        guard order.count == 1 else { return }
                        home.loop.afterDescriptors {
                            order.append("afterwards")
                            done.put(())
                        }
                    }, ended: {})
            }
            let senders = pairs.map { PacketSocket(owning: $0.far, on: home.loop, received: { _ in }, ended: {}) }
            for sender in senders { sender.send([0]) }
            _ = await done.next()
            for socket in senders + receivers { socket.close() }
            return order
        }
        #expect(order == ["descriptor", "descriptor", "afterwards"])
    }

    @Test func `a busy loop lets things gather, and loses none`() throws {
        let received = try EventLoop.run { home in
            home.loop.moderation = .milliseconds(5)
            var received: [UInt8] = []
            let done = Mailbox<Void>()
            let ends = try #require(PacketSocket.pair())
            let far = PacketSocket(owning: ends.far, on: home.loop, received: { _ in }, ended: {})
            let near = PacketSocket(
                owning: ends.near, on: home.loop,
                received: { packet in
                    received.append(packet[0])
                    if received.count == 20 { done.put(()) } else { far.send([UInt8(received.count)]) }
                }, ended: {})
            far.send([0])
            _ = await done.next()
            near.close()
            far.close()
            return received
        }
        #expect(received == Array(0..<20))
    }

    @Test func `a stream without an end puts nothing off for longer than things may gather`() throws {
        let enough = 200_000
        let count = try EventLoop.run { home in
            let loop = home.loop
            loop.moderation = .milliseconds(5)
            var count = 0
            var isWaiting = false
            let counts = Mailbox<Int>()
            let ends = try #require(PacketSocket.pair())
            let far = PacketSocket(owning: ends.far, on: loop, received: { _ in }, ended: {})
            let near = PacketSocket(
                owning: ends.near, on: loop,
                received: { _ in
                    count += 1
                    if loop.isGathering, !isWaiting {
                        isWaiting = true
                        loop.beforeWaiting { counts.put(count) }
                    }
                    if count < enough { far.send([0]) }
                }, ended: {})
            far.send([0])
            let result = await counts.next()
            near.close()
            far.close()
            return result
        }
        #expect(try #require(count) < enough)
    }

    @Test func `a manual clock stands still`() throws {
        let fired = try EventLoop.run(time: .manual) { home in
            var fired = false
            home.loop.schedule(after: .milliseconds(1)) { fired = true }
            await home.loop.sleep(for: .zero)
            await home.loop.sleep(for: .zero)
            return fired
        }
        #expect(!fired)
    }

    @Test func `a descriptor tells when it is readable and when it hangs up`() throws {
        let seen = try EventLoop.run { home in
            var ends: [Int32] = [0, 0]
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
            defer { close(ends[0]) }
            let mailbox = Mailbox<Readiness>()
            home.loop.watch(ends[0], for: .readable) { mailbox.put($0) }
            write(ends[1], "x", 1)
            let first = await mailbox.next()
            close(ends[1])
            var last = await mailbox.next()
            while last?.contains(.hangUp) == false { last = await mailbox.next() }
            home.loop.unwatch(ends[0])
            return [first, last]
        }
        #expect(seen[0] == .readable)
        #expect(seen[1]?.contains(.hangUp) == true)
    }

    @Test func `a loop that holds back reads nothing that can wait, and hears of its end`() throws {
        let seen = try EventLoop.run { home in
            let loop = home.loop
            var seen: [String] = []
            let told = Mailbox<Void>()
            let (patient, urgent) = (try StreamPair(), try StreamPair())
            loop.watch(patient.near, for: .readable, canWait: true) {
                seen.append($0.contains(.hangUp) ? "end" : "patient")
                if $0.contains(.hangUp) { loop.unwatch(patient.near) } else { patient.read() }
                told.put(())
            }
            loop.watch(urgent.near, for: .readable) { _ in
                seen.append("urgent")
                urgent.read()
                told.put(())
            }
            loop.holdsBack = true
            patient.write()
            for _ in 0..<3 {
                urgent.write()
                await told.next()
            }
            loop.holdsBack = false
            await told.next()
            loop.holdsBack = true
            patient.closeFar()
            await told.next()
            loop.unwatch(urgent.near)
            return seen
        }
        #expect(seen == ["urgent", "urgent", "urgent", "patient", "end"])
    }

    @Test func `a mailbox keeps the order and ends when closed`() throws {
        let received = try EventLoop.run { home in
            let mailbox = Mailbox<Int>()
            (0..<3).forEach(mailbox.put)
            home.loop.schedule(after: .zero) {
                mailbox.put(3)
                mailbox.close()
                mailbox.put(4)
            }
            var received: [Int] = []
            while let element = await mailbox.next() { received.append(element) }
            return received
        }
        #expect(received == [0, 1, 2, 3])
    }

    @Test func `a timestamp reads as ISO 8601`() {
        #expect(Timestamp(milliseconds: 1_795_410_540_123).description == "2026-11-23T05:09:00.123Z")
        #expect(Timestamp(milliseconds: 0).description == "1970-01-01T00:00:00.000Z")
        #expect(Timestamp(milliseconds: -5).description == "1970-01-01T00:00:00.000Z")
    }

    @Test func `a task stays on the thread while it suspends and resumes`() throws {
        let threads = try EventLoop.run { home in
            let mailbox = Mailbox<UInt>()
            home.loop.schedule(after: .zero) { mailbox.put(UInt(pthread_self())) }
            let handler = await mailbox.next()
            // A nonisolated step between two suspensions is where the thread pool would come in.
            let between = await somewhere(home.loop)
            return [handler, between, UInt(pthread_self())]
        }
        #expect(Set(threads).count == 1)
    }
}

@concurrent private func somewhere(_ loop: EventLoop) async -> UInt {
    UInt(pthread_self())
}

/// Two ends of a stream, of which the near one is to be watched.
private final class StreamPair {
    let near: Int32
    private var far: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        let code = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
        try #require(code == 0)
        (near, far) = (ends[0], ends[1])
    }

    deinit {
        close(near)
        closeFar()
    }

    func write() {
        Glibc.write(far, "x", 1)
    }

    func read() {
        var byte: UInt8 = 0
        Glibc.read(near, &byte, 1)
    }

    func closeFar() {
        if far >= 0 { close(far) }
        far = -1
    }
}
