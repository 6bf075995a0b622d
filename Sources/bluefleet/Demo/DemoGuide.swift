/// What there is to see in the demo's house, and what to try there.
struct DemoGuide: Sendable {
    let sources: ReadingSources
    /// Lines for a person.
    let advice: [String]
}
