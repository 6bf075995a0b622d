/// Advertisements that this machine sends.
extension Central {
    /// Sends an advertisement in place of an earlier one with this name; nil: no longer sends it.
    ///
    /// It is sent again after each restart of bluetoothd, and when the adapter is on again.
    package func advertise(_ advertisement: OutgoingAdvertisement?, as name: String) {
        advertisementSender.send(advertisement, as: name)
    }

    /// Calls `handler` on the loop with the name and the new state of an advertisement.
    package func onAdvertisingChange(_ handler: @escaping @Sendable (String, AdvertisingState) -> Void) {
        advertisementSender.onChange(handler)
    }
}
