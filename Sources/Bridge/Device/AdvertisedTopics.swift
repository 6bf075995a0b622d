import BlueZ
import Bluetooth
import Codec
import Configuration
import Contract
import Devices
import EventLoop
import JSON
import Log
import MQTT
import System

/// The readings in the advertisements of one device: each quantity has a topic.
///
/// All readings of one advertisement have the same time.
final class AdvertisedTopics {
    /// The result of one advertisement.
    struct Outcome {
        var hasNewQuantities = false
        var hasReadings = false
        /// Whether the device has started to count its encrypted packets anew.
        var hasRestarted = false
        /// Why the advertisement, or a part of it, cannot be decoded; nil if there is no reason or no new reason.
        var error: AdvertisementError?
    }

    private struct Topic {
        var quantity: AdvertisedQuantity
        let publication: Publication
        /// The conversion of the values; nil: they are published in their own unit.
        let conversion: ValueConversion?
        /// The rules for publishing that replace those of the device; nil: none.
        let rules: Configuration.PublishRules?
    }

    /// Decodes the advertisements; nil if the configuration does not use the advertisements of the device.
    private(set) var listener: AdvertisementListener?
    private var topics: [Topic] = []
    /// The names of the advertised quantities for which the log has reported that they cannot have a topic.
    private var omitted: Set<String> = []
    private var quantitiesChanged: () -> Void = {}
    /// nil: the device is not shared with other gateways.
    private var ownership: Ownership?

    private let configuration: Configuration.Device
    private let output: DevicePublisher
    private let calculated: CalculatedValues?
    private let loop: EventLoop

    /// The maximum number of quantities of one device.
    private static let quantityLimit = 64

    init(
        _ configuration: Configuration.Device, _ output: DevicePublisher, _ calculated: CalculatedValues?,
        loop: EventLoop
    ) {
        self.configuration = configuration
        self.output = output
        self.calculated = calculated
        self.loop = loop
    }

    var quantities: [AdvertisedQuantity] { topics.map(\.quantity) }
    var publications: [Publication] { topics.map(\.publication) }

    // MARK: Life

    /// Starts to decode advertisements.
    ///
    /// - Parameters:
    ///   - known: the quantities that earlier runs of the program have received.
    ///   - memory: what an earlier run knew about the times of the advertisements; nil: nothing.
    ///   - onNewQuantities: called when the device has advertised a new quantity.
    func start(
        known: [AdvertisedQuantity], _ memory: AdvertiserMemory?, onNewQuantities: @escaping () -> Void
    ) {
        quantitiesChanged = onNewQuantities
        let listener = AdvertisementListener(decoder, expected: configuration.expect)
        if let memory { listener.restore(memory, at: loop.now) }
        self.listener = listener
        let configured = configuration.advertisements.flatMap { format in
            format.quantities.map { AdvertisedQuantity($0, of: format.name) }
        }
        for quantity in configured + known where quantity.meaning(configuration.advertisements) != nil {
            addTopic(for: quantity)
        }
    }

    /// The decoder with the configured key, or without a key if the key file cannot be read.
    private var decoder: AdvertisementDecoder {
        do throws(InvalidValue) {
            return try configuration.advertisementDecoder()
        } catch {
            let reason = "cannot read the key: \(error)"
            output.log.error(reason)
            output.publish(.advertisementRefused(device: configuration.name, reason: reason))
            return AdvertisementDecoder(address: configuration.address, formats: configuration.advertisementFormats)
        }
    }

    /// Shares the device with other gateways.
    func share(by ownership: Ownership) {
        self.ownership = ownership
        for topic in topics { topic.publication.share(by: ownership) }
    }

    /// Restarts the measurement of the time without an advertisement if Bluetooth was switched on or off.
    func bluetoothChanged(isOn: Bool, at now: Instant) {
        listener?.bluetoothChanged(isOn: isOn, at: now)
    }

    /// Continues after the encrypted packets that another gateway has accepted.
    func follow(counters: [String: UInt64], at now: Instant) {
        listener?.follow(counters: counters, at: now)
    }

    // MARK: Advertisements

    /// Decodes and publishes an advertisement; returns nil if the configuration does not use the device's
    /// advertisements.
    func receive(_ sighting: Sighting, at now: Instant) -> Outcome? {
        let restartCount = listener?.restartCount
        guard let decoded = listener?.receive(sighting, at: now) else { return nil }
        let hasRestarted = listener?.restartCount != restartCount
        switch decoded {
        case .nothing: return Outcome()
        case .readings(let readings, let error):
            let hasNewQuantities = addTopics(for: readings)
            let time = loop.timestamp
            if ownership?.admits(readings, at: now, time, areKept: keepsReadings) ?? output.publisher.mayPublish {
                publish(readings, at: now, time)
            }
            return Outcome(
                hasNewQuantities: hasNewQuantities, hasReadings: true, hasRestarted: hasRestarted, error: error)
        case .obstacle(let error): return Outcome(error: error)
        }
    }

    func reportNewQuantities() {
        quantitiesChanged()
    }

    /// Publishes the readings that waited, as far as this gateway owns the device.
    func publishHeld() {
        for held in ownership?.takeHeld() ?? [] {
            publish(held.readings, at: held.arrival, held.time, held.isKept ? .publishOthers : .publish)
        }
    }

    /// Whether some of the readings wait on the disk while the right to publish is in doubt.
    private var keepsReadings: Bool { allPublications.contains(where: \.isKept) }
    private var allPublications: [Publication] { publications + (calculated?.publications ?? []) }

    /// Returns the messages for the disk of the readings that wait and were not kept before.
    ///
    /// - Parameter includesNewest: Whether the newest readings are kept too, which otherwise wait in memory only.
    /// - Returns: The messages in the order of their arrival.
    func keepHeld(includesNewest: Bool) -> [HeldMessage] {
        guard let ownership else { return [] }
        var messages = ownership.takeKeptMessages()
        guard keepsReadings else { return messages }
        let areComplete = allPublications.allSatisfy(\.isKept)
        for held in ownership.keepHeld(includesNewest: includesNewest, areComplete: areComplete) {
            let delivery = ReadingDelivery.keep { message in
                messages.append(HeldMessage(message: message, arrival: held.arrival, stamp: held.stamp))
            }
            publish(held.readings, at: held.arrival, held.time, delivery)
        }
        return messages
    }

    /// Publishes or keeps the readings of an advertisement.
    private func publish(
        _ readings: [AdvertisementReading], at now: Instant, _ time: Timestamp, _ delivery: ReadingDelivery = .publish
    ) {
        let interval = listener?.rhythm.interval
        let isOccasional = configuration.isOccasional
        let expiry = isOccasional ? nil : configuration.publish.expiry(ofWhatComesEvery: interval)
        var packet: [ValueCalculator.NamedReading] = []
        // The topic of each value; nil for a value that is left out, but may be part of a derived one.
        var places: [Int?] = []
        for reading in readings {
            guard case .fields(let members) = reading.reading else { continue }
            for member in members {
                let place = topics.firstIndex { $0.quantity.name == member.name }
                if let place {
                    if reading.isRepeated, topics[place].quantity.isEvent { continue }
                } else if !isLeftOut(member.name) {
                    continue
                }
                packet.append(
                    ValueCalculator.NamedReading(member.name, .value(member.value, unit: member.unit)))
                places.append(place)
            }
        }
        if let calculated { packet = calculated.corrected(packet) }
        for (entry, place) in zip(packet, places) {
            guard let place, let reading = converted(entry.reading, of: topics[place]) else { continue }
            let own = topics[place].rules.map { isOccasional ? nil : $0.expiry(ofWhatComesEvery: interval) }
            let received = ReceivedReading(reading: reading, time: time, entry.marks)
            delivery.deliver(received, by: topics[place].publication, expiry: own ?? expiry, at: now)
        }
        calculated?.publish(derivedFrom: packet, time, expiry: expiry, at: now, delivery)
    }

    /// Returns a reading in the unit of the configuration; nil if its unit cannot be converted.
    private func converted(_ reading: Reading, of topic: Topic) -> Reading? {
        guard let unit = configuration.quantityRules[topic.quantity.name]?.unit,
            case .value(let value, let own) = reading, unit != own
        else { return reading }
        if value == .null { return .value(.null, unit: unit) }
        // Few devices choose among several units.
        let usual = topic.conversion.flatMap { $0.source == own ? $0 : nil }
        guard case .number(let number) = value,
            let result = (usual ?? own.flatMap { ValueConversion(from: $0, to: unit) })?(number)
        else {
            omit(topic.quantity.name, because: "\(own ?? "a value without a unit") cannot be converted to \(unit)")
            return nil
        }
        return .value(.number(result), unit: unit)
    }

    /// Whether the configuration leaves a quantity out.
    private func isLeftOut(_ name: String) -> Bool {
        configuration.quantityRules[name]?.isLeftOut ?? false
    }

    // MARK: Topics

    /// Adds a topic for each new quantity; returns whether a topic was added or the product of a quantity has changed.
    private func addTopics(for readings: [AdvertisementReading]) -> Bool {
        var isAnyNew = false
        for reading in readings {
            guard case .fields(let members) = reading.reading else { continue }
            for member in members {
                if let index = topics.firstIndex(where: { $0.quantity.name == member.name }) {
                    isAnyNew = note(reading.product, of: reading.format, at: index) || isAnyNew
                    continue
                }
                var quantity = AdvertisedQuantity(member, of: reading.format)
                quantity.product = reading.product
                isAnyNew = addTopic(for: quantity) || isAnyNew
            }
        }
        return isAnyNew
    }

    /// Stores the product that a packet shows; returns whether it has changed.
    private func note(_ product: Int?, of format: String, at index: Int) -> Bool {
        let quantity = topics[index].quantity
        guard let product, quantity.format == format, quantity.product != product else { return false }
        topics[index].quantity.product = product
        return true
    }

    /// Adds a topic unless the quantity has one or cannot have one; returns whether a topic was added.
    @discardableResult
    private func addTopic(for quantity: AdvertisedQuantity) -> Bool {
        if isLeftOut(quantity.name) || topics.contains(where: { $0.quantity.name == quantity.name }) { return false }
        if let obstacle = obstacle(toTopicOf: quantity.name) {
            omit(quantity.name, because: obstacle)
            return false
        }
        do throws(TopicError) {
            let own = configuration.quantityRules[quantity.name]
            let publication = try Publication(
                quantity.name, of: configuration.name, isRetained: !quantity.isEvent && own?.retain ?? true,
                qos: own?.qos, keep: own?.keep ?? own?.publish?.keep ?? configuration.keepOfAdvertisements,
                rules(of: quantity, own?.publish), output.publisher, loop: loop)
            if let ownership { publication.share(by: ownership) }
            let conversion = own?.unit.flatMap { unit in quantity.unit.flatMap { ValueConversion(from: $0, to: unit) } }
            topics.append(
                Topic(quantity: quantity, publication: publication, conversion: conversion, rules: own?.publish))
            return true
        } catch {
            omit(quantity.name, because: "\(error)")
            return false
        }
    }

    /// Returns the rules for publishing a quantity; `own` are those that the configuration has for it.
    private func rules(
        of quantity: AdvertisedQuantity, _ own: Configuration.PublishRules?
    ) -> Configuration.PublishRules {
        let rules = own ?? configuration.publish
        if quantity.isEvent { return rules.forEvents }
        let isNumber = quantity.meaning(configuration.advertisements)?.form == .number
        return isNumber ? rules : rules.forStates
    }

    /// Returns why a quantity cannot have a topic; nil if it can.
    private func obstacle(toTopicOf name: String) -> String? {
        if configuration.characteristics.contains(where: { $0.topicName == name }) {
            return "a characteristic has the same name: rename the characteristic"
        }
        if configuration.derivedValues.contains(where: { $0.name == name }) {
            return "a derived value has the same name: rename the derived value"
        }
        if topics.count >= Self.quantityLimit { return "the maximum is \(Self.quantityLimit) quantities per device" }
        return TopicName.problem(inCharacteristicName: name)
    }

    /// Logs once that a quantity is not published.
    private func omit(_ quantity: String, because reason: String) {
        guard omitted.count < Self.quantityLimit, omitted.insert(quantity).inserted else { return }
        output.log.warning(
            "the advertised quantity \(quantity.quotedForMessage) is not published: \(reason)")
    }

    /// The advertised quantities for `PREFIX/DEVICE/info`; nil if the gateway does not read the advertisements.
    var info: [DeviceInfo.Field]? {
        guard listener != nil else { return nil }
        return topics.map { topic in
            DeviceInfo.Field(
                name: topic.quantity.name, format: topic.quantity.format,
                unit: configuration.quantityRules[topic.quantity.name]?.unit ?? topic.quantity.unit)
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
