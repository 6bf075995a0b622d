/// The version of Swift with which the program is built.
package enum SwiftVersion {
    /// For example `6.3`: the version of the standard library, which is part of the program.
    ///
    /// The third number of the library is left out: that of Swift 6.3.1 is 0.
    package static let current = "\(_SwiftStdlibVersion.current)".split(separator: ".").prefix(2).joined(separator: ".")
}
