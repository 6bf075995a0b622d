/// The reason why the seat could not be taken, renewed or used.
package struct SeatError: Error, CustomStringConvertible {
    package let description: String
    /// Whether another node may answer.
    let isOfNode: Bool
    /// Whether the token of the login is missing or no longer valid.
    let isOfLogin: Bool

    init(_ description: String, isOfNode: Bool = false, isOfLogin: Bool = false) {
        self.description = description
        self.isOfNode = isOfNode
        self.isOfLogin = isOfLogin
    }
}
