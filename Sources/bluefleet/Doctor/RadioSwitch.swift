internal import Bridge
internal import Glibc

/// The kernel's switches for radios, rfkill: an adapter that is blocked there cannot be switched on.
enum RadioSwitch {
    private static let folder = "/sys/class/rfkill"

    /// What is wrong with those for Bluetooth.
    static func findings() -> [Diagnosis] {
        names.compactMap { name in
            func value(_ key: String) -> String? { TextFile.read("\(folder)/\(name)/\(key)")?.filter { !$0.isNewline } }
            guard value("type") == "bluetooth" else { return nil }
            let radio = value("name") ?? name
            if value("hard") == "1" {
                return .wrong("rfkill", "\(radio) is switched off by a switch or key of the machine", nil)
            }
            if value("soft") == "1" {
                return .wrong("rfkill", "\(radio) is blocked", "sudo rfkill unblock bluetooth")
            }
            return nil
        }
    }

    private static var names: [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
