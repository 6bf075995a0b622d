extension Array where Element: RawRepresentable<String> {
    /// The names of the values, for the documentation.
    var names: String { map { "`\($0.rawValue)`" }.joined(separator: ", ") }
}
