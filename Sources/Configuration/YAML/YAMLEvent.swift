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
    /// The name after `&` to which later aliases refer; nil if the node has no anchor.
    var anchor: String?
    /// The full tag, e.g.
    ///
    /// `tag:yaml.org,2002:str` for `!!str`; nil if the node has no tag.
    var tag: String?
    let position: Position
    /// The range of a double-quoted scalar in characters, including the quotes; nil for any other event.
    var quotedRange: Range<Int>?
}
