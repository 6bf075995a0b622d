/// The version of Swift with which the program is built.
package enum SwiftVersion {
    /// For example `6.3.1`: the version of the standard library, which is part of the program.
    package static let current = "\(_SwiftStdlibVersion.current)"
}
