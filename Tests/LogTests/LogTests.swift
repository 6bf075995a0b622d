import Foundation
import Testing

@testable import Log

@Suite struct LogTests {
    let time = LogTime(seconds: 1_795_237_740, milliseconds: 7)

    @Test func `a line carries category, message and fields`() {
        let line = LogLine(
            level: .warning, category: "mqtt", message: "connection lost",
            fields: ["reason": "bad \"password\"", "retry_in": 3, "note": ""])
        #expect(line.text == #"mqtt: connection lost reason="bad \"password\"" retry_in=3 note="""#)
    }

    @Test func `each reader has a style`() {
        let line = LogLine(level: .info, category: "mqtt", message: "connected")
        #expect(LogStyle.journal.text(of: line, at: time) == "<6>mqtt: connected\n")
        #expect(LogStyle.file.text(of: line, at: time) == "2026-11-21T05:09:00.007Z info    mqtt: connected\n")
        #expect(LogStyle.terminal.text(of: line, at: time).hasSuffix(":00.007 info    mqtt: connected\n"))
    }

    @Test func `the journal knows the levels by number`() {
        let prefixes = Log.Level.allCases.map { level in
            LogStyle.journal.text(of: LogLine(level: level, category: "a", message: "b"), at: time).prefix(3)
        }
        #expect(prefixes == ["<7>", "<6>", "<4>", "<3>"])
    }

    @Test func `a name from outside cannot make a second line`() {
        let line = LogLine(
            level: .info, category: "ble", message: "found a\n<0>b", fields: ["name": "x\u{1b}[31m\r\n"])
        #expect(line.text == #"ble: found a\n<0>b name=x\u{1b}[31m\u{d}\n"#)
    }

    @Test func `a line that repeats is written once and then counted`() {
        var filter = RepeatFilter()
        let line = LogLine(level: .warning, category: "mqtt", message: "refused")
        let other = LogLine(level: .info, category: "ble", message: "found")
        #expect(filter.lines(for: line, at: 0) == [line])
        for second in 1...3 {
            #expect(filter.lines(for: line, at: second) == [])
        }
        #expect(filter.lines(for: other, at: 10) == [other])
        #expect(filter.lines(for: line, at: 30) == [line.repeated(3), line])
        #expect(line.repeated(3).text == "mqtt: refused (repeated 3 times)")
    }

    @Test func `another line brings out what was counted before`() {
        var filter = RepeatFilter()
        let line = LogLine(level: .warning, category: "mqtt", message: "refused")
        let other = LogLine(level: .info, category: "ble", message: "found")
        _ = filter.lines(for: line, at: 0)
        _ = filter.lines(for: line, at: 1)
        #expect(filter.lines(for: other, at: 31) == [line.repeated(1), other])
        #expect(filter.lines(for: other, at: 62) == [other])
    }

    @Test func `an answer is written each time`() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        let writing = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        let output = LogOutput(descriptor: ends[1])
        let answer = LogLine(level: .info, category: "gateway", message: "read again")
        let line = LogLine(level: .info, category: "gateway", message: "found")
        for _ in 1...3 {
            output.write(answer, countingRepeats: false)
            output.write(line, countingRepeats: true)
        }
        try writing.close()
        let text = String(decoding: reading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text.matches(of: /gateway: read again\n/).count == 3)
        #expect(text.matches(of: /gateway: found\n/).count == 1)
    }

    @Test func `what is below the level is not even made`() {
        var count = 0
        func message() -> String {
            count += 1
            return "made"
        }
        Log("test").debug(message())
        #expect(count == 0)
    }
}
