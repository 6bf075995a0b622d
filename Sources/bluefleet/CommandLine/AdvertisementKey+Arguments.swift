internal import Codec
internal import Configuration

extension AdvertisementKey {
    static let option = Option("key", value: "HEX", "the key of an encrypted advertisement, 32 digits")
    static let fileOption = Option("key-file", value: "FILE", "the file that holds that key")

    /// The key that was typed, or that a file holds; nil when none was given. No message shows it.
    ///
    /// - Throws: `Failure` where it is no key, or the file cannot be read.
    static func given(in arguments: Arguments) throws(Failure) -> AdvertisementKey? {
        let text: String
        switch (arguments[option], arguments[fileOption]) {
        case (nil, nil): return nil
        case (_?, _?): throw Failure(.usage, "--key and --key-file are both given: one key is enough")
        case (let typed?, nil): text = typed
        case (nil, let path?):
            do throws(Complaint) {
                text = String(decoding: try Secret.read(path), as: UTF8.self)
            } catch {
                throw Failure(.unavailable, error.sentence)
            }
        }
        guard let key = AdvertisementKey(text) else {
            let source = arguments[fileOption] ?? "--key"
            throw Failure(
                .usage, "\(source): expected a key of 32 hexadecimal digits (24 for the oldest devices of Xiaomi)")
        }
        return key
    }
}
