package import Configuration
package import JSON
package import System

/// The payload of `PREFIX/bridge/GATEWAY/log`: one line of the log.
package struct LogEntry: Equatable, Sendable {
    package let level: Configuration.LogLevel
    /// A part of the gateway, or the name of a device.
    package let subject: String
    package let message: String
    package let time: Timestamp

    package init(level: Configuration.LogLevel, subject: String, message: String, time: Timestamp) {
        self.level = level
        self.subject = subject
        self.message = message
        self.time = time
    }

    package var json: JSON {
        [
            "level": .string(level.rawValue), "subject": .string(subject), "message": .string(message),
            "time": .text(time),
        ]
    }

    /// - Returns: nil if the payload is not of this kind.
    package init?(_ json: JSON) {
        guard let level = json["level"]?.string.flatMap({ Configuration.LogLevel(rawValue: $0) }),
            let subject = json["subject"]?.string, let message = json["message"]?.string, let time = json.time("time")
        else { return nil }
        self.init(level: level, subject: subject, message: message, time: time)
    }
}
