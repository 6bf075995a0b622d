import DBus

/// Answers method calls: the standard interfaces of every object, and the object's own.
extension ObjectTree {
    /// Answers a call.
    func handle(_ message: Message) {
        let call = Call(message, to: self)
        do throws(DBusError) {
            if call.member == "Introspect", call.interface.isEmpty || call.interface == Introspectable.name {
                return try introspect(call)
            }
            guard let object = self[call.path] else { throw missing(DBusError.unknownObject, call) }
            if try answerStandard(call, at: object) { return }
            for interface in object.interfaces where call.interface.isEmpty || call.interface == interface.name {
                if try interface.invoke(call) { return }
            }
            throw missing(DBusError.unknownMethod, call)
        } catch {
            call.fail(error)
        }
    }

    /// Returns the error of libdbus for a call that no object handles; its text ends with a newline.
    private func missing(_ name: String, _ call: Call) -> DBusError {
        DBusError(
            name,
            "Method \"\(call.member)\" with signature \"\(call.signature)\" on interface \"\(call.interface)\" "
                + "doesn't exist\n")
    }

    private func answerStandard(_ call: Call, at object: any ExportedObject) throws(DBusError) -> Bool {
        switch (call.interface, call.member, call.signature) {
        case (PropertiesInterface.name, "Get", "ss"):
            let (interface, property) = (try interface(in: call, at: object), call.arguments[1].text ?? "")
            guard let entry = interface.property(property) else {
                throw DBusError(DBusError.invalidArguments, "No such property '\(property)'")
            }
            call.reply(entry.value)
        case (PropertiesInterface.name, "GetAll", "s"):
            call.reply(.dictionary(try interface(in: call, at: object).properties, key: "s", value: "v"))
        case (PropertiesInterface.name, "Set", "ssv"):
            let interface = try interface(in: call, at: object)
            try interface.set(call.arguments[1].text ?? "", to: call.arguments[2].bare, for: call)
        case (ObjectManager.name, "GetManagedObjects", "") where object.path == "/":
            call.reply(managedObjects)
        default: return false
        }
        return true
    }

    private func interface(in call: Call, at object: any ExportedObject) throws(DBusError) -> any ExportedInterface {
        let name = call.arguments[0].text ?? ""
        guard let interface = object.interfaces.first(where: { $0.name == name }) else {
            throw DBusError(DBusError.invalidArguments, "No such interface '\(name)'")
        }
        return interface
    }

    /// The result of `GetManagedObjects` in the order of bluetoothd: parents before their children, the newest child
    /// first.
    private var managedObjects: Variant {
        var children: [String: [any ExportedObject]] = [:]
        for object in all where object.path != "/" {
            children[Self.parent(of: object.path), default: []].append(object)
        }
        var entries: [Variant.Entry] = []
        func list(_ parent: String) {
            for object in (children[parent] ?? []).reversed() {
                let interfaces = Variant.dictionary(object.managedInterfaces, key: "s", value: "a{sv}")
                entries.append(Variant.Entry(.objectPath(object.path), interfaces))
                list(object.path)
            }
        }
        list("/org")
        return .dictionary(entries, key: "o", value: "a{sa{sv}}")
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private func introspect(_ call: Call) throws(DBusError) {
        let prefix = call.path == "/" ? "/" : call.path + "/"
        var children: [String] = []
        for object in all where object.path.hasPrefix(prefix) && object.path != "/" {
            let child = String(object.path.dropFirst(prefix.count).prefix { $0 != "/" })
            if !children.contains(child) { children.append(child) }
        }
        let object = self[call.path]
        if object == nil && children.isEmpty { throw missing(DBusError.unknownObject, call) }
        let own = object?.interfaces.map(\.description) ?? []
        call.reply(
            .string(
                """
                <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
                 "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
                <node>\(object == nil ? "" : Introspection.standard)\(own.joined())\
                \(children.map { "<node name=\"\($0)\"/>" }.joined())</node>
                """))
    }
}

private enum Introspection {
    static let standard = """
        <interface name="org.freedesktop.DBus.Introspectable"><method name="Introspect">\
        <arg type="s" direction="out"/></method></interface>\
        <interface name="org.freedesktop.DBus.Properties">\
        <method name="Get"><arg type="s" direction="in"/><arg type="s" direction="in"/>\
        <arg type="v" direction="out"/></method>\
        <method name="Set"><arg type="s" direction="in"/><arg type="s" direction="in"/>\
        <arg type="v" direction="in"/></method>\
        <method name="GetAll"><arg type="s" direction="in"/><arg type="a{sv}" direction="out"/></method>\
        <signal name="PropertiesChanged"><arg type="s"/><arg type="a{sv}"/><arg type="as"/></signal></interface>
        """
}
