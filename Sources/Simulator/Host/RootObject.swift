/// The D-Bus object at `/`, which has the interface `ObjectManager`.
final class RootObject: ExportedObject {
    let path = "/"

    private static let table = InterfaceTable<RootObject>(ObjectManager.name)

    var interfaces: [any ExportedInterface] { [Interface(Self.table, of: self)] }
}
