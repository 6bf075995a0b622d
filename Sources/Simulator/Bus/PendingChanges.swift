/// What has changed about one object and has not been signalled.
struct PendingChanges {
    let object: any ExportedObject
    /// Names of interfaces; "" stands for the whole object.
    var added: [String] = []
    var changed: [(interface: String, properties: [String])] = []
    var removed: [String] = []

    init(of object: any ExportedObject) {
        self.object = object
    }

    mutating func add(property: String, of interface: String) {
        // What is being added is signalled with all its properties.
        if added.contains("") || added.contains(interface) { return }
        guard let index = changed.firstIndex(where: { $0.interface == interface }) else {
            changed.append((interface, [property]))
            return
        }
        if !changed[index].properties.contains(property) { changed[index].properties.append(property) }
    }
}
