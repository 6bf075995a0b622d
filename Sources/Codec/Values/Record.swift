/// Values under names, in their order.
package struct Record: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package let name: String
        package var value: Value

        package init(name: String, value: Value) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var members: [Member] = []

    /// - Parameter capacity: how many members it has room for without having to grow.
    package init(capacity: Int = 0) {
        members.reserveCapacity(capacity)
    }

    /// Takes names and values; of two with the same name the later.
    package init(_ members: some Sequence<(String, Value)>) {
        for (name, value) in members { self[name] = value }
    }

    /// Takes members no two of which have one name.
    package init(distinct members: [Member]) {
        self.members = members
    }

    /// The value of a name; setting one that is new puts it last, setting nil removes it.
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

    package var names: [String] {
        members.map(\.name)
    }
}
