import Testing

@testable import Configuration

@Suite struct MistakesTests {
    @Test func `the keys after the 20th mistake of a client are not examined`() throws {
        let keys = (0..<100).map { "\"connect:\($0)\": null" }.joined(separator: ", ")
        let mistakes = Mistakes(in: ["entry"], checksFiles: false, toleratesMissingFiles: false, clientFile: 0)
        _ = MappingReader(try YAMLParser.parse("{\(keys)}"), Configuration.Device.Keys.section, mistakes)
        // The address is missing, too.
        #expect(mistakes.reports == 21)
    }

    @Test func `100 unknown keys are reported, and the others are counted`() throws {
        let mistakes = Mistakes(in: "file")
        for _ in 0..<2 {
            let keys = (0..<1000).map { "nonsense\($0): 1" }.joined(separator: "\n")
            _ = MappingReader(
                try YAMLParser.parse("address: 1\n" + keys), Configuration.Device.Keys.section, mistakes)
        }
        let messages = mistakes.sorted.map(\.message)
        #expect(messages.count == 101)
        #expect(messages.last == "900 further unknown keys, from here on")
    }

    @Test func `1,000 mistakes and warnings are listed, and the others are counted`() throws {
        let mistakes = Mistakes(in: "file")
        for number in 0..<1500 {
            mistakes.report("wrong \(number)", at: Position(line: number + 1, column: 1))
            mistakes.warn("odd \(number)", at: Position(line: number + 1, column: 1))
        }
        for list in [mistakes.sorted, mistakes.warnings] {
            #expect(list.count == 1001)
            #expect(list.last?.message == "500 further messages, from here on")
            #expect(list.last?.position?.line == 1001)
        }
    }

    @Test func `a name of more than 64 bytes is similar to no name`() {
        let long = String(repeating: "a", count: 65)
        #expect(long.nearest(in: [long]) == nil)
        #expect("a".nearest(in: [long]) == nil)
        #expect("aab".nearest(in: ["aaa"]) == "aaa")
        #expect(String(repeating: "a", count: 64).nearest(in: [String(repeating: "a", count: 63)]) != nil)
    }
}
