extension Duration {
    /// The duration as an age: `now`, `5 s`, `3 min`, `2 h`, `3 d`.
    var age: String {
        let seconds = components.seconds
        return switch seconds {
        case ..<1: "now"
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86400) d"
        }
    }
}
