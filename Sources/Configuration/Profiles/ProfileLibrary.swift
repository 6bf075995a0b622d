import Glibc
import System

// The types of this folder.
//
// | type             | which question it answers                                                |
// |------------------|--------------------------------------------------------------------------|
// | `ProfileLibrary` | Which profiles are there, and in which files?                            |
// | `ShippedProfile` | What does such a file contain?                                           |
// | `ProfileTest`    | Which bytes does the device send, and which values are in them?          |
// | `ExpectedValue`  | Is this the value that a test expects?                                   |
// | `PlayedProfile`  | Which questions and answers does a simulated device play?                |
// | `ProfileParameter` | Which values can a device give to its profile?                         |
// | `ProfileFiles`   | Which profiles does the configuration that is being read name?           |
// | `Profile`        | Which keys does a device inherit?                                        |
// | `ProfileRecognition` | Which profiles fit a device, by its advertisement?                   |

/// The profiles for models of devices: files `MAKER/MODEL.yaml` in two folders.
///
/// A profile of the user replaces the shipped profile with the same name.
package struct ProfileLibrary: Sendable, Equatable {
    /// The folder with the profiles of the user, which may be missing.
    private let own: String
    /// The folder with the profiles that ship with Bluefleet.
    private let shipped: String

    /// - Parameters:
    ///   - own: The folder with the profiles of the user.
    ///   - shipped: The folder with the shipped profiles.
    package init(own: String, shipped: String = Self.shippedFolder) {
        self.own = own
        self.shipped = shipped
    }

    /// Creates the library for a configuration: the profiles of the user are in the folder `profiles` beside its file.
    package init(beside file: String) {
        self.init(own: (file.lastIndex(of: "/").map { String(file[...$0]) } ?? "") + "profiles")
    }

    private static let installed = "/usr/share/bluefleet/profiles"

    /// The folder with the shipped profiles.
    ///
    /// For an installed program `../share/bluefleet/profiles`; for a program in a build folder `config/profiles` of the sources.
    package static let shippedFolder: String = {
        guard let program = unsafe realpath("/proc/self/exe", nil) else { return installed }
        defer { unsafe free(program) }
        var folder = Folder.parent(of: unsafe String(cString: program))
        let share = "\(Folder.parent(of: folder))/share/bluefleet/profiles"
        while folder.count > 1 {
            if folder.hasSuffix("/.build") { return "\(Folder.parent(of: folder))/config/profiles" }
            folder = Folder.parent(of: folder)
        }
        return unsafe access(share, R_OK) == 0 ? share : installed
    }()

    /// The names of all profiles, sorted: `jbd/battery`.
    package var names: [String] { Set(Self.names(in: own) + Self.names(in: shipped)).sorted() }

    private static func names(in folder: String) -> [String] {
        Folder.names(in: folder).flatMap { maker in
            Folder.names(in: "\(folder)/\(maker)").compactMap { file in
                guard file.hasSuffix(suffix) else { return nil }
                let name = "\(maker)/\(file.dropLast(suffix.count))"
                return isName(name) ? name : nil
            }
        }
    }

    private static let suffix = ".yaml"

    /// Returns whether a text has the form `MAKER/MODEL`, with lower-case letters, digits, `_` and `-`.
    ///
    /// No other text becomes a path.
    package static func isName(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                1...64 ~= part.utf8.count
                    && part.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789_-".utf8.contains($0) }
            }
    }

    /// Returns the path of a profile; nil if there is none with this name.
    package func path(of name: String) -> String? { Self.path(of: name, in: own) ?? shippedPath(of: name) }

    /// Returns the path of the shipped profile with a name, which a profile of the user can replace; nil if there is none.
    package func shippedPath(of name: String) -> String? { Self.path(of: name, in: shipped) }

    /// The paths of the profiles of the user, sorted.
    package var ownPaths: [String] { Self.names(in: own).sorted().compactMap { Self.path(of: $0, in: own) } }

    private static func path(of name: String, in folder: String) -> String? {
        guard isName(name) else { return nil }
        let path = "\(folder)/\(name)\(suffix)"
        return unsafe access(path, F_OK) == 0 ? path : nil
    }
}
