import Codec
import Configuration

extension AdvertisementKey {
    static let option = Option("key", value: "HEX", "the key of an encrypted advertisement, 32 hexadecimal digits")
    static let fileOption = Option("key-file", value: "FILE", "the file that contains the key")

    /// Returns the key of the options; nil if there is none.
    ///
    /// Messages never show the key.
    ///
    /// - Throws: `Failure` if the key is invalid or its file cannot be read.
    static func given(in arguments: Arguments) throws(Failure) -> AdvertisementKey? {
        let text: String
        switch (arguments[option], arguments[fileOption]) {
        case (nil, nil): return nil
        case (_?, _?): throw Failure(.usage, "--key and --key-file exclude each other: remove one")
        case (let typed?, nil): text = typed
        case (nil, let path?):
            do throws(InvalidValue) {
                text = String(decoding: try Secret.read(path, waitingForPipe: .seconds(5)), as: UTF8.self)
            } catch {
                throw Failure(.unavailable, error.message)
            }
        }
        guard let key = AdvertisementKey(text) else {
            let source = arguments[fileOption] ?? "--key"
            throw Failure(
                .usage, "\(source): expected a key of 32 hexadecimal digits (24 for the oldest Xiaomi devices)")
        }
        return key
    }
}
