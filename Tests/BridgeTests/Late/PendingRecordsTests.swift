import Spool
import System
import Testing

@testable import Bridge

@Suite struct PendingRecordsTests {
    private func record(_ text: String) -> SpoolRecord {
        SpoolRecord(
            broker: "b", topic: "t", payload: Array(text.utf8), isBare: false, time: Timestamp(milliseconds: 0),
            moment: Instant(nanoseconds: 0))
    }

    @Test func `without the disk, messages of other gateways are dropped, and unknown ones wait`() {
        var pending = PendingRecords()
        for text in ["1", "2", "3"] { pending.add(record(text), key: nil) }
        let size = pending.size
        let taken = pending.takeOldest(9, of: "b") { record in
            switch record.payload {
            case [0x31]: .drop
            case [0x32]: .wait
            default: .send
            }
        }
        #expect(taken.map(\.payload) == [[0x33]])
        #expect(pending.count == 1 && pending.size == size / 3)
    }

    private func key(_ place: Int) -> PendingRecords.Key { PendingRecords.Key(publisher: 1, place: place) }

    @Test func `a message that the broker accepts before it is written is not written`() {
        var pending = PendingRecords()
        pending.add(record("1"), key: nil)
        pending.add(record("2"), key: key(2))
        pending.settle(key(2))
        #expect(pending.take().map(\.payload) == [[0x31]])
        pending.written([10])
        #expect(!pending.hasWork && pending.isEmpty && pending.size == 0)
    }

    @Test func `a message that the broker accepts during or after the writing is removed from the disk`() {
        var pending = PendingRecords()
        for place in 1...3 { pending.add(record("\(place)"), key: key(place)) }
        #expect(pending.take().count == 3)
        pending.settle(key(2))
        pending.written([11, 12, 13])
        pending.settle(key(3))
        #expect(pending.takeAccepted() == [12, 13])
    }

    @Test func `messages that the disk does not accept wait again, in order`() {
        var pending = PendingRecords()
        for place in 1...3 { pending.add(record("\(place)"), key: nil) }
        _ = pending.take()
        pending.add(record("4"), key: nil)
        pending.written([11])
        #expect(pending.take().map { String(decoding: $0.payload, as: UTF8.self) } == ["2", "3", "4"])
    }

    @Test func `the memory is bounded: the oldest messages are dropped and counted`() {
        var pending = PendingRecords()
        let text = String(repeating: "x", count: 1 << 20)
        for _ in 1...6 { pending.add(record(text), key: nil) }
        #expect(pending.count == 3 && pending.dropped == 3)
    }
}
