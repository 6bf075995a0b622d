import Testing

@Suite struct SourceTextTests {
    @Test(arguments: [
        (#"let a = "b" // c"#, "let a =         "),
        (#"f("a \(b(c) + "d") e").g"#, #"f(      b(c) +           ).g"#),
        ("let a = #\"{\"b\":\\(1)}\"#.c", "let a =               .c"),
        ("/* a */ b", "        b"), (#""\"a" + b"#, "       + b"),
    ])
    func `comments and texts are blank, and the expressions in a text are code`(source: String, code: String) {
        let result = SourceText.withoutTextAndComments(source)
        #expect(result.split(separator: " ") == code.split(separator: " "))
    }

    @Test func `the names that a file declares and uses`() {
        let declarations = Declarations(
            """
            import Bluetooth
            struct Meter: Device {
                private var own = 1
                case on, off
            }
            extension Text {
                func cut() {}
                private func hidden() {}
                enum Part {}
            }
            let line = "value \\(Scale.round(own))"
            """, in: "Room/Folder")
        #expect(declarations.types == ["Meter"])
        #expect(declarations.members == ["cut", "Part"])
        #expect(declarations.all == ["Meter", "own", "on", "off", "cut", "hidden", "Part", "line"])
        #expect(declarations.namedTypes == ["Device", "Text", "Scale"])
        #expect(declarations.namedMembers == ["round"])
    }
}
