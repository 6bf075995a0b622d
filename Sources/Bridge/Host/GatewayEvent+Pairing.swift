import BlueZ
import Contract

extension GatewayEvent {
    /// Creates the event for a question of a pairing.
    init(_ question: PairingQuestion.Subject, from partner: PairingPartner) {
        switch question {
        case .passkey: self = .passkeyRequest(partner)
        case .comparison(let number): self = .confirm(partner, number: number)
        }
    }
}
