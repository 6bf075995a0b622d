internal import BlueZ
internal import Bluetooth
internal import Codec
internal import Configuration
internal import EventLoop
internal import JSON
internal import Log
internal import MQTT

/// From advertisements to readings: each quantity has a topic, and what one packet says has one time.
extension Device {
    /// A packet of the device was heard.
    func heard(_ sighting: Sighting) {
        guard var listener else { return }
        let outcome = listener.take(sighting, at: loop.now)
        self.listener = listener
        switch outcome {
        case .nothing: break
        case .readings(let readings, let refusal):
            publish(readings)
            if let refusal { tell(refusal, sighting.advertisement) }
        case .obstacle(let error): tell(error, sighting.advertisement)
        }
        publishStatus()
    }

    private func publish(_ readings: [AdvertisementReading]) {
        let (time, now) = (loop.timestamp, loop.now)
        let expiry = configuration.publish.expiry(ofWhatComesEvery: listener?.rhythm.interval)
        let isNews = learn(readings)
        for reading in readings {
            guard case .fields(let members) = reading.reading else { continue }
            for member in members {
                guard let entry = advertised.first(where: { $0.quantity.name == member.name }),
                    !(reading.isRepeated && entry.quantity.isEvent)
                else { continue }
                let reading = Reading.value(member.value, unit: member.unit)
                entry.publication.take(ReceivedReading(reading: reading, time: time), expiry: expiry, at: now)
            }
        }
        if isNews {
            publishInfo()
            quantitiesChanged()
        }
    }

    /// Makes topics of the quantities that were not known; says whether there are any.
    private func learn(_ readings: [AdvertisementReading]) -> Bool {
        var isNews = false
        for reading in readings {
            guard case .fields(let members) = reading.reading else { continue }
            for member in members where !advertised.contains(where: { $0.quantity.name == member.name }) {
                isNews = know(AdvertisedQuantity(member, of: reading.format)) || isNews
            }
        }
        return isNews
    }

    /// So many quantities a device may have.
    private static let mostQuantities = 64

    /// Makes a topic for a quantity.
    ///
    /// - Returns: whether there is one now that was not there before.
    @discardableResult
    func know(_ quantity: AdvertisedQuantity) -> Bool {
        if advertised.contains(where: { $0.quantity.name == quantity.name }) { return false }
        if let obstacle = obstacle(toTopicOf: quantity.name) {
            leaveOut(quantity.name, obstacle)
            return false
        }
        do throws(TopicError) {
            let publication = try Publication(
                quantity.name, of: name, isRetained: !quantity.isEvent, configuration.publish, outlet, loop: loop)
            advertised.append((quantity, publication))
            return true
        } catch {
            leaveOut(quantity.name, "\(error)")
            return false
        }
    }

    /// What keeps a quantity from having a topic.
    private func obstacle(toTopicOf name: String) -> String? {
        if channel(named: name) != nil { return "a characteristic has that name: give it another one" }
        if advertised.count >= Self.mostQuantities { return "a device has \(Self.mostQuantities) at most" }
        return TopicName.complaint(aboutCharacteristic: name)
    }

    /// Tells once that something of what is advertised is not published.
    private func leaveOut(_ quantity: String, _ reason: String) {
        guard leftOut.count < Self.mostQuantities, leftOut.insert(quantity).inserted else { return }
        log.warning("\(quantity.quotedForMessage) is advertised and has no topic: \(reason)")
    }

    /// Tells once why the advertisements cannot be read.
    private func tell(_ error: AdvertisementError, _ advertisement: Advertisement) {
        log.warning("its advertisement cannot be read: \(error)")
        var details: JSON.Object = ["reason": .string("\(error)")]
        guard case .undecodable = error else {
            return outlet.announce("advertisement_refused", device: name, details, at: loop.timestamp)
        }
        history.decodeFailed()
        let data = Array(advertisement.manufacturerData.values) + Array(advertisement.serviceData.values)
        details["characteristic"] = "advertisement"
        details["hex"] = .string(data.first?.hexadecimal ?? "")
        outlet.announce("decode_failed", device: name, details, at: loop.timestamp)
    }

    /// What `PREFIX/DEVICE/info` says of what is advertised.
    var advertisedInfo: JSON.Object {
        guard listener != nil else { return [:] }
        let fields = advertised.map { entry -> JSON in
            var field: JSON.Object = ["name": .string(entry.quantity.name), "format": .string(entry.quantity.format)]
            field.add("unit", entry.quantity.unit)
            return .object(field)
        }
        return ["advertisement": ["fields": .array(fields)]]
    }
}

extension Configuration.Device {
    /// What reads them.
    ///
    /// - Throws: `Complaint` about the file of the key; never with what is in it.
    func advertisementDecoder() throws(Complaint) -> AdvertisementDecoder {
        var key: AdvertisementKey?
        if let file = self.keyFile { key = try Secret.advertisementKey(file.path) }
        return AdvertisementDecoder(address: address, key: key, formats: self.advertisements)
    }
}
