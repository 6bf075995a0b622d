import Configuration

extension Option {
    static let limit = Option(
        "within", value: "DURATION", "how long to search for the device (default: 30s)")
}

extension Arguments {
    /// Returns the duration of an option; nil if the option is missing.
    ///
    /// - Throws: `Failure` for an invalid duration.
    func duration(_ option: Option) throws(Failure) -> Duration? {
        guard let text = self[option] else { return nil }
        do throws(InvalidValue) {
            return try Duration(positive: text)
        } catch {
            throw Failure(.usage, "--\(option.name): \(error.message)")
        }
    }
}
