/// What a session wants done.
enum SessionAction: Equatable, Sendable {
    /// Make sure that `found` comes: from what is known, from a link that is up, or by a scan.
    case seek
    case stopSeeking
    case connect
    /// Bond with the device, unless there is a bond, then say `paired` or `pairingFailed`.
    case pair
    /// Make bluetoothd forget the bond, which is of no use any more, with the link, then say `ended`.
    case forgetBond
    case discover
    /// Make bluetoothd forget what it knows of the device's services, with the link, then say `ended`.
    case clearCache
    /// The device does not have these, as far as can be told.
    case reportMissing([String])
    case subscribe(String)
    case read(String)
    /// The commands that wait can be carried out.
    case serve
    /// Cancel the subscriptions, then the link, then say `ended`.
    case end
    /// A collecting session is over; missing are the characteristics that gave no value.
    ///
    /// Why it was broken off; nil: it was not, it has everything or its time is over.
    case collected(missing: Set<String>, brokenOff: String? = nil)
    case schedule(SessionTimer, after: Duration)
    case cancel(SessionTimer)
}
