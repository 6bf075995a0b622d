import Contract
import Devices
import Codec
import Configuration
import EventLoop
import JSON
import Log
import System

/// Decoding of the device's advertisements.
extension Device {
    /// Starts to decode the advertisements of the device, if the configuration uses them.
    ///
    /// - Parameters:
    ///   - known: the quantities that earlier runs of the program have received.
    ///   - memory: what an earlier run knew about the times of the advertisements; nil: nothing.
    ///   - body: called when the device has advertised a new quantity.
    func listenToAdvertisements(
        known: [AdvertisedQuantity], _ memory: AdvertiserMemory?, onNewQuantities body: @escaping () -> Void
    ) {
        guard configuration.listensToAdvertisements else { return }
        advertised.start(advertisementDecoder, known: known, memory, through: publisher, onNewQuantities: body)
    }

    /// Returns the memory for the next run: the times of the advertisements, or that the device is unavailable; nil if there
    /// is nothing to remember.
    func memory(at now: Instant) -> AdvertiserMemory? {
        advertised.listener?.memory(at: now) ?? status.memory(session.plan, at: now)
    }

    /// The decoder with the configured key, or without a key if the key file cannot be read.
    private var advertisementDecoder: AdvertisementDecoder {
        do throws(InvalidValue) {
            return try configuration.advertisementDecoder()
        } catch {
            let reason = "cannot read the key: \(error)"
            log.error(reason)
            publisher.publish(.advertisementRefused(device: name, reason: reason), at: loop.timestamp)
            return AdvertisementDecoder(address: configuration.address, formats: configuration.advertisementFormats)
        }
    }
}

extension Configuration.Device {
    /// The formats that have priority over the built-in formats.
    fileprivate var advertisementFormats: [AdvertisementFormat] {
        self.advertisements + (self.medium.map { Advertisements.tankSensors(in: $0) } ?? [])
    }

    /// Returns a decoder for the device's advertisements.
    ///
    /// - Throws: `InvalidValue` if the key file cannot be read; the error does not contain the key.
    fileprivate func advertisementDecoder() throws(InvalidValue) -> AdvertisementDecoder {
        var key: AdvertisementKey?
        if let file = self.keyFile { key = try Secret.advertisementKey(file.path) }
        return AdvertisementDecoder(address: address, key: key, formats: advertisementFormats)
    }
}
