package import BlueZ

extension CentralError {
    /// Returns the error of a failed pairing with the place of the passkey that was used, which may be wrong.
    ///
    /// - Parameter file: the path of the device's `passkey_file`; nil: the passkey is not from a file.
    /// - Returns: The error with the path; this error if the pairing has not failed.
    package func naming(passkeyFile file: String?) -> CentralError {
        guard code == .pairingFailed, let file else { return self }
        return CentralError(code, object, "\(message); the passkey is in passkey_file: \(file)")
    }
}
