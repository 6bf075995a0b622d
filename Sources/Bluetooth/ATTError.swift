/// An error code of the Attribute Protocol, with which a peripheral rejects a request.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.1.1. The codes from 0xE0 on are the common profile errors of the Core
/// Specification Supplement, Part B.
package struct ATTError: Error, Hashable, Sendable {
    /// The code, from 0x01 to 0xFF.
    package let code: UInt8

    package init(code: UInt8) {
        self.code = code
    }

    private struct Entry {
        let name: String
        let meaning: String
        let advice: String

        init(_ name: String, _ meaning: String, _ advice: String) {
            self.name = name
            self.meaning = meaning
            self.advice = advice
        }
    }

    /// A short name for programs, for example `read_not_permitted`.
    package var name: String { entry.name }

    /// The cause of the error, in a few words.
    package var meaning: String { entry.meaning }

    /// The action that the user can take.
    package var advice: String { entry.advice }

    private var entry: Entry {
        if let entry = Self.entries[code] { return entry }
        return switch code {
        case 0x80...0x9F:
            Entry("application_error", "an error that the service defines", "see the specification of the service")
        default: Entry("reserved", "a reserved error code", "report it to the device's maker")
        }
    }

    private static let entries: [UInt8: Entry] = [
        0x01: Entry("invalid_handle", "the attribute does not exist", "the services of the device changed: reconnect"),
        0x02: Entry("read_not_permitted", "the value cannot be read", "subscribe to it, or leave out read"),
        0x03: Entry("write_not_permitted", "the value cannot be written", "choose a writable characteristic"),
        0x04: Entry("invalid_pdu", "the request was malformed", "report it with a btmon trace"),
        0x05: Entry("insufficient_authentication", "an authenticated bond is required", "pair the device"),
        0x06: Entry("request_not_supported", "the device does not support this request", "use another operation"),
        0x07: Entry("invalid_offset", "the offset is past the end of the value", "shorten the value"),
        0x08: Entry("insufficient_authorization", "an authorization is required", "allow this gateway on the device"),
        0x09: Entry("prepare_queue_full", "too many prepared writes", "write again later"),
        0x0A: Entry("attribute_not_found", "no attribute in this range", "reconnect to discover the services again"),
        0x0B: Entry("attribute_not_long", "the value cannot be read in parts", "report it with a btmon trace"),
        0x0C: Entry("encryption_key_size_too_short", "the key is too short", "unpair the device and pair it again"),
        0x0D: Entry("invalid_attribute_value_length", "the value has the wrong length", "check the value's format"),
        0x0E: Entry(
            "unlikely_error", "the device could not perform the request",
            "try again; restart the device if the error persists"),
        0x0F: Entry("insufficient_encryption", "an encrypted connection is required", "pair the device"),
        0x10: Entry("unsupported_group_type", "not a grouping attribute", "report it with a btmon trace"),
        0x11: Entry("insufficient_resources", "the device is out of resources", "try again later"),
        0x12: Entry("database_out_of_sync", "the services of the device changed", "reconnect to discover them again"),
        0x13: Entry("value_not_allowed", "the value is not allowed", "check the value against the device's manual"),
        0xFC: Entry(
            "write_request_rejected", "the device rejected the write", "check the device's state and the value"),
        0xFD: Entry("cccd_improperly_configured", "notifications are not enabled", "subscribe first"),
        0xFE: Entry("procedure_already_in_progress", "an earlier request is still running", "wait and try again"),
        0xFF: Entry("out_of_range", "the value is out of range", "check the value against the device's manual"),
    ]
}

extension ATTError: CustomStringConvertible {
    /// The text of the error, for example
    /// `ATT error 0x02 (read_not_permitted): the value cannot be read: subscribe to it, or leave out read`.
    package var description: String {
        "ATT error 0x\(String(code, radix: 16, uppercase: true).leftPadded(to: 2)) (\(name)): \(meaning): \(advice)"
    }
}
