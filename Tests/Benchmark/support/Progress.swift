import Foundation

/// Messages about the progress, on standard error.
package enum Progress {
    package static func show(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
