/// A device `d` whose keys start in line 4, column 5.
private func asked(_ lines: String...) -> String {
    "devices:\n  d:\n    address: C0:00:00:00:00:01\n" + lines.map { "    \($0)\n" }.joined()
}

/// A question whose answer has these keys from line 4, column 62 on, and other keys of the entry.
private func answered(_ keys: String, _ others: String = "") -> String {
    asked("characteristics: {a: {ask: {to: FFF2, hex: A0}, answer: {\(keys), from: FFF1}, \(others)}}")
}

/// Mistakes in questions and answers.
extension MistakeTests {
    static let questions = [
        Case(
            asked("characteristics: {a: {uuid: FFF1, history: {time: x}}}"),
            "4:48: the records of a history are asked for: add ask, or remove history"),
        Case(
            asked(
                "characteristics: {a: {ask: {to: FFF2, hex: A0}, history: {time: x}, format: [{name: x, type: uint8}]}}"
            ),
            "4:23: the records of 'a' are an answer: add answer: {from: UUID}"),
        Case(
            asked("characteristics: {a: {ask: {to: FFF2, hex: A0}, answer: {from: FFF1}, history: {time: now}}}"),
            "4:23: the records of 'a' need a format: add format"),
        Case(
            asked(
                "ask: {to: FFF2, hex: A0}", "answer: {from: FFF1}", "characteristics:",
                "  a: {ask: {}, history: {time: y, list: z, as: b}, format: [{name: x, type: uint8}]}"),
            "7:7: unknown entry for history.as 'b': known: a, advertisement",
            "7:29: unknown field 'z': known: x",
            "7:29: unknown name 'y': known: now, asked, counter, pin, local.year, local.month, local.day, local.hour, "
                + "local.minute, local.second, local.weekday, local.offset, a.received, a.x, since, last.x, x, index, frame"
        ),
        Case(
            asked(
                "ask: {to: FFF2}", "answer: {from: FFF1}", "characteristics:",
                "  a: {ask: {each: {n: [1, 2, 3]}, hex: A0}}", "  b: {ask: {each: [1, 2], hex: A0}}",
                "  c: {ask: {each: {n: [1, m]}, hex: A0}}", "  d: {write: true, ask: {each: {n: [1, 2]}, hex: A0}}"),
            "7:27: expected {NAME: [FIRST, LAST]}, such as {number: [0, memory.entries - 1]}, found 3 numbers",
            "8:23: expected {NAME: [FIRST, LAST]}, such as {number: [0, memory.entries - 1]}, found a list",
            "9:23: unknown name 'm': known: now, asked, counter, pin, local.year, local.month, local.day, local.hour, "
                + "local.minute, local.second, local.weekday, local.offset, a.received, b.received, c.received, d.received",
            "10:29: a command needs ask.format, whose fields a request sets; remove write: true, or add format",
            "10:36: a command is written once: remove each, or write: true"),
        Case(
            asked(
                "ask: {to: FFF2}", "answer: {from: FFF1}", "characteristics:",
                "  pack: {ask: {each: {n: [1, 2]}, hex: A0}}", "  pack_2: {ask: {hex: A0}}"),
            "8:7: 'pack_2' is also the topic of an answer to 'pack', which has each: rename one of them"),
        Case(
            asked("ask: {hex: A0}", "characteristics: {a: {ask: {}}}"),
            "5:32: the question of 'a' needs a characteristic: add to: UUID"),
        Case(
            asked("characteristics: {a: {ask: {to: FFF2}}}"),
            "4:32: the question of 'a' has no bytes: add hex, text or format"),
        Case(
            asked("characteristics: {a: {ask: {to: FFF2, hex: A0, text: A}}}"),
            "4:32: the question of 'a' has several contents: keep one of hex, text and format"),
        Case(
            asked("characteristics: {a: {ask: {to: FFF2, hex: A0F}}}"),
            "4:48: expected pairs of hexadecimal digits such as A01F, found 'A0F': the second digit of a byte is missing"
        ),
        Case(
            asked("characteristics: {a: {ask: {to: FFF2, hex: A0}, answer: {length: 3}}}"),
            "4:61: the answer of 'a' needs a characteristic: add from: UUID"),
        Case(
            asked("characteristics: {a: {uuid: FFF3, ask: {to: FFF2, hex: A0}}}"),
            "4:33: uuid has no place here: ask.to and answer.from name the characteristics; remove it"),
        Case(
            asked("characteristics: {a: {ask: {to: FFF2, hex: A0}, answer: {from: FFF1, digits: hex}}}"),
            "4:82: the lines of a text need an end: add ends_with, such as {text: \">\"}"),
        Case(
            asked("characteristics: {a: {ask: {to: FFF2, hex: A0}, answer: {from: FFF1, within: 10ms}}}"),
            "4:82: expected 50ms to 5m, found 10ms"),
        Case(
            asked("characteristics: {a: {ask: {to: FFF2, hex: A0, when: b.x > 1}, answer: {from: FFF1}}}"),
            "4:58: unknown name 'b.x': known: now, asked, counter, pin, local.year, local.month, local.day, local.hour, "
                + "local.minute, local.second, local.weekday, local.offset, a.received"),
        Case(
            asked(
                "characteristics: {a: {ask: {to: FFF2, format: [{name: command, type: uint8}], value: {command: 1}},",
                "  answer: {from: FFF1, starts_with: [comand]}}}"),
            "5:41: unknown name 'comand': did you mean 'command'?"),
        Case(
            asked("characteristics: {a: {ask: {to: FFF2, format: [{name: x, type: uint8}]}, answer: {from: FFF1}}}"),
            "4:32: the field 'x' of the question has no value: add value: {x: 1}, or a formula value to the field"),
        Case(
            asked(
                "characteristics: {a: {ask: {to: FFF2, format: [{name: x, type: uint8}], value: {y: 1}}, answer: {from: FFF1}}}"
            ),
            "4:32: the field 'x' of the question has no value: add value: {x: 1}, or a formula value to the field",
            "4:85: unknown member 'y': known: x"),
        Case(
            asked("characteristics: {a: {write: true, ask: {to: FFF2, hex: A0}}}"),
            "4:45: a command needs ask.format, whose fields a request sets; remove write: true, or add format"),
        Case(
            asked("characteristics: {a: {ask: {to: FFF2, hex: A0}, answer: b}}"),
            "4:23: unknown answer 'b': none is defined"),
        Case(
            asked(
                "ask: {to: FFF2}", "answer: {from: FFF1, starts_with: A0}",
                "characteristics: {a: {ask: A0, subscribe: true}, b: {ask: B0}}"),
            "6:54: the frames of 'a' and 'b' cannot be told apart, and one of them is subscribed: give them different "
                + "starts_with"),
        Case(
            asked(
                "ask: {to: FFF2}", "answer: {from: FFF1}",
                "characteristics: {a: {ask: A0}, b: {uuid: FFF1, subscribe: true}}"),
            "6:37: answers arrive on the characteristic of 'b', FFF1: write answer: {from: FFF1} in place of uuid"),
        Case(
            asked(
                "ask: {to: FFF2}", "answer: {from: FFF1}", "characteristics:",
                "  a: {ask: {hex: A0, when: b.x > 0}, answer: {starts_with: A0}, format: [{name: x, type: uint8}]}",
                "  b: {ask: {hex: B0, when: a.x > 0}, answer: {starts_with: B0}, format: [{name: x, type: uint8}]}"),
            "7:7: the question of 'a' needs its own answer: its formulas name entries that need it"),
        Case(
            asked("first: [{ask: {hex: A0}}]"), "4:19: the question of 'first 1' needs a characteristic: add to: UUID"),
        Case(
            asked("characteristics: {a: {answer: {from: FFF1}, read: 1h}}"),
            "4:55: read needs a question: add ask, or remove read"),
        Case(
            answered("length: 65535"), "4:70: a frame has at most 4096 bytes, and this one has 65535"),
        Case(
            answered("length: 2000"),
            "4:70: the frame of 2000 bytes is longer than at_most, 1024 bytes: add at_most: 2000"),
        Case(answered("length: 2.5"), "4:70: expected a whole number of at least 1, but 2.5 is 2.5"),
        Case(answered("length: 3 - 3"), "4:70: expected a whole number of at least 1, but 3 - 3 is 0"),
        Case(
            answered("length: 3, checksum: crc16, ends_with: \"77\""),
            "4:70: a frame of 3 bytes has no content: 3 bytes are those before from, the checksum and the end"),
        Case(
            answered("length: 3, starts_with: A0A1A2A3"),
            "4:70: a frame of 3 bytes is shorter than starts_with, 4 bytes"),
        Case(
            answered("length: {at: 40, type: uint16}, at_most: 40"),
            "4:70: byte 41 is not in a frame of at most 40 bytes (at_most)"),
        Case(
            answered("length: {at: 1, plus: 2000}"),
            "4:70: plus makes each frame longer than at_most, 1024 bytes: add at_most, up to 4096"),
        Case(
            answered("length: {at: 1, plus: -300}"), "4:70: the length is never greater than -45: change plus"),
        Case(
            answered("starts_with: [0x1A0]"), "4:75: a byte is a whole number from 0 to 255, but 0x1A0 is 416"),
        Case(
            answered("starts_with: A0A1A2, at_most: 2"), "4:75: its 3 bytes are more than at_most, 2 bytes"),
        Case(answered("frames: 0"), "4:70: expected a whole number of at least 1, but 0 is 0"),
        Case(
            answered("length: 100, frames: 400"), "4:83: an answer has at most 32768 bytes, and 400 frames have more"),
        Case(
            answered("length: 10, checksum: sum, frames: {at: 9}"),
            "4:97: byte 9 is not in a frame of 9 bytes, counted without checksum and end"),
        Case(
            answered("length: 10, frames: 2, sequence: {at: 10}"),
            "4:95: byte 10 is not in a frame of 10 bytes, counted without checksum and end"),
        Case(
            answered("length: 10, frames: 2, join: {at: 5, length: 6}"),
            "4:91: byte 10 is not in a frame of 10 bytes, counted without checksum and end"),
        Case(
            answered("length: 10, refused: {starts_with: \"EE\", length: 5000}"),
            "4:83: a frame has at most 4096 bytes, and this one has 5000"),
        Case(
            answered("length: 4, checksum: sum", "format: [{name: x, type: uint32}]"),
            "4:109: the fields have 4 bytes, but the answer has 3 without checksum and end"),
        Case(
            answered("length: 4", "format: [{name: x, type: uint8}]"),
            "4:94: the fields have 1 byte, but the answer has 4 without checksum and end: add rest for bytes without a "
                + "meaning"),
        Case(
            answered("length: 4, frames: 2", "format: [{name: x, at: 7, type: uint16}]"),
            "4:105: the fields reach to 9 bytes, but the answer has 8 without checksum and end"),
        Case(
            asked(
                "with: {words: 3000}",
                "characteristics: {a: {ask: {to: FFF2, format: [{name: n, type: uint16}], value: {n: words}},",
                "  answer: {from: FFF1, length: 5 + 2 * n}}}"),
            "6:36: a frame has at most 4096 bytes, and this one has 6005"),
        Case(
            asked(
                "ask: {to: FFF2}", "characteristics:", "  a: {ask: {each: {n: [1, 65]}, hex: A0}}",
                "  b: {ask: {each: {n: [5, 1]}, hex: A0}}", "  c: {ask: {each: {n: [1, 2.5]}, hex: A0}}"),
            "6:23: expected at most 64 numbers, found those from 1 to 65",
            "7:23: there is no number from 5 to 1: write the smaller one first",
            "8:23: expected whole numbers, found 1 and 2.5"),
        Case(
            asked(
                "characteristics: {a: {ask: {to: FFF2, format: [{name: x, type: utf8, length: 512}, FF], value: {x: x}}}}"
            ),
            "4:51: a question has at most 512 bytes, and this one has 513",
            "4:101: unknown name 'x': known: now, asked, counter, pin, local.year, local.month, local.day, local.hour, "
                + "local.minute, local.second, local.weekday, local.offset, a.received"),
    ]
}
