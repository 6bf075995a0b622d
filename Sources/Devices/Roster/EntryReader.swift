package import Bluetooth
package import Configuration
import JSON

/// Reads the entries of devices that were added at run time, with one configuration and each entry once.
///
/// Reading a large entry takes a second on a slow host, and each change of the fleet needs all entries.
package final class EntryReader {
    package let configuration: Configuration
    /// The results by the name of the device.
    private var results: [String: (entry: JSON.Object, outcome: Result<Configuration.Device, EntryError>)] = [:]
    /// The devices with their options, by address.
    private var changed: [Address: Changed] = [:]
    /// How many entries have been read.
    package private(set) var readCount = 0

    /// The result of the options of one device.
    private struct Changed {
        let device: Configuration.Device
        let options: Roster.Options
        let outcome: Result<Configuration.DeviceWithOptions, EntryError>
    }

    package init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    /// Returns the device of an addition.
    ///
    /// - Parameters:
    ///   - addition: The name and the entry of the device.
    ///   - checkingFiles: Whether the files named in the entry must be in the folder `keys` of the configuration and have
    ///     valid contents.
    /// - Returns: The device with the profiles of the configuration.
    /// - Throws: `EntryError` with the mistakes in the entry.
    package func device(
        of addition: Roster.Addition, checkingFiles: Bool = false
    ) throws(EntryError) -> Configuration.Device {
        if !checkingFiles, let known = results[addition.name], known.entry == addition.entry {
            return try known.outcome.get()
        }
        readCount += 1
        let outcome = read(addition, checkingFiles)
        results[addition.name] = (addition.entry, outcome)
        return try outcome.get()
    }

    private func read(_ addition: Roster.Addition, _ checkingFiles: Bool) -> Result<Configuration.Device, EntryError> {
        do throws(EntryError) {
            let text = JSON.object(addition.entry).description
            return .success(
                try configuration.device(named: addition.name, entry: text, checkingFiles: checkingFiles))
        } catch {
            return .failure(error)
        }
    }

    /// Returns a device with its options, and warnings; they are read only if the device or the options have changed.
    ///
    /// - Throws: `EntryError` with the mistakes in the options.
    package func device(
        _ device: Configuration.Device, options: Roster.Options
    ) throws(EntryError) -> Configuration.DeviceWithOptions {
        if let known = changed[device.address], known.options == options, known.device == device {
            return try known.outcome.get()
        }
        readCount += 1
        let outcome: Result<Configuration.DeviceWithOptions, EntryError>
        do throws(EntryError) {
            outcome = .success(try configuration.device(device, options: JSON.object(options.settings).description))
        } catch {
            outcome = .failure(error)
        }
        changed[device.address] = Changed(device: device, options: options, outcome: outcome)
        return try outcome.get()
    }

    /// Returns the device with an address without its options; nil if it has none.
    package func configured(_ address: Address) -> Configuration.Device? { changed[address]?.device }

    /// Forgets the result of an entry.
    package func forget(_ addition: Roster.Addition) {
        results[addition.name] = nil
    }

    /// Forgets the results of all entries except those of the given additions.
    package func forget(allExcept additions: [Roster.Addition]) {
        let names = Set(additions.map(\.name))
        results = results.filter { names.contains($0.key) }
    }

    /// Forgets the results of all options except those of the devices with these addresses.
    package func forgetOptions(allExcept addresses: some Sequence<Address>) {
        let addresses = Set(addresses)
        changed = changed.filter { addresses.contains($0.key) }
    }
}
