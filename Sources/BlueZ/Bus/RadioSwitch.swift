import System

/// One of the kernel's rfkill switches for radios.
///
/// A blocked adapter cannot be switched on.
package struct RadioSwitch: Hashable, Sendable {
    package enum Block: Hashable, Sendable {
        /// A switch or key of the machine blocks the radio.
        case hard
        /// A program blocks the radio.
        case soft

        /// The block and its remedy, as a text for the user.
        package var description: String {
            switch self {
            case .hard: "switched off by a switch or key of the machine"
            case .soft: "blocked by rfkill: sudo rfkill unblock bluetooth"
            }
        }
    }

    /// The folder of the kernel's rfkill switches.
    package static let folder = "/sys/class/rfkill"

    /// The name of the radio: the adapter's name, for example `hci0`, or a name that the machine's maker has chosen.
    package let radio: String
    /// How the radio is blocked; nil: not blocked.
    package let block: Block?

    /// Returns the rfkill switches of all Bluetooth radios.
    package static func all(in folder: String = folder) -> [RadioSwitch] {
        Folder.names(in: folder).compactMap { name in
            func value(_ key: String) -> String? { TextFile.read("\(folder)/\(name)/\(key)")?.filter { !$0.isNewline } }
            guard value("type") == "bluetooth" else { return nil }
            let block: Block? = value("hard") == "1" ? .hard : value("soft") == "1" ? .soft : nil
            return RadioSwitch(radio: value("name") ?? name, block: block)
        }
    }
}
