import Codec
import Testing

@Suite struct MessageCipherTests {
    private static let key: [UInt8] = [UInt8](hexadecimal: "2b7e151628aed2a6abf7158809cf4f3c") ?? []
    private static let initialVector: [UInt8] = Array(0...15)
    private static let message: [UInt8] =
        [UInt8](hexadecimal: "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51") ?? []

    /// The vectors F.1.1 and F.2.1 of NIST SP 800-38A.
    @Test(
        arguments: [
            (.ecb, "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"),
            (.cbc, "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"),
        ] as [(MessageCipher.Mode, String)])
    func `MessageCipher encrypts and decrypts the vectors of NIST`(mode: MessageCipher.Mode, encrypted: String) {
        let cipher = MessageCipher(mode, key: Self.key, initialVector: Self.initialVector)
        #expect(cipher.encrypt(Self.message)?.hexadecimal == encrypted)
        #expect(cipher.decrypt([UInt8](hexadecimal: encrypted) ?? []) == Self.message)
    }

    @Test func `a message that is no multiple of 16 bytes is neither encrypted nor decrypted`() {
        let cipher = MessageCipher(.cbc, key: Self.key, initialVector: Self.initialVector)
        #expect(cipher.encrypt([1]) == nil && cipher.decrypt(Array(0...16)) == nil)
        #expect(cipher.encrypt([]) == [])
    }

    @Test func `the description of a cipher has no key`() {
        let cipher = MessageCipher(.cbc, key: Self.key, initialVector: Self.initialVector)
        #expect("\(cipher) \(String(reflecting: cipher))" == "AES-128-CBC AES-128-CBC")
        #expect(Mirror(reflecting: cipher).children.isEmpty)
    }
}
