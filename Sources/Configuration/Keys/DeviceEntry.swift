import Bluetooth

extension Configuration {
    /// A device as it stands in the file, to be checked against the others.
    struct DeviceEntry {
        /// Nil after a mistake.
        let address: Located<Address>?
        let treatment: Treatment
        let characteristics: [Named<Characteristic?>]
        /// What its own formats of advertisements tell.
        let advertised: [Located<String>]
    }
}
