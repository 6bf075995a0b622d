import Configuration
package import JSON

/// An entity without a name: the name depends on the other entities of the device.
package struct EntityDraft: Equatable, Sendable {
    package let platform: Entity.Platform
    package let subject: EntitySubject
    package var members: JSON.Object

    package init(_ platform: Entity.Platform, _ subject: EntitySubject, _ members: JSON.Object) {
        self.platform = platform
        self.subject = subject
        self.members = members
    }

    package var deviceClass: String? { members["device_class"]?.string }

    /// Returns the draft with the configured icon; a configured `enabled` decides whether Home Assistant enables the
    /// entity.
    ///
    /// - Parameter deviceIcon: The icon of the device, for an entity without an icon and a device class of its own.
    /// - Returns: The labelled draft.
    package func labelled(deviceIcon: String?) -> EntityDraft {
        var draft = self
        let label = subject.label
        draft.members.add("icon", label?.icon ?? (deviceClass == nil ? deviceIcon : nil))
        if let isEnabled = label?.isEnabled { draft.members["enabled_by_default"] = .bool(isEnabled) }
        return draft
    }

    package func named(_ name: Entity.Name) -> Entity {
        Entity(platform: platform, key: subject.key, name: name, members: members)
    }
}
