import DBus

/// A client's call of one of our methods.
///
/// It is answered once; not at all where a fault says so.
struct Call {
    private let message: Message
    // Held: an answer may be due after the end of bluetoothd, and then goes nowhere.
    private let tree: ObjectTree
    let arguments: [Variant]
    let member: String
    let signature: String

    init(_ message: Message, to tree: ObjectTree) {
        self.message = message
        self.tree = tree
        arguments = message.arguments
        member = message.member
        signature = message.signature
    }

    /// The client's unique name on the bus.
    var client: String { message.sender }

    var path: String { message.path }
    var interface: String { message.interface }

    /// The options that so many of bluetoothd's methods take as their last argument.
    var options: [String: Variant] { arguments.last?.dictionary ?? [:] }

    /// Answers with results; what was changed before is signalled before.
    func reply(_ results: Variant...) {
        guard message.expectsReply else { return }
        do throws(DBusError) {
            tree.send(try Message(replyingTo: message, results))
        } catch {
            fail(error)
        }
    }

    /// Answers with an error.
    func fail(_ error: DBusError) {
        if message.expectsReply { tree.send(Message(answering: message, with: error)) }
    }
}
