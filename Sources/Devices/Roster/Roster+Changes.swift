package import Bluetooth

/// The changes of each device, as other gateways get them.
extension Roster {
    /// The number of removed devices whose revisions are kept.
    ///
    /// A gateway that was away for a longer time brings a removed device back.
    package static let mostRemoved = 1000

    /// The changes of each device at run time, by address.
    package var deviceChanges: [Address: DeviceChange] {
        var changes: [Address: DeviceChange] = [:]
        for addition in added {
            if let address = addition.address { changes[address, default: DeviceChange()].added = addition }
        }
        for device in adopted {
            changes[device.address, default: DeviceChange()].adopted = device
        }
        for (listedName, renaming) in renamed {
            changes[renaming.address, default: DeviceChange()].renamed =
                DeviceChange.Renaming(listedName: listedName, name: renaming.name)
        }
        for (name, address) in removed {
            changes[address, default: DeviceChange()].removed = name
            changes[address]?.identity = identities[address]
        }
        for (address, options) in options { changes[address, default: DeviceChange()].options = options.settings }
        return changes
    }

    /// The adopted devices that only this gateway has.
    ///
    /// An adopted device gets its first revision when it has sent a value, or when a request changes it.
    package var ownAdoptions: [AdoptedDevice] { adopted.filter { revisions[$0.address] == nil } }

    /// Returns the first adopted device that a device of another gateway may replace; nil: there is none.
    ///
    /// - Parameter hasNoValue: Returns whether an adopted device has sent no value.
    /// - Returns: The address of a device that only this gateway has.
    package func replaceableAdoption(where hasNoValue: (AdoptedDevice) -> Bool) -> Address? {
        ownAdoptions.first(where: hasNoValue)?.address
    }
}
