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
}
