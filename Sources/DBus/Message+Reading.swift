import CDBus

extension Message {
    /// All arguments, copied from the message.
    package var arguments: [Variant] {
        var reader = MessageReader(self)
        var arguments: [Variant] = []
        while let argument = reader.next() {
            arguments.append(argument)
        }
        return arguments
    }

    /// A cursor at the first argument, for callers that need only some arguments.
    package var reader: MessageReader {
        MessageReader(self)
    }
}
