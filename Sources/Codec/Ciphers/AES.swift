import CCrypto

/// The block cipher AES-128 with a key, implemented by OpenSSL.
struct AES {
    private let key: [UInt8]

    /// - Precondition: The key has 16 bytes.
    init(key: [UInt8]) {
        precondition(key.count == 16, "an AES-128 key has 16 bytes, not \(key.count)")
        self.key = key
    }

    /// Encrypts one block of 16 bytes.
    func encrypt(block: [UInt8]) -> [UInt8] {
        transform(block, encrypts: true)
    }

    /// Decrypts one block of 16 bytes.
    func decrypt(block: [UInt8]) -> [UInt8] {
        transform(block, encrypts: false)
    }

    /// Encrypts or decrypts whole blocks without padding.
    ///
    /// - Parameters:
    ///   - blocks: The blocks.
    ///   - initialVector: The initialization vector of the first block in the mode CBC; nil: the mode ECB.
    ///   - encrypts: Whether the blocks are encrypted.
    /// - Returns: As many bytes.
    /// - Precondition: The size of the blocks is a multiple of 16 bytes; the initialization vector has 16 bytes.
    func transform(_ blocks: [UInt8], initialVector: [UInt8]? = nil, encrypts: Bool) -> [UInt8] {
        precondition(blocks.count.isMultiple(of: 16), "\(blocks.count) bytes are no whole blocks of AES")
        precondition(initialVector?.count ?? 16 == 16, "an initialization vector has 16 bytes")
        guard let context = unsafe EVP_CIPHER_CTX_new() else { preconditionFailure("no memory for a cipher") }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let cipher = unsafe initialVector == nil ? EVP_aes_128_ecb() : EVP_aes_128_cbc()
        var output = [UInt8](repeating: 0, count: blocks.count + 16)
        var count: Int32 = 0
        guard unsafe EVP_CipherInit_ex(context, cipher, nil, key, initialVector, encrypts ? 1 : 0) == 1,
            unsafe EVP_CIPHER_CTX_set_padding(context, 0) == 1,
            unsafe EVP_CipherUpdate(context, &output, &count, blocks, Int32(blocks.count)) == 1, count == blocks.count
        else { preconditionFailure("OpenSSL rejects blocks of AES-128") }
        return Array(output.prefix(blocks.count))
    }

    /// Decrypts or encrypts in counter mode (CTR).
    ///
    /// `counterBlock` returns the counter block of 16 bytes for the block with the given index, from 0 on.
    func combine(_ bytes: [UInt8], counterBlock: (_ index: Int) -> [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, start) in stride(from: 0, to: bytes.count, by: 16).enumerated() {
            let stream = encrypt(block: counterBlock(index))
            result += zip(bytes[start...], stream).map { $0 ^ $1 }
        }
        return result
    }

    /// Decrypts bytes and checks their tag (CCM, RFC 3610).
    ///
    /// Returns nil if the tag does not match: the key is wrong, or the bytes were changed.
    func open(_ bytes: [UInt8], nonce: [UInt8], tag: [UInt8], additionalData: [UInt8]) -> [UInt8]? {
        guard let context = unsafe EVP_CIPHER_CTX_new() else { preconditionFailure("no memory for a cipher") }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var (tag, output, count) = (tag, [UInt8](repeating: 0, count: max(bytes.count, 1)), Int32(0))
        guard unsafe EVP_DecryptInit_ex(context, EVP_aes_128_ccm(), nil, nil, nil) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1,
            unsafe EVP_DecryptInit_ex(context, nil, nil, key, nonce) == 1,
            // CCM needs all lengths before the first byte.
            unsafe EVP_DecryptUpdate(context, nil, &count, nil, Int32(bytes.count)) == 1
        else { preconditionFailure("OpenSSL rejects the parameters of AES-128-CCM") }
        if !additionalData.isEmpty {
            let length = Int32(additionalData.count)
            guard unsafe EVP_DecryptUpdate(context, nil, &count, additionalData, length) == 1 else {
                preconditionFailure("OpenSSL rejects additional data of \(length) bytes")
            }
        }
        guard unsafe EVP_DecryptUpdate(context, &output, &count, bytes, Int32(bytes.count)) == 1 else { return nil }
        return Array(output.prefix(bytes.count))
    }
}

/// The library that implements the ciphers.
package enum Cryptography {
    /// The version of OpenSSL that is in use.
    package static var libraryVersion: String {
        unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))
    }
}
