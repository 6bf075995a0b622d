internal import EventLoop

/// The settings of bluetoothd, `/etc/bluetooth/main.conf`, that matter to a bridge.
///
/// Source: BlueZ, src/main.conf and src/main.c.
struct BluetoothSettings {
    private static let path = "/etc/bluetooth/main.conf"

    private var values: [String: String] = [:]
    /// What stands there commented out: the defaults of the version that the file came with.
    private var defaults: [String: String] = [:]

    /// Reads the groups and keys of a file such as bluetoothd's.
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
        guard let last = found.popLast() else { return [.ok("main.conf", "nothing in it hurts")] }
        return found + [last.followed(by: "sudo systemctl restart bluetooth")]
    }

    private subscript(key: String) -> String? { values[key]?.lowercased() }

    /// What keeps the bridge from working.
    private var mistakes: [Diagnosis] {
        let hindrances = [
            ("General/ControllerMode", "bredr", "no LE device can be used", "le"),
            ("GATT/Client", "false", "bluetoothd then looks up no services", "true"),
            ("Policy/AutoEnable", "false", "adapters stay off after a start", "true"),
        ]
        return hindrances.compactMap { key, value, consequence, better in
            self[key] == value
                ? .wrong("main.conf", "\(key) = \(value): \(consequence)", Self.remedy(key, better)) : nil
        }
    }

    /// What makes it work less well.
    private var advice: [Diagnosis] {
        var advice: [Diagnosis] = []
        // In units of 10 ms; 42 is the kernel's own.
        let patience = self["LE/ConnectionSupervisionTimeout"].flatMap { Int($0) } ?? 42
        if patience < 72 {
            advice.append(
                .advice(
                    "main.conf", "a link is given up after \(patience * 10) ms of silence: more lets fewer break",
                    Self.remedy("LE/ConnectionSupervisionTimeout", "200")))
        }
        if let seconds = self["General/TemporaryTimeout"].flatMap({ Int($0) }), 1..<15 ~= seconds {
            advice.append(
                .advice(
                    "main.conf", "devices are forgotten after \(seconds) s: some cannot be connected before that",
                    Self.remedy("General/TemporaryTimeout", "30")))
        }
        // 3 in 5.66, 1 in 5.82.
        if (self["GATT/Channels"] ?? defaults["GATT/Channels"]).flatMap({ Int($0) }) ?? 1 > 1 {
            advice.append(
                .advice(
                    "main.conf", "several ATT channels make some devices drop the link",
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
    /// With one more command that mends it.
    fileprivate func followed(by command: String) -> Diagnosis {
        Diagnosis(subject: subject, state: state, message: message, remedy: (remedy.map { $0 + "\n" } ?? "") + command)
    }
}

extension StringProtocol {
    /// Without the blanks at both ends.
    fileprivate var trimmed: String {
        String(String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()))
    }
}
