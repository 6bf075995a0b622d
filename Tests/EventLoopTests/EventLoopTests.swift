import EventLoop
import Foundation
import System
import Testing

@Suite struct EventLoopTests {
    @Test func `EventLoop.run returns the result of its body`() throws {
        let onLoop = try EventLoop.run { home in home.loop.isCurrent }
        #expect(onLoop)
    }

    @Test func `EventLoop.run throws the error of its body`() {
        struct Broken: Error {}
        #expect(throws: Broken.self) {
            try EventLoop.run { _ in throw Broken() }
        }
    }

    @Test func `EventLoop.run releases its body`() throws {
        final class Token: Sendable {}
        var token: Token? = Token()
        weak let released = token
        try EventLoop.run { [token] _ in _ = token }
        token = nil
        #expect(released == nil)
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

    @Test func `ActorReference calls the actor for its parts, and nothing after the end of the actor`() throws {
        final class Part {
            private(set) var numbers: [Int] = []
            func add(_ number: Int) { numbers.append(number) }
        }
        actor Owner: LoopBound {
            nonisolated let loop: EventLoop
            nonisolated let unownedExecutor: UnownedSerialExecutor
            private let part = Part()
            init(_ loop: EventLoop, _ reference: ActorReference<Owner>) {
                self.loop = loop
                unownedExecutor = loop.asUnownedSerialExecutor()
                reference.set(self)
            }
            nonisolated static func functions(of reference: ActorReference<Owner>) -> (
                add: @Sendable (Int) -> Void, sum: @Sendable (Int, Int) -> Int?
            ) {
                (reference.handler { $0.part.add($1) }, reference.function { $0.part.numbers.reduce($1 + $2, +) })
            }
        }
        try EventLoop.run { home in
            let reference = ActorReference<Owner>()
            let functions = Owner.functions(of: reference)
            functions.add(1)
            #expect(functions.sum(1, 1) == nil)
            withExtendedLifetime(Owner(home.loop, reference)) {
                functions.add(3)
                #expect(functions.sum(1, 2) == 6)
            }
            functions.add(5)
            #expect(functions.sum(1, 2) == nil)
        }
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

    @Test func `a task that yields lets due timers fire and other tasks run`() throws {
        let order = try EventLoop.run(time: .manual) { home in
            var order: [String] = []
            home.loop.schedule(after: .zero) { order.append("timer") }
            for part in 1...2 {
                order.append("part \(part)")
                await home.loop.yield()
            }
            return order
        }
        #expect(order == ["part 1", "timer", "part 2"])
    }

    @Test func `a handler for the time before the loop waits runs once, after the pending timers`() throws {
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

    @Test func `a handler for the end of a turn runs once, after all descriptors of that turn`() throws {
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

    @Test func `a busy loop batches packets and loses none`() throws {
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

    @Test(arguments: [true, false])
    func `only an expected answer ends the pause of a busy loop`(isExpected: Bool) throws {
        // The test waits for the end of the pause only if the packet is not expected.
        let pause = isExpected ? Duration.seconds(60) : .milliseconds(50)
        let duration = try EventLoop.run { home in
            let loop = home.loop
            loop.moderation = pause
            let done = Mailbox<Duration>()
            let ends = try #require(PacketSocket.pair()), other = try #require(PacketSocket.pair())
            let far = PacketSocket(owning: ends.far, on: loop, received: { _ in }, ended: {})
            let idle = [other.near, other.far].map { PacketSocket(owning: $0, on: loop, received: { _ in }, ended: {}) }
            var start: Instant?
            let near = PacketSocket(
                owning: ends.near, on: loop,
                received: { _ in
                    if let start { return done.put(loop.now - start) }
                    guard loop.isBatching else { return far.send([0]) }
                    // The pause follows.
                    loop.beforeWaiting {
                        start = loop.now
                        loop.expectAnswer(on: isExpected ? ends.near : other.near, within: pause)
                        far.send([0])
                    }
                }, ended: {})
            far.send([0])
            let duration = await done.next()
            for socket in idle + [near, far] { socket.close() }
            return duration
        }
        #expect((duration ?? .zero < pause) == isExpected)
    }

    @Test func `an endless stream of packets delays a handler by one moderation pause at most`() throws {
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
                    if loop.isBatching, !isWaiting {
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

    @Test func `a timer does not fire while the manual clock stands still`() throws {
        let fired = try EventLoop.run(time: .manual) { home in
            var fired = false
            home.loop.schedule(after: .milliseconds(1)) { fired = true }
            await home.loop.sleep(for: .zero)
            await home.loop.sleep(for: .zero)
            return fired
        }
        #expect(!fired)
    }

    @Test func `a watched descriptor reports readable and hang-up`() throws {
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

    @Test func `a loop that holds back leaves data unread that can wait, and reports the end of its connection`() throws
    {
        let seen = try EventLoop.run { home in
            let loop = home.loop
            var seen: [String] = []
            let events = Mailbox<Void>()
            let (patient, urgent) = (try StreamPair(), try StreamPair())
            loop.watch(patient.near, for: .readable, canWait: true) {
                seen.append($0.contains(.hangUp) ? "end" : "patient")
                if $0.contains(.hangUp) { loop.unwatch(patient.near) } else { patient.read() }
                events.put(())
            }
            loop.watch(urgent.near, for: .readable) { _ in
                seen.append("urgent")
                urgent.read()
                events.put(())
            }
            loop.holdsBack = true
            patient.write()
            for _ in 0..<3 {
                urgent.write()
                await events.next()
            }
            loop.holdsBack = false
            await events.next()
            loop.holdsBack = true
            patient.closeFar()
            await events.next()
            loop.unwatch(urgent.near)
            return seen
        }
        #expect(seen == ["urgent", "urgent", "urgent", "patient", "end"])
    }

    @Test func `Mailbox keeps the order and ends when it is closed`() throws {
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

    @Test func `a task stays on the loop's thread while it suspends and resumes`() throws {
        let threads = try EventLoop.run { home in
            let mailbox = Mailbox<UInt>()
            home.loop.schedule(after: .zero) { mailbox.put(UInt(pthread_self())) }
            let handler = await mailbox.next()
            // A nonisolated step between two suspensions would run on the thread pool.
            let between = await somewhere(home.loop)
            return [handler, between, UInt(pthread_self())]
        }
        #expect(Set(threads).count == 1)
    }
}

@concurrent private func somewhere(_ loop: EventLoop) async -> UInt {
    UInt(pthread_self())
}

/// The two ends of a stream; tests watch the near one.
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

/// A part of an actor: its timers, tasks and handlers.
@Suite struct LoopPartTests {
    private final class Counter: LoopPart {
        let loop: EventLoop
        private(set) var numbers: [Int] = []
        /// Called after each number.
        var added: () -> Void = {}

        init(loop: EventLoop) {
            self.loop = loop
        }

        func add(_ number: Int) {
            numbers.append(number)
            added()
        }
    }

    @Test func `LoopPart runs timers, tasks and handlers on the loop`() throws {
        let numbers = try EventLoop.run(time: .manual) { home in
            let counter = Counter(loop: home.loop)
            let twice: @Sendable (Int) -> Int? = counter.handler { $0.numbers.isEmpty ? nil : $1 * 2 }
            #expect(twice(4) == nil)
            counter.handler { $0.add($1) }(1)
            counter.handler { $0.add(2) }()
            let events = Mailbox<Void>()
            counter.added = { events.put(()) }
            counter.after(.seconds(5)) { $0.add(3) }
            home.loop.advance(by: .seconds(5))
            await events.next()
            counter.spawn { $0.add(4) }
            await events.next()
            #expect(twice(4) == 8)
            return counter.numbers
        }
        #expect(numbers == [1, 2, 3, 4])
    }

    @Test func `LoopPart does nothing after its end`() throws {
        try EventLoop.run(time: .manual) { home in
            let events = Mailbox<Int>()
            var counter: Counter? = Counter(loop: home.loop)
            counter?.added = { events.put(0) }
            let handler = counter?.handler { $0.add($1) }
            counter?.after(.seconds(1)) { $0.add(1) }
            counter = nil
            handler?(2)
            home.loop.advance(by: .seconds(1))
            await home.loop.sleep(for: .zero)
            #expect(events.count == 0)
        }
    }
}
