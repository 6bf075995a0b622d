import Codec

extension Configuration.Cipher {
    private enum Keys {
        static let aes = Key(
            required: "aes", Kind<MessageCipher.Mode>.word, example: "cbc",
            "How the blocks of AES-128 are combined: ecb or cbc.")
        static let keyFile = Key(
            "key_file", .secret(Secret.messageKey), example: "/etc/bluefleet/keys/battery.key",
            "The file with the key of the device: 32 hexadecimal digits.")
        static let fixedKey = Key(
            "fixed_key", Kind<[UInt8]>.hexadecimal(size...size), example: "6C656167656E64FFFE30313030303039",
            "A published key that all devices of the model share, in hexadecimal digits.")
        static let initialVector = Key(
            "iv", Kind<[UInt8]>.hexadecimal(size...size), example: "000102030405060708090A0B0C0D0E0F",
            "With aes: cbc, the initialization vector of each message, in hexadecimal digits; zeros if left out.")
        static let section = Section(
            "cipher", aes, keyFile, fixedKey, initialVector,
            example: "{aes: cbc, key_file: /etc/bluefleet/keys/battery.key}",
            advice: ["key": "write it into a file, and key_file: FILE", "mode": "did you mean 'aes'?"])
    }

    private static let size = MessageCipher.blockSize

    static let kind = Kind<Configuration.Cipher>.mapping(Keys.section) { reader in
        let (mode, file, fixed) = (reader[Keys.aes], reader[Keys.keyFile], reader[Keys.fixedKey])
        let initialVector = reader[Keys.initialVector]
        if reader.has(Keys.keyFile), reader.has(Keys.fixedKey) {
            reader.report("a cipher has one key: keep key_file or fixed_key", at: Keys.fixedKey)
        }
        if !reader.has(Keys.keyFile), !reader.has(Keys.fixedKey) {
            reader.mistakes.report(
                "a cipher needs a key: add key_file, or fixed_key for a published key of the model", at: reader.position
            )
        }
        if reader.has(Keys.initialVector), mode == .ecb {
            reader.report("aes: ecb has no initialization vector: remove iv", at: Keys.initialVector)
        }
        guard let mode, let key = file.map({ Configuration.Cipher.KeySource.file($0) }) ?? fixed.map({ .fixed($0) })
        else { return nil }
        return Configuration.Cipher(
            mode: mode, key: key, initialVector: initialVector ?? [UInt8](repeating: 0, count: size))
    }
}
