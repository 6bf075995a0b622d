extension CommandLine {
    /// The first word that is not UTF-8, with what Swift has put in place of what it cannot read; nil where all are.
    static var foreignWord: String? {
        for index in 0..<Int(argc) {
            guard let word = unsafe unsafeArgv[index], unsafe String(validatingCString: word) == nil else { continue }
            return unsafe String(cString: word)
        }
        return nil
    }
}
