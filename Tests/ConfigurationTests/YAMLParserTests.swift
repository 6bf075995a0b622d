import Configuration
import Testing

@Suite struct YAMLParserTests {
    private func error(_ yaml: String) -> String? {
        do throws(YAMLError) {
            _ = try YAMLParser.parse(yaml)
            return nil
        } catch {
            return "\(error.position.line):\(error.position.column): \(error.message)"
        }
    }

    @Test func `nodes have positions in characters`() throws {
        let root = try YAMLParser.parse("ä: [\"é\", {b: c}]")
        guard case .mapping(let entries) = root.content, case .sequence(let items) = entries[0].value.content,
            case .mapping(let inner) = items[1].content
        else {
            Issue.record("not a mapping of a list: \(root)")
            return
        }
        #expect(entries[0].keyPosition == Position(line: 1, column: 1))
        #expect(items[0] == YAMLNode(content: .scalar("é", isPlain: false), position: Position(line: 1, column: 5)))
        #expect(inner[0].key == "b")
        #expect(
            inner[0].value == YAMLNode(content: .scalar("c", isPlain: true), position: Position(line: 1, column: 14)))
    }

    @Test func `an empty text is an empty document`() throws {
        #expect(try YAMLParser.parse("").isNull)
        #expect(try YAMLParser.parse("# only a comment\n").isNull)
        #expect(try YAMLParser.parse("---\n").isNull)
    }

    @Test func `a byte order mark is ignored`() throws {
        #expect(try YAMLParser.parse("\u{FEFF}a: 1\nb:\n  c: 2\n") == YAMLParser.parse("a: 1\nb:\n  c: 2\n"))
        #expect(try YAMLParser.parse("\u{FEFF}").isNull)
    }

    @Test func `JSON is parsed`() throws {
        let flow = try YAMLParser.parse("{\n\t\"a\": [1, null, \"x\\u00e9\"]\n}")
        guard case .mapping(let entries) = flow.content, case .sequence(let items) = entries[0].value.content else {
            Issue.record("not a mapping of a list: \(flow)")
            return
        }
        #expect(
            items.map(\.content) == [
                .scalar("1", isPlain: true), .scalar("null", isPlain: true), .scalar("xé", isPlain: false),
            ])
    }

    @Test(arguments: [
        (#"["\ud83c\udf21"]"#, "🌡"), (#"["ä\uD83C\uDF21é\ud83d\uDE00"]"#, "ä🌡é😀"),
        (#"["\\\ud83c\udf21"]"#, #"\🌡"#), (#"["\\ud83c\\udf21"]"#, #"\ud83c\udf21"#),
        (#"['\ud83c\udf21']"#, #"\ud83c\udf21"#), (#"[\ud83c\udf21]"#, #"\ud83c\udf21"#),
        ("[\n\"a\r\n  \\ud83c\\udf21 \\\n  b\"] # \"\\ud83c\\udf21", "a 🌡 b"),
        ("\u{FEFF}[\"\\udbff\\udfff\"]", "\u{10FFFF}"),
    ])
    func `a surrogate pair of JSON becomes one character`(_ yaml: String, _ text: String) throws {
        guard case .sequence(let items) = try YAMLParser.parse(yaml).content, case .scalar(text, _) = items[0].content
        else {
            Issue.record("not a list of that text: \(try YAMLParser.parse(yaml))")
            return
        }
    }

    @Test func `text after a surrogate pair keeps its position`() throws {
        let root = try YAMLParser.parse(#"{"\ud83c\udf21": ["\ud83c\udf21", b], 'c"': "d\ud83c\udf21", e: f}"#)
        guard case .mapping(let entries) = root.content, case .sequence(let items) = entries[0].value.content else {
            Issue.record("not a mapping: \(root)")
            return
        }
        #expect(entries.map(\.key) == ["🌡", "c\"", "e"])
        #expect(items[1].position == Position(line: 1, column: 35))
        #expect(entries.map(\.keyPosition.column) == [2, 39, 62])
        #expect(error(#"["\ud83c\udf21", b: c: d]"#)?.hasPrefix("1:22: ") == true)
    }

    @Test(arguments: [#"["\ud83c"]"#, #"["\ud83c\u0041"]"#, #"["\udf21\ud83c"]"#, #"["\ud83c\uf21"]"#])
    func `half a surrogate pair is rejected`(_ yaml: String) {
        #expect(error(yaml)?.hasPrefix("1:5: found invalid Unicode character escape code") == true)
    }

    @Test func `aliases and merge keys are resolved`() throws {
        let merged = try YAMLParser.parse("[&a {x: 1, y: 2}, {<<: *a, y: 3}, *a]")
        guard case .sequence(let items) = merged.content, case .mapping(let entries) = items[1].content else {
            Issue.record("not a list of mappings: \(merged)")
            return
        }
        #expect(entries.map(\.key) == ["y", "x"])
        #expect(entries.map(\.value.content) == [.scalar("3", isPlain: true), .scalar("1", isPlain: true)])
        #expect(items[2].content == items[0].content)
    }

    @Test(arguments: [
        ("a: 1\n---\nb: 2", "{a: 1, b: 2}"),
        ("d: {x: 1}\n---\nd: {y: 2}\n...\n---\nd: {z: 3}", "{d: {x: 1, y: 2, z: 3}}"),
        ("f: [1]\n---\nf: [2]", "{f: [1, 2]}"),
        ("d: {}\n---\nd: {x: 1}", "{d: {x: 1}}"),
        ("d:\n---\nd: {x: 1}", "{d: {x: 1}}"),
        ("# nothing\n---\nd: {x: 1}", "{d: {x: 1}}"),
        ("d: {}\n---\nd: {}", "{d: {}}"),
        ("a: 1\n---\na: 2", "{a: 1, a: 2}"),
        ("d: {x: 1}\n---\nd: [2]", "{d: {x: 1}, d: [2]}"),
        ("d: {x: 1}\nd: {y: 2}\n---\ne: 1", "{d: {x: 1}, d: {y: 2}, e: 1}"),
    ])
    func `a second document adds to the first`(_ documents: String, _ one: String) throws {
        #expect(try YAMLParser.parse(documents).outline == YAMLParser.parse(one).outline)
    }

    @Test func `a tag can convert a number to text`() throws {
        #expect(try YAMLParser.parse("!!str 12").content == .scalar("12", isPlain: false))
        #expect(try YAMLParser.parse("!!int 12").content == .scalar("12", isPlain: true))
        #expect(try YAMLParser.parse("!!map {a: !!seq [b]}").outline == "{a: [b]}")
    }

    @Test(arguments: [
        ("a: [1", "2:1: expected ',' or ']' (while parsing a flow sequence that starts in line 1)"),
        (
            "a: b: c",
            "1:5: a value with ': ' needs quotes: a: \"b: c\""
        ),
        ("a: {b: c # d, e: f}\n", "1:10: a '#' after a space begins a comment: put the text in quotes"),
        ("a:\n\tb: 1", "2:1: a tab is not allowed here: indent with spaces"),
        ("a: 1\nü: %", "2:4: a value cannot start with '%': put the text in quotes"),
        ("a: @b", "1:4: a value cannot start with '@': put the text in quotes"),
        ("{a: 1}\n{", "2:1: expected the end of the text: check the brackets, or begin another document with ---"),
        ("a: 1\n---\nb", "3:1: expected a mapping in each document, found 'b'"),
        ("a: &x 1\n---\nb: *x", "3:4: unknown alias '*x': \(unknownAlias) &x\(quotesAdvice)"),
        ("a: *b", "1:4: unknown alias '*b': \(unknownAlias) &b\(quotesAdvice)"),
        ("&a [*a]", "1:5: unknown alias '*a': \(unknownAlias) &a\(quotesAdvice)"),
        ("[a]: b", "1:1: a key must be text, not a list: put a text that begins with a brace or a bracket in quotes"),
        ("<<: x", "1:5: '<<' requires a mapping or a list of mappings, found 'x'"),
        ("a: !secret b", "1:4: unsupported tag '!secret': write the value itself; put secrets into files"),
        (
            "a: !!binary YQ==",
            "1:4: unsupported tag '!!binary': write the value itself; put secrets into files"
        ),
        ("a: !!seq {b: c}", "1:4: unsupported tag '!!seq': write the value itself; put secrets into files"),
        ("!!map [b]", "1:1: unsupported tag '!!map': write the value itself; put secrets into files"),
        ("a: !!str [b]", "1:4: unsupported tag '!!str': write the value itself; put secrets into files"),
        (String(repeating: "[", count: 100), "1:65: nested more than 64 levels deep"),
        (String(repeating: " ", count: (4 << 20) + 1), "1:1: the file is larger than 4 MiB"),
    ])
    func `an invalid document is rejected with the position`(_ yaml: String, _ message: String) {
        #expect(error(yaml) == message)
    }

    @Test func `invalid UTF-8 is rejected with the position`() {
        #expect(
            throws: YAMLError(
                "invalid trailing UTF-8 octet: the file must be UTF-8 text", at: Position(line: 2, column: 5))
        ) {
            try YAMLParser.parse(Array("a: b\nc: ".utf8) + [0xC3, 0x28])
        }
        #expect(
            throws: YAMLError(
                "invalid leading UTF-8 octet: the file must be UTF-8 text", at: Position(line: 1, column: 8))
        ) {
            try YAMLParser.parse(Array("a: \"ééé".utf8) + [0xFF])
        }
    }

    @Test func `aliases cannot exceed the limits of size and depth`() {
        let bomb = (1...30).reduce("- &a0 [x, x]\n") { $0 + "- &a\($1) [*a\($1 - 1), *a\($1 - 1)]\n" }
        #expect(error(bomb)?.hasSuffix("more than 500000 values, aliases included") == true)
        let tower = (1...9).reduce("- &a0 [[[[[[[[[[x]]]]]]]]]]\n") { $0 + "- &a\($1) [[[[[[[[[*a\($1 - 1)]]]]]]]]]\n" }
        #expect(error(tower)?.hasSuffix("nested more than 64 levels deep") == true)
    }
}

extension YAMLNode {
    /// The contents in flow style, without positions.
    fileprivate var outline: String {
        switch content {
        case .scalar(let text, _): text
        case .sequence(let items): "[\(items.map(\.outline).joined(separator: ", "))]"
        case .mapping(let entries): "{\(entries.map { "\($0.key): \($0.value.outline)" }.joined(separator: ", "))}"
        }
    }
}

private let unknownAlias = "no value that ends before it is named"
private let quotesAdvice = "; put a text that begins with * in quotes"
