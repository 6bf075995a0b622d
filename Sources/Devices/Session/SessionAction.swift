/// An action that the device performs for its session.
package enum SessionAction: Equatable, Sendable {
    /// Report `found` as soon as the device can be connected: it was seen recently, is connected already, or is found
    /// by a scan.
    case seek
    case stopSeeking
    case connect
    /// Bond with the device unless there is a bond, then report `paired` or `pairingFailed`.
    case pair
    /// Disconnect and remove the invalid bond from bluetoothd, then report `ended`.
    case forgetBond
    case discover
    /// Disconnect and clear bluetoothd's cache of the device's services, then report `ended`.
    case clearCache
    /// Report that the device lacks these configured characteristics.
    case reportMissing([String])
    case subscribe(String)
    /// Report that the subscription to a characteristic fails repeatedly.
    case reportSubscription(String, reason: String)
    case read(String)
    /// Report that the reads of a characteristic fail repeatedly.
    case reportRead(String, reason: String)
    /// Execute the queued commands.
    case executeCommands
    /// Cancel the subscriptions, disconnect, then report `ended`.
    case end
    /// A collecting session has ended.
    ///
    /// - Parameters:
    ///   - missing: the characteristics without a value.
    ///   - unanswered: the entries whose questions had no answer.
    ///   - brokenOff: why the session ended early; nil if it was complete or its time was over.
    case collected(missing: Set<String>, unanswered: Set<String> = [], brokenOff: String? = nil)
    case schedule(SessionTimer, after: Duration)
    case cancel(SessionTimer)
}
