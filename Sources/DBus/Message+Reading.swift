internal import CDBus

extension Message {
    /// All arguments, copied out of the message.
    package var arguments: [Variant] {
        var reader = MessageReader(self)
        var arguments: [Variant] = []
        while let argument = reader.next() {
            arguments.append(argument)
        }
        return arguments
    }

    /// A cursor at the first argument, for taking only what is wanted.
    package var reader: MessageReader {
        MessageReader(self)
    }
}
