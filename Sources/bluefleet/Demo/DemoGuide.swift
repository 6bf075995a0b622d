/// The sources of the readings in the demo, and advice for the user.
struct DemoGuide: Sendable {
    let sources: ReadingSources
    /// The lines above the readings.
    let advice: [String]
}
