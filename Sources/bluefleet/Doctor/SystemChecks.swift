import Codec
import Configuration
import DBus
import EventLoop
import Glibc
import JSON
import MQTT
import System

/// Checks the program, its libraries, the user and the clock.
enum SystemChecks {
    static func findings() -> [Diagnosis] {
        [
            .ok("program", "\(Program.name) \(Program.version), \(architecture), Swift \(swift)"),
            .ok("libraries", libraries), .ok("user", user), clock,
        ]
    }

    private static var libraries: String {
        let versions = [
            "libdbus \(Connection.libraryVersion)", "libmosquitto \(Client.libraryVersion)",
            "json-c \(JSON.libraryVersion)", "libyaml \(YAMLParser.libraryVersion)",
            "OpenSSL \(Cryptography.libraryVersion)",
        ]
        return versions.joined(separator: ", ")
    }

    static var user: String { name(of: getuid()) }

    /// The group of the current user; the number if there is no name.
    static var group: String {
        guard let entry = unsafe getgrgid(getgid()) else { return "\(getgid())" }
        return unsafe String(cString: entry.pointee.gr_name)
    }

    private static func name(of number: uid_t) -> String { knownName(of: number) ?? "user \(number)" }

    /// Returns a user for `chown` and `install`: the number if there is no name, as in a container.
    static func owner(_ number: uid_t) -> String { knownName(of: number) ?? "\(number)" }

    /// Returns a user for `sudo -u`.
    static func account(_ number: uid_t) -> String { knownName(of: number) ?? "'#\(number)'" }

    private static func knownName(of number: uid_t) -> String? {
        guard let entry = unsafe getpwuid(number) else { return nil }
        return unsafe String(cString: entry.pointee.pw_name)
    }

    /// The diagnosis of the clock.
    ///
    /// A wrong clock makes the times of readings wrong and certificates invalid.
    private static var clock: Diagnosis {
        let now = time(nil)
        let text = "\(Timestamp(milliseconds: Int64(now) * 1000).description.prefix(19))Z"
        // 2026-01-01, before this program was written.
        guard now > 1_767_225_600 else {
            return .wrong("clock", "the clock is wrong: \(text)", "sudo timedatectl set-ntp true")
        }
        guard SystemClock.isSynchronized != false else {
            return .advice("clock", "the clock (\(text)) is not synchronized", "sudo timedatectl set-ntp true")
        }
        return .ok("clock", text)
    }

    private static var architecture: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            "another architecture"
        #endif
    }

    /// The version of the compiler.
    private static var swift: String {
        #if compiler(>=6.4)
            "6.4 or later"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }
}
