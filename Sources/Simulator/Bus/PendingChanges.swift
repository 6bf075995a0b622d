/// The changes of one object that have not been signalled yet.
struct PendingChanges {
    let object: any ExportedObject
    /// The names of added interfaces; "" stands for the whole object.
    var added: [String] = []
    var changed: [(interface: String, properties: [String])] = []
    var removed: [String] = []

    init(of object: any ExportedObject) {
        self.object = object
    }

    mutating func add(property: String, of interface: String) {
        // An added interface is signalled with all its properties.
        if added.contains("") || added.contains(interface) { return }
        guard let index = changed.firstIndex(where: { $0.interface == interface }) else {
            changed.append((interface, [property]))
            return
        }
        if !changed[index].properties.contains(property) { changed[index].properties.append(property) }
    }
}
