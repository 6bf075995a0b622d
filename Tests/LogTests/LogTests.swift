import Foundation
import Synchronization
import Testing

@testable import Log

@Suite struct LogTests {
    let time = LogTime(seconds: 1_795_237_740, milliseconds: 7)

    @Test func `a line contains category, message and fields with a value`() {
        let line = LogLine(
            level: .warning, category: "mqtt", message: "connection lost",
            fields: ["reason": "bad \"password\"", "retry_in": 3, "note": ""])
        #expect(line.text == #"mqtt: connection lost reason="bad \"password\"" retry_in=3"#)
    }

    @Test func `each style formats a line for its reader`() {
        let line = LogLine(level: .info, category: "mqtt", message: "connected")
        #expect(LogStyle.journal.text(of: line, at: time) == "<6>mqtt: connected\n")
        #expect(LogStyle.file.text(of: line, at: time) == "2026-11-21T05:09:00.007Z info    mqtt: connected\n")
        #expect(LogStyle.terminal.text(of: line, at: time).hasSuffix(":00.007 info    mqtt: connected\n"))
    }

    @Test func `the journal style writes the level as a number`() {
        let prefixes = Log.Level.allCases.map { level in
            LogStyle.journal.text(of: LogLine(level: level, category: "a", message: "b"), at: time).prefix(3)
        }
        #expect(prefixes == ["<7>", "<6>", "<4>", "<3>"])
    }

    @Test func `a line escapes control characters`() {
        let line = LogLine(
            level: .info, category: "ble", message: "found a\n<0>b", fields: ["name": "x\u{1b}[31m\r\n"])
        #expect(line.text == #"ble: found a\n<0>b name=x\u{1b}[31m\u{d}\n"#)
    }

    @Test func `a line escapes characters that change the order of the visible text`() {
        let line = LogLine(
            level: .info, category: "ble", message: "found \u{202E}gnp.exe", fields: ["name": "a\u{200B}b\u{2028}"])
        #expect(line.text == #"ble: found \u{202e}gnp.exe name=a\u{200b}b\u{2028}"#)
        let joined = LogLine(level: .info, category: "ble", message: "می\u{200C}خواهم 👩\u{200D}🔧")
        #expect(joined.text == "ble: می\u{200C}خواهم 👩\u{200D}🔧")
    }

    private func moment(_ second: Int) -> RepeatFilter.Moment {
        RepeatFilter.Moment(uptime: second, time: LogTime(seconds: time.seconds + second, milliseconds: 0))
    }

    private func repeated(_ line: LogLine, _ count: Int, _ first: Int, _ last: Int) -> LogLine {
        line.repeated(count, from: moment(first).time, to: moment(last).time)
    }

    @Test func `RepeatFilter counts a repeated line for 30 s, and then writes it once with its count`() {
        var filter = RepeatFilter()
        let line = LogLine(level: .warning, category: "mqtt", message: "refused")
        let other = LogLine(level: .info, category: "ble", message: "found")
        #expect(filter.lines(for: line, at: moment(0)) == [line])
        for second in 1...3 {
            #expect(filter.lines(for: line, at: moment(second)) == [])
        }
        #expect(filter.lines(for: other, at: moment(10)) == [other])
        #expect(filter.lines(for: line, at: moment(30)) == [repeated(line, 4, 1, 30)])
        #expect(filter.lines(for: line, at: moment(60)) == [line])
        let minute = String(moment(0).time.shortTimeOfDay.dropLast(2))
        #expect(repeated(line, 3, 1, 3).text == "mqtt: refused (repeated 3 times from \(minute)01 to \(minute)03)")
    }

    @Test func `RepeatFilter writes the count when another line occurs after the period, or when asked`() {
        var filter = RepeatFilter()
        let line = LogLine(level: .warning, category: "mqtt", message: "refused")
        let other = LogLine(level: .info, category: "ble", message: "found")
        _ = filter.lines(for: line, at: moment(0))
        _ = filter.lines(for: line, at: moment(1))
        #expect(filter.lines(for: other, at: moment(31)) == [repeated(line, 1, 1, 1), other])
        #expect(filter.lines(for: other, at: moment(62)) == [other])
        _ = filter.lines(for: line, at: moment(70))
        _ = filter.lines(for: line, at: moment(75))
        #expect(filter.overdue(at: moment(99)) == [])
        #expect(filter.overdue(at: moment(100)) == [repeated(line, 1, 75, 75)])
    }

    @Test func `LogOutput writes each line that is not counted`() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        let writing = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        let response = LogLine(level: .info, category: "gateway", message: "configuration reloaded")
        let line = LogLine(level: .info, category: "gateway", message: "found")
        do {
            // The output has a descriptor of its own for the pipe.
            let output = LogOutput(descriptor: ends[1])
            for _ in 1...3 {
                output.write(response, countingRepeats: false)
                output.write(line, countingRepeats: true)
            }
        }
        try writing.close()
        let text = String(decoding: reading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text.matches(of: /gateway: configuration reloaded\n/).count == 3)
        #expect(text.matches(of: /gateway: found\n/).count == 1)
    }

    /// Returns the text that can be read now, without the carriage returns of a terminal.
    private func available(_ descriptor: Int32) -> String {
        var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var chunk = [UInt8](repeating: 0, count: 65536)
        var bytes: [UInt8] = []
        while poll(&interest, 1, 0) == 1 {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    }

    /// Returns the ends of a pipe, of a pair of sockets, and of a terminal.
    private func destinations() -> [(reading: Int32, writing: Int32)] {
        (0..<3).map { kind in
            var ends: [Int32] = [-1, -1]
            var (terminal, screen) = (Int32(-1), Int32(-1))
            switch kind {
            case 0: #expect(pipe(&ends) == 0)
            case 1: #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            default:
                #expect(openpty(&terminal, &screen, nil, nil, nil) == 0)
                ends = [terminal, screen]
            }
            return (ends[0], ends[1])
        }
    }

    @Test func `LogOutput loses and counts lines while a reader stops`() throws {
        for (reading, writing) in destinations() {
            defer { for end in [reading, writing] { close(end) } }
            let output = LogOutput(descriptor: writing)
            let count = 20_000
            for number in 1...count {
                output.write(
                    LogLine(level: .info, category: "gateway", message: "line", fields: ["number": number]),
                    countingRepeats: false)
            }
            // The flags of the shared open file are as before.
            #expect(fcntl(writing, F_GETFL) & O_NONBLOCK == 0)
            // A terminal passes on its text in parts, and accepts further lines meanwhile.
            var text = ""
            while Self.numbers(in: text).count + Self.lostCount(in: text) < count {
                text += available(reading)
                output.reportRepeats()
            }
            output.write(LogLine(level: .info, category: "gateway", message: "again"), countingRepeats: false)
            while !text.hasSuffix("gateway: again\n") { text += available(reading) }
            let numbers = Self.numbers(in: text)
            #expect(numbers.first == 1 && numbers == Array(Set(numbers)).sorted())
            #expect(Self.lostCount(in: text) == count - numbers.count)
            #expect(numbers.count < count)
        }
    }

    private static func numbers(in text: String) -> [Int] {
        text.matches(of: /gateway: line number=([0-9]+)\n/).compactMap { Int($0.1) }
    }

    private static func lostCount(in text: String) -> Int {
        text.matches(of: /([0-9]+) lines? of the log (are|is) lost/).reduce(0) { $0 + (Int($1.1) ?? 0) }
    }

    @Test func `a line cuts long texts, also those that must be escaped`() {
        let long = String(repeating: "x", count: 70_000)
        let hidden = String(repeating: "\u{202E}", count: 70_000)
        let wide = String(repeating: "👩", count: 70_000)
        for text in [
            long, hidden, wide, String(repeating: "a ", count: 40_000), String(repeating: "\"", count: 70_000),
        ] {
            let line = LogLine(
                level: .warning, category: text, message: "\(text): cannot connect to \(text)",
                fields: ["a": text, "b": text, "c": text, "d": text, "e": text, "f": text, "g": text])
            for style in [LogStyle.file, .journal, .terminal] {
                #expect(style.text(of: line, at: time).utf8.count <= 2048)
            }
            #expect(!line.text.unicodeScalars.contains("\u{FFFD}"))
        }
        let line = LogLine(
            level: .warning, category: "mqtt", message: "\(long): cannot connect", fields: ["a": long, "b": 1])
        #expect(line.message.contains(" cannot connect a=\(String(repeating: "x", count: 253))… b=1"))
    }

    @Test func `an observer receives each line of its level, also below the level of the output`() {
        let output = LogOutput(descriptor: -1)
        let records = Mutex<[String]>([])
        output.observe(.info) { record in
            records.withLock { $0.append("\(record.level) \(record.subject): \(record.message)") }
        }
        let line = LogLine(level: .warning, category: "mqtt", message: "refused", fields: ["code": 5])
        output.level = .error
        #expect(output.wants(.warning) && !output.wants(.debug))
        for _ in 1...2 { output.write(line, countingRepeats: true) }
        output.observe(.info, nil)
        #expect(!output.wants(.warning))
        output.write(line, countingRepeats: false)
        #expect(records.withLock { $0 } == ["warning mqtt: refused code=5"])
    }

    @Test func `a message below the level is not evaluated`() {
        var count = 0
        func message() -> String {
            count += 1
            return "text"
        }
        Log("test").debug(message())
        #expect(count == 0)
    }
}
