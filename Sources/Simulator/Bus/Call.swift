import DBus

/// A client's method call.
///
/// Each call is answered once, unless a fault leaves the call unanswered.
struct Call {
    private let message: Message
    // A strong reference: the call may be answered after the end of bluetoothd. The answer is then discarded.
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

    /// The options of the call, which are the last argument of many methods of bluetoothd; empty if there are none.
    var options: [String: Variant] { arguments.last?.dictionary ?? [:] }

    /// Answers with results, after the signals of earlier changes.
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
