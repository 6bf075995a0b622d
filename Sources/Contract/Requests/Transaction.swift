package import JSON

/// The member `transaction` of a request, which the response repeats.
package struct Transaction: Equatable, Sendable {
    /// The maximum length, in bytes of JSON.
    package static let maximumLength = 4096

    /// The value as JSON text, which is much smaller than the parsed value.
    private let text: [UInt8]

    /// - Returns: nil without a value.
    /// - Throws: `RequestError` `bad_request` if the value is too long.
    package init?(_ value: JSON?) throws(RequestError) {
        guard let value else { return nil }
        text = Array(value.description.utf8)
        guard text.count <= Self.maximumLength else {
            throw RequestError(
                .badRequest, "transaction: expected up to \(Self.maximumLength) bytes, found \(text.count)")
        }
    }

    var value: JSON? { try? JSON(parsing: text) }
}
