import CYAML

/// Reads the events of a YAML text.
///
/// Only this file uses libyaml.
@safe
struct YAMLEventReader: ~Copyable {
    private let text: UnsafeMutableBufferPointer<UInt8>
    // After its input has been set, the parser contains a pointer to itself, so its address must not change.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    /// The number of the file in the positions.
    private let file: Int

    init(_ bytes: [UInt8], file: Int = 0) {
        self.file = file
        unsafe text = .allocate(capacity: bytes.count)
        _ = unsafe text.initialize(from: bytes)
        unsafe parser = .allocate(capacity: 1)
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            preconditionFailure("libyaml cannot allocate a parser")
        }
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe text.deallocate()
    }

    mutating func next() throws(YAMLError) -> YAMLEvent {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw error }
        defer { unsafe yaml_event_delete(&event) }
        return unsafe YAMLEvent(event, file: file)
    }

    private var error: YAMLError {
        let problem = unsafe String(c: parser.pointee.problem) ?? "the text is not valid YAML"
        guard unsafe parser.pointee.error != YAML_READER_ERROR else {
            let offset = unsafe min(parser.pointee.problem_offset, text.count)
            return unsafe YAMLError(
                "\(problem): the file must be UTF-8 text", at: Position(file: file, of: offset, in: text))
        }
        var sentence = Self.advice[problem] ?? problem
        if problem == Self.wrongStart, let character = unsafe character(at: parser.pointee.problem_mark) {
            sentence =
                character == "\t"
                ? "a tab is not allowed here: indent with spaces"
                : "a value cannot start with '\(character)': put the text in quotes"
            return unsafe YAMLError(sentence, at: Position(file: file, parser.pointee.problem_mark))
        }
        if problem == Self.wrongAlias {
            let character = unsafe character(at: parser.pointee.context_mark) ?? "*"
            return unsafe YAMLError(
                "a value cannot start with '\(character)': put the text in quotes",
                at: Position(file: file, parser.pointee.context_mark))
        }
        if let advice = unsafe quotationAdvice(for: problem, at: parser.pointee.problem_mark) {
            return unsafe YAMLError(advice, at: Position(file: file, parser.pointee.problem_mark))
        }
        if let advice = unsafe commentAdvice(for: problem, after: parser.pointee.context_mark) {
            return YAMLError(advice.message, at: Position(file: file, advice.mark))
        }
        if let advice = unsafe spaceAdvice(for: problem, at: parser.pointee.context_mark) {
            return unsafe YAMLError(advice, at: Position(file: file, parser.pointee.context_mark))
        }
        if let context = unsafe String(c: parser.pointee.context) {
            sentence += unsafe " (\(context) that starts in line \(parser.pointee.context_mark.line + 1))"
        }
        return unsafe YAMLError(sentence, at: Position(file: file, parser.pointee.problem_mark))
    }

    private static let wrongStart = "found character that cannot start any token"
    private static let wrongAlias = "did not find expected alphabetic or numeric character"

    /// Returns the message about braces or brackets whose end is in a comment, and the position of the comment; nil if the
    /// problem is another one.
    private func commentAdvice(for problem: String, after start: yaml_mark_t) -> (message: String, mark: yaml_mark_t)? {
        guard problem.hasPrefix("did not find expected ','"), let line = line(at: start),
            let (before, comment) = String(line).cut(at: " #"), comment.contains(where: { "}]".contains($0) })
        else { return nil }
        var mark = start
        mark.column = before.count + 1
        return ("a '#' after a space begins a comment: put the text in quotes", mark)
    }

    /// Returns the message about a key such as `connect:never`, at its position; nil if the problem is another one.
    private func spaceAdvice(for problem: String, at key: yaml_mark_t) -> String? {
        guard problem == "could not find expected ':'", let line = line(at: key) else { return nil }
        guard let (name, value) = String(line.dropFirst(key.column)).cut(at: ":"),
            !value.allSatisfy(\.isWhitespace)
        else { return nil }
        return "expected a space after the ':': \(name): \(value.filter { $0 != "\r" })"
    }

    /// Returns the message about a value that needs quotation marks; nil if the problem is another one.
    private func quotationAdvice(for problem: String, at mark: yaml_mark_t) -> String? {
        guard let line = line(at: mark) else { return nil }
        let before = String(line.prefix(mark.column))
        if before.contains("$"), problem.hasPrefix("did not find expected ','") {
            return
                "a '{' in a value needs quotes, and variables such as ${NAME} are not replaced: write the value, or set "
                + "the environment variable of the key, such as BLUEFLEET_MQTT_URL"
        }
        let isUnexpected = problem.hasPrefix("did not find expected ','") || problem == "did not find expected key"
        // A comment of JSON continues as a text up to the next line.
        if isUnexpected, [lineAbove(mark), line].contains(where: { " \($0)".cut(at: " //") != nil }) {
            return "a comment begins with #, not with //"
        }
        // `device: {address}/x`: a value that begins with '{' is a mapping.
        if isUnexpected, before.hasSuffix("}"), let open = before.lastIndex(of: "{"),
            let (key, value) = Self.lastEntry(of: String(before[..<open])), value.isEmpty
        {
            let rest = line.dropFirst(mark.column).prefix { !",}] \r".contains($0) }
            return "a '{' in a value needs quotes: \(key): \"\(before[open...])\(rest)\""
        }
        // `{device: sensors/{address}, …}`: in braces, a '{' begins another mapping.
        if problem.hasPrefix("did not find expected ','"), let end = line.dropFirst(mark.column).firstIndex(of: "}"),
            line.dropFirst(mark.column).first == "{", let (key, value) = Self.lastEntry(of: before)
        {
            let rest = line[line.index(after: end)...].prefix { !",}] \r".contains($0) }
            return "a '{' in a value needs quotes: \(key): \"\(value)\(line.dropFirst(mark.column)[...end])\(rest)\""
        }
        // `{value: a > 3 ? 1 : 0}`: in braces, the ':' ends a key.
        if problem.hasPrefix("did not find expected ','"), line.dropFirst(mark.column).first == ":",
            let (formula, _) = before.cut(at: " ? ")
        {
            let key = Self.lastEntry(of: String(formula))?.key ?? ""
            return "a value with '?' needs quotes: \(key): \"…\""
        }
        if problem == "mapping values are not allowed in this context", let (key, value) = before.cut(at: ": "),
            !value.allSatisfy(\.isWhitespace)
        {
            let text = line.dropFirst(key.count + 2).filter { $0 != "\r" }
            return "a value with ': ' needs quotes: \(key.drop(while: \.isWhitespace)): \"\(text)\""
        }
        if problem == "did not find expected key", before.contains("'"), before.last == "'" {
            return
                "a single quotation mark ends the text here: write '' for one within single quotes, or use double quotes"
        }
        return nil
    }

    /// Returns the key and the value at the end of a text in braces, such as `{name: a, device: sensors/`; nil without a ':'.
    private static func lastEntry(of text: String) -> (key: Substring, value: Substring)? {
        let entry = text.lastIndex { "{[,".contains($0) }.map { text[$0...].dropFirst() } ?? text[...]
        guard let colon = entry.firstIndex(of: ":") else { return nil }
        return (
            entry[..<colon].drop(while: \.isWhitespace), entry[colon...].dropFirst().drop(while: \.isWhitespace)
        )
    }

    /// Returns the character at a position; nil at the end of the text.
    private func character(at mark: yaml_mark_t) -> Character? {
        line(at: mark)?.dropFirst(mark.column).first
    }

    /// The line above a position; empty above the first line.
    private func lineAbove(_ mark: yaml_mark_t) -> Substring {
        guard mark.line > 0 else { return "" }
        var above = mark
        above.line -= 1
        return line(at: above) ?? ""
    }

    private func line(at mark: yaml_mark_t) -> Substring? {
        let lines = unsafe String(decoding: text, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        return lines.indices.contains(mark.line) ? lines[mark.line] : nil
    }

    /// The messages that replace libyaml's messages, by the text of libyaml's message.
    private static let advice = [
        "mapping values are not allowed in this context":
            "a ':' is not allowed here: check the indentation and the ':' of the line above, or put the text in quotes",
        "found a tab character that violates indentation": "a tab is not allowed here: indent with spaces",
        "found a tab character where an indentation space is expected":
            "a tab is not allowed here: indent with spaces",
        "did not find expected key": "expected a key here: check the indentation",
        "could not find expected ':'": "expected a ':' after the key",
        "did not find expected ',' or '}'": "expected ',' or '}'",
        "did not find expected ',' or ']'": "expected ',' or ']'",
        "found unexpected end of stream":
            "unexpected end of the text: a quotation mark, bracket or brace is not closed",
        "found incompatible YAML document": "unsupported version of YAML: remove the line %YAML",
        "did not find expected <document start>":
            "expected the end of the text: check the brackets, or begin another document with ---",
        "did not find expected '-' indicator": "expected '-' here: check the indentation",
    ]
}

extension YAMLParser {
    /// The version of libyaml in use.
    package static var libraryVersion: String {
        unsafe String(cString: yaml_get_version_string())
    }
}

extension YAMLEvent {
    fileprivate init(_ event: yaml_event_t, file: Int) {
        let data = unsafe event.data
        position = unsafe Position(file: file, event.start_mark)
        switch unsafe event.type {
        case YAML_SCALAR_EVENT:
            let scalar = unsafe data.scalar
            let text = unsafe String(
                decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            kind = unsafe .scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
            anchor = unsafe String(c: scalar.anchor)
            tag = unsafe String(c: scalar.tag)
            if unsafe scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE {
                quotedRange = unsafe event.start_mark.index..<event.end_mark.index
            }
        case YAML_SEQUENCE_START_EVENT:
            kind = .sequenceStart
            anchor = unsafe String(c: data.sequence_start.anchor)
            tag = unsafe String(c: data.sequence_start.tag)
        case YAML_MAPPING_START_EVENT:
            kind = .mappingStart
            anchor = unsafe String(c: data.mapping_start.anchor)
            tag = unsafe String(c: data.mapping_start.tag)
        case YAML_ALIAS_EVENT: kind = unsafe .alias(String(c: data.alias.anchor) ?? "")
        case YAML_SEQUENCE_END_EVENT: kind = .sequenceEnd
        case YAML_MAPPING_END_EVENT: kind = .mappingEnd
        case YAML_STREAM_START_EVENT: kind = .streamStart
        case YAML_DOCUMENT_START_EVENT: kind = .documentStart
        case YAML_DOCUMENT_END_EVENT: kind = .documentEnd
        default: kind = .streamEnd
        }
    }
}

extension Position {
    fileprivate init(file: Int, _ mark: yaml_mark_t) {
        self.init(file: file, line: mark.line + 1, column: mark.column + 1)
    }

    fileprivate init(file: Int, of offset: Int, in text: UnsafeMutableBufferPointer<UInt8>) {
        let before = unsafe text[..<offset]
        let line = unsafe before.count { $0 == UInt8(ascii: "\n") }
        let column = unsafe before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count { !UTF8.isContinuation($0) }
        self.init(file: file, line: line + 1, column: column + 1)
    }
}

extension String {
    fileprivate init?(c text: UnsafePointer<CChar>?) {
        guard let text = unsafe text else { return nil }
        unsafe self.init(cString: text)
    }

    fileprivate init?(c text: UnsafePointer<yaml_char_t>?) {
        guard let text = unsafe text else { return nil }
        unsafe self.init(cString: text)
    }
}
