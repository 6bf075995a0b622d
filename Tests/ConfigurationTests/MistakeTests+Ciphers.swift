/// A device `d` with a cipher in line 4, whose mapping starts in column 13, and a question in line 5.
private func encrypted(_ cipher: String, _ characteristics: String = "{}") -> String {
    """
    devices:
      d:
        address: C0:00:00:00:00:01
        cipher: \(cipher)
        characteristics: \(characteristics)
    """
}

/// Mistakes in ciphers.
extension MistakeTests {
    static let ciphers = [
        Case(encrypted("{aes: cbc, fixed_key: 6C65}"), "4:35: expected 16 bytes, found 2"),
        Case(
            encrypted("{aes: ctr, fixed_key: 000102030405060708090A0B0C0D0E0F}"),
            "4:19: expected ecb or cbc, found 'ctr'"),
        Case(
            encrypted("{aes: ecb}"),
            "4:13: a cipher needs a key: add key_file, or fixed_key for a published key of the model"),
        Case(
            encrypted("{aes: ecb, fixed_key: 000102030405060708090A0B0C0D0E0F, key_file: /k}"),
            "4:35: a cipher has one key: keep key_file or fixed_key"),
        Case(
            encrypted(
                "{aes: ecb, fixed_key: 000102030405060708090A0B0C0D0E0F, iv: 000102030405060708090A0B0C0D0E0F}"),
            "4:73: aes: ecb has no initialization vector: remove iv"),
        Case(
            encrypted(
                "{aes: cbc, fixed_key: 000102030405060708090A0B0C0D0E0F}",
                "{a: {ask: {to: FFF3, hex: D15507}, answer: {from: FFF4, starts_with: D1}}}"),
            "5:23: the question of 'a' has 3 bytes, but the cipher needs a multiple of 16: append 13 bytes, as the device "
                + "expects them"),
        Case(
            encrypted(
                "{aes: cbc, fixed_key: 000102030405060708090A0B0C0D0E0F}",
                "{a: {ask: {to: FFF3, format: [D1, {name: c, type: uint16, value: now}]}, answer: {from: FFF4}}}"),
            "5:23: the question of 'a' has 3 bytes, but the cipher needs a multiple of 16: append 13 bytes, as the device "
                + "expects them"),
    ]
}
