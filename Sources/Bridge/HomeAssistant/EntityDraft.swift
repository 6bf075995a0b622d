import JSON

/// An entity without a name: the name depends on the other entities of the device.
struct EntityDraft: Equatable, Sendable {
    let platform: Entity.Platform
    let subject: EntitySubject
    var members: JSON.Object

    init(_ platform: Entity.Platform, _ subject: EntitySubject, _ members: JSON.Object) {
        self.platform = platform
        self.subject = subject
        self.members = members
    }

    var deviceClass: String? { members["device_class"]?.string }

    func named(_ name: Entity.Name) -> Entity {
        Entity(platform: platform, key: subject.key, name: name, members: members)
    }
}
