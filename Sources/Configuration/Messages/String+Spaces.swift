extension String {
    /// Advice about no-break spaces, which pages of the web contain and YAML reads as letters; nil without them.
    var spaceAdvice: String? {
        unicodeScalars.contains("\u{A0}") ? "replace the no-break spaces, \\u{a0}, by spaces" : nil
    }
}
