internal import EventLoop
internal import Glibc

/// One of the kernel's switches for radios, rfkill: an adapter that is blocked there cannot be switched on.
package struct RadioSwitch: Hashable, Sendable {
    package enum Block: Hashable, Sendable {
        /// By a switch or a key of the machine.
        case hard
        /// By a program.
        case soft

        /// What it is and what ends it, for people.
        package var description: String {
            switch self {
            case .hard: "switched off by a switch or key of the machine"
            case .soft: "blocked by rfkill: sudo rfkill unblock bluetooth"
            }
        }
    }

    /// Where the kernel shows them.
    package static let folder = "/sys/class/rfkill"

    /// The name of the radio: that of the adapter, `hci0`, or one of the machine's maker.
    package let radio: String
    /// Nil: it is let on.
    package let block: Block?

    /// Those for Bluetooth.
    package static func all(in folder: String = folder) -> [RadioSwitch] {
        names(in: folder).compactMap { name in
            func value(_ key: String) -> String? { TextFile.read("\(folder)/\(name)/\(key)")?.filter { !$0.isNewline } }
            guard value("type") == "bluetooth" else { return nil }
            let block: Block? = value("hard") == "1" ? .hard : value("soft") == "1" ? .soft : nil
            return RadioSwitch(radio: value("name") ?? name, block: block)
        }
    }

    private static func names(in folder: String) -> [String] {
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
