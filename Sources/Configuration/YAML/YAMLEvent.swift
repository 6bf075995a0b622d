/// One step of a YAML document, as libyaml's parser hands it out.
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
    /// The characters of a scalar in double quotes, with them.
    var quotedRange: Range<Int>?
}
