internal import BlueZ
internal import Codec

/// Characteristics whose bytes neither the configuration nor the Bluetooth SIG lays down describe themselves, by their
/// descriptors 2904, 2901 and 2906.
extension Device {
    /// Asks the device what the bytes mean of those of its characteristics of which nobody has said.
    ///
    /// - Throws: `CentralError` when the link goes down, or the services change.
    func askForFormats(_ peripheral: Peripheral) async throws(CentralError) {
        var isNews = false
        for channel in channels where channel.format == nil {
            guard let characteristic = channel.characteristic,
                let format = try await Inspection.Finding.format(of: characteristic, of: peripheral)
            else { continue }
            channel.describe(format)
            isNews = true
        }
        if isNews { tellIdentity() }
    }

    /// What the device itself has said of its characteristics' bytes, by their names.
    var ownFormats: [String: Format] {
        let described = channels.filter { $0.configuration.meaning == nil }
        return Dictionary(
            uniqueKeysWithValues: described.compactMap { channel in
                channel.format.map { (channel.name, $0) }
            })
    }
}
