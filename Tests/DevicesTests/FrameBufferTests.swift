import Codec
import Configuration
import Testing

@testable import Devices

@Suite struct FrameBufferTests {
    private typealias Shape = Configuration.FrameShape

    private func frame(_ shape: Configuration.FrameShape, isRefusal: Bool = false) throws -> ExpectedFrame {
        try #require(ExpectedFrame(shape, isRefusal: isRefusal) { $0.value(with: []) })
    }

    /// Returns the contents of all frames, in hexadecimal digits with their index.
    private func frames(_ buffer: inout FrameBuffer, _ expected: [ExpectedFrame]) -> [String] {
        var found: [String] = []
        while let (index, content) = buffer.next(expected) { found.append("\(index):\(content.hexadecimal)") }
        return found
    }

    private func bytes(_ hex: String) -> [UInt8] { [UInt8](hexadecimal: hex) ?? [] }

    // MARK: The shape of a frame

    /// A shape, the notifications, and the frames in them.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let shape: Configuration.FrameShape
        let notifications: [String]
        let frames: [String]
        var left = 0

        var testDescription: String { name }
    }

    private static let checked = Shape(
        start: .patterns(["DD"]), length: .field(.init(at: 1, size: 1, endian: .big, times: 1, plus: 4)),
        terminator: [0x77], check: .init(.sum, size: 1, endian: .little))

    static let cases = [
        Case(
            name: "one notification is one frame", shape: Shape(), notifications: ["0102", "03"],
            frames: ["0:0102", "0:03"]),
        Case(
            name: "start, length, checksum and terminator", shape: checked, notifications: ["DD020405E877"],
            frames: ["0:dd020405"]),
        Case(
            name: "in single bytes", shape: checked, notifications: ["DD", "02", "04", "05", "E8", "77"],
            frames: ["0:dd020405"]),
        Case(
            name: "after junk", shape: checked, notifications: ["00FF", "DD020405E877"], frames: ["0:dd020405"]),
        Case(name: "wrong checksum", shape: checked, notifications: ["DD020405E977"], frames: []),
        Case(name: "wrong terminator", shape: checked, notifications: ["DD020405E878"], frames: []),
        Case(name: "too short for its checksum", shape: checked, notifications: ["DDFF"], frames: [], left: 2),
        Case(
            name: "a length of 65,535 is no frame",
            shape: Shape(length: .field(.init(at: 0, size: 2, endian: .big, times: 1, plus: 0))),
            notifications: ["FFFF000000"], frames: [], left: 1),
        Case(
            name: "alternatives", shape: Shape(start: .patterns(["01", "0A??"]), length: .formula(.two)),
            notifications: ["0102", "030A05"], frames: ["0:0102", "0:0a05"]),
        Case(
            name: "terminator alone", shape: Shape(terminator: [0x0D, 0x0A]), notifications: ["410D", "0A42"],
            frames: ["0:41"], left: 1),
        Case(
            name: "without its end", shape: Shape(terminator: [0x0D], limit: 4), notifications: ["4142", "434445"],
            frames: [], left: 3),
    ]

    @Test(arguments: cases)
    func `frames are found in notifications`(_ example: Case) throws {
        var buffer = FrameBuffer()
        let expected = [try frame(example.shape)]
        var found: [String] = []
        for notification in example.notifications {
            buffer.append(bytes(notification))
            found += frames(&buffer, expected)
        }
        #expect(found == example.frames)
        #expect(buffer.count == example.left)
    }

    // MARK: Several frames

    @Test func `the first frame that may match decides, and waits for further bytes`() throws {
        let long = try frame(Shape(start: .patterns(["01"]), length: .formula(.four)))
        let short = try frame(Shape(start: .patterns(["01"]), length: .formula(.two)))
        var buffer = FrameBuffer()
        buffer.append(bytes("010203"))
        #expect(frames(&buffer, [long, short]) == [])
        #expect(frames(&buffer, [short, long]) == ["0:0102"])
    }

    @Test func `a frame of another entry before the answer is not dropped`() throws {
        let answer = try frame(Shape(start: .patterns(["01"]), length: .formula(.two)))
        let other = try frame(Shape(start: .patterns(["02"]), length: .formula(.two)))
        var buffer = FrameBuffer()
        buffer.append(bytes("02AA01BB"))
        #expect(frames(&buffer, [answer, other]) == ["1:02aa", "0:01bb"])
        #expect(buffer.dropped == 0)
    }

    @Test func `a text that means no is not a frame of its own`() throws {
        let refusal = try frame(Shape(terminator: [0x3E], isText: true), isRefusal: true)
        var buffer = FrameBuffer()
        buffer.append(Array("NO DATA>".utf8))
        #expect(frames(&buffer, [refusal]) == [])
    }

    // MARK: Bounds

    @Test func `bytes that never become a frame stay bounded`() throws {
        let endless = try frame(Shape(terminator: [0x3E], limit: Shape.longest))
        var buffer = FrameBuffer()
        for index in 0..<250 {
            buffer.append([UInt8](repeating: UInt8(index % 50), count: 20))
            #expect(frames(&buffer, [endless]) == [])
            #expect(buffer.count <= FrameBuffer.capacity)
        }
        #expect(buffer.dropped == 250 * 20 - buffer.count)
    }

    @Test func `without an expected frame all bytes are dropped`() {
        var buffer = FrameBuffer()
        buffer.append(bytes("010203"))
        #expect(frames(&buffer, []) == [])
        #expect(buffer.isEmpty)
    }
}

extension Expression {
    fileprivate static let two = number("2")
    fileprivate static let four = number("4")

    private static func number(_ text: String) -> Expression {
        do { return try Expression(text) } catch { preconditionFailure("\(error)") }
    }
}
