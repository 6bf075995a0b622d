/// Named values in a fixed order.
package struct Record: Hashable, Sendable {
    /// A name and its value.
    package struct Member: Hashable, Sendable {
        package let name: String
        package var value: Value

        package init(name: String, value: Value) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var members: [Member] = []

    /// - Parameter capacity: The number of members for which space is reserved.
    package init(capacity: Int = 0) {
        members.reserveCapacity(capacity)
    }

    /// Creates a record from names and values; if a name is repeated, its last value is used.
    package init(_ members: some Sequence<(String, Value)>) {
        for (name, value) in members { self[name] = value }
    }

    /// Creates a record from members with distinct names.
    package init(distinct members: [Member]) {
        self.members = members
    }

    /// The value of the member with a name; nil if there is no such member.
    ///
    /// A new name is added at the end; setting nil removes the member.
    package subscript(name: String) -> Value? {
        get {
            members.first { $0.name == name }?.value
        }
        set {
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// The names in the order of the members.
    package var names: [String] {
        members.map(\.name)
    }
}
