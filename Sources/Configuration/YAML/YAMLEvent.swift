/// An event of libyaml's parser.
struct YAMLEvent {
    enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd
        case alias(String)
        case scalar(String, isPlain: Bool)
        case sequenceStart, sequenceEnd
        case mappingStart, mappingEnd
    }

    let kind: Kind
    /// The name after `&` that later aliases refer to.
    var anchor: String?
    /// The type after `!`, in full.
    var tag: String?
    let position: Position
    /// The range of a double-quoted scalar in characters, quotes included; nil for other events.
    var quotedRange: Range<Int>?
}
