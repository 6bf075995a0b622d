extension Int128 {
    /// The lowest bits as a number of their own, perhaps in two's complement.
    func lowest(_ count: Int, isSigned: Bool) -> Int128 {
        let number = self & ((1 << count) - 1)
        return isSigned && number >> (count - 1) == 1 ? number - (1 << count) : number
    }
}
