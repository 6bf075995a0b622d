import EventLoop
import System

/// The settings of bluetoothd in `/etc/bluetooth/main.conf` that affect the bridge.
///
/// Source: BlueZ, src/main.conf and src/main.c.
struct BluetoothSettings {
    private static let path = "/etc/bluetooth/main.conf"

    private var values: [String: String] = [:]
    /// The settings in comments: the defaults of the version to which the file belongs.
    private var defaults: [String: String] = [:]

    /// Parses the groups and keys of the file.
    init(_ text: String) {
        var group = ""
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmed
            if line.hasPrefix("[") {
                group = String(line.dropFirst().prefix { $0 != "]" })
            } else if let sign = line.firstIndex(of: "=") {
                let (name, value) = (String(line[..<sign]).trimmed, String(line[line.index(after: sign)...]).trimmed)
                if name.hasPrefix("#") {
                    defaults["\(group)/\(name.dropFirst())"] = value
                } else {
                    values["\(group)/\(name)"] = value
                }
            }
        }
    }

    static func findings() -> [Diagnosis] {
        guard let text = TextFile.read(path) else { return [] }
        return BluetoothSettings(text).findings
    }

    var findings: [Diagnosis] {
        var found = mistakes + advice
        guard let last = found.popLast() else { return [.ok("main.conf", "no setting affects the bridge")] }
        return found + [last.followed(by: "sudo systemctl restart bluetooth")]
    }

    private subscript(key: String) -> String? { values[key]?.lowercased() }

    /// The settings that prevent the bridge from working.
    private var mistakes: [Diagnosis] {
        let rules = [
            ("General/ControllerMode", "bredr", "LE devices cannot be used", "le"),
            ("GATT/Client", "false", "bluetoothd does not discover services", "true"),
            ("Policy/AutoEnable", "false", "adapters stay off after a restart", "true"),
        ]
        return rules.compactMap { key, value, consequence, better in
            self[key] == value
                ? .wrong("main.conf", "\(key) = \(value): \(consequence)", Self.remedy(key, better)) : nil
        }
    }

    /// The settings that make the bridge less reliable.
    private var advice: [Diagnosis] {
        var advice: [Diagnosis] = []
        // In units of 10 ms; 42 is the default of the kernel.
        let timeout = self["LE/ConnectionSupervisionTimeout"].flatMap { Int($0) } ?? 42
        if timeout < 72 {
            advice.append(
                .advice(
                    "main.conf",
                    "connections are lost after \(timeout * 10) ms without a packet: a longer time is more reliable",
                    Self.remedy("LE/ConnectionSupervisionTimeout", "200")))
        }
        if let seconds = self["General/TemporaryTimeout"].flatMap({ Int($0) }), 1..<15 ~= seconds {
            advice.append(
                .advice(
                    "main.conf", "devices are removed after \(seconds) s, too early to connect to some of them",
                    Self.remedy("General/TemporaryTimeout", "30")))
        }
        // The default is 3 in BlueZ 5.66, 1 in 5.82.
        if (self["GATT/Channels"] ?? defaults["GATT/Channels"]).flatMap({ Int($0) }) ?? 1 > 1 {
            advice.append(
                .advice(
                    "main.conf", "some devices disconnect if there are several ATT channels",
                    Self.remedy("GATT/Channels", "1")))
        }
        return advice
    }

    private static func remedy(_ key: String, _ value: String) -> String {
        let parts = key.split(separator: "/")
        return "\(path), [\(parts[0])]: \(parts[1])=\(value)"
    }
}

extension Diagnosis {
    /// Returns the diagnosis with a further command.
    fileprivate func followed(by command: String) -> Diagnosis {
        Diagnosis(subject: subject, state: state, message: message, remedy: (remedy.map { $0 + "\n" } ?? "") + command)
    }
}

extension StringProtocol {
    /// The text without white space at both ends.
    fileprivate var trimmed: String {
        String(String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()))
    }
}
