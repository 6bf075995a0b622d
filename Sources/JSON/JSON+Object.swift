extension JSON {
    /// The members of an object, in the order in which they were written.
    package struct Object: Hashable, Sendable {
        package struct Member: Hashable, Sendable {
            package let name: String
            package var value: JSON
        }

        // Objects here have some ten members, as a rule: looking through them beats hashing.
        private var members: [Member] = []
        private static let few = 16

        package init() {}

        /// Of two members with one name the later one counts.
        package init(_ members: some Sequence<(String, JSON)>) {
            guard members.underestimatedCount > Self.few else {
                for (name, value) in members { self[name] = value }
                return
            }
            var places: [String: Int] = [:]
            for (name, value) in members {
                if let place = places[name] {
                    self.members[place].value = value
                } else {
                    places[name] = self.members.count
                    self.members.append(Member(name: name, value: value))
                }
            }
        }

        /// Takes members no two of which have one name.
        package init(distinct members: [Member]) {
            self.members = members
        }

        package subscript(name: String) -> JSON? {
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
}

extension JSON.Object: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral members: (String, JSON)...) {
        self.init(members)
    }
}

extension JSON.Object: RandomAccessCollection {
    package var startIndex: Int { members.startIndex }
    package var endIndex: Int { members.endIndex }
    package subscript(index: Int) -> Member { members[index] }
}
