import JSON

/// The texts of server-sent events (WHATWG HTML, 9.2) and of the answers to long polls.
package enum StreamText {
    /// The event that makes a page read everything again.
    package static func reset(_ id: Int) -> [UInt8] {
        Array("event: reset\nid: \(id)\ndata: {}\n\n".utf8)
    }

    package static func broker(isConnected: Bool) -> [UInt8] {
        Array("event: broker\ndata: {\"connected\":\(isConnected)}\n\n".utf8)
    }

    package static func topic(_ event: ChangeLog.Event) -> [UInt8] {
        var reply = ReplyBuilder(capacity: 128 + (event.payload?.count ?? 0))
        reply.object { reply in
            reply.add(.string(event.topic), as: "topic")
            reply.add(text: event.payload?.onOneLine, as: "payload")
        }
        return Array("event: topic\nid: \(event.id)\ndata: ".utf8) + reply.bytes + Array("\n\n".utf8)
    }

    /// Returns the answer to a long poll; nil as events: the page must read everything again.
    package static func poll(_ events: [ChangeLog.Event]?, id: Int, isConnected: Bool) -> [UInt8] {
        var reply = ReplyBuilder(capacity: 4096)
        reply.object { reply in
            reply.add(.number(id), as: "id")
            reply.add(.bool(isConnected), as: "connected")
            reply.add(.bool(events == nil), as: "reset")
            reply.array(as: "events") { reply in
                for event in events ?? [] { add(event, to: &reply) }
            }
        }
        return reply.bytes
    }

    private static func add(_ event: ChangeLog.Event, to reply: inout ReplyBuilder) {
        reply.object { reply in
            reply.add(.number(event.id), as: "id")
            reply.add(.string(event.topic), as: "topic")
            reply.add(text: event.payload, as: "payload")
        }
    }
}

extension [UInt8] {
    /// The JSON text without line breaks, which would end the event; strings in JSON contain none.
    fileprivate var onOneLine: [UInt8] {
        contains(where: Self.breaks) ? map { Self.breaks($0) ? UInt8(ascii: " ") : $0 } : self
    }

    private static func breaks(_ byte: UInt8) -> Bool { byte == 10 || byte == 13 }
}
