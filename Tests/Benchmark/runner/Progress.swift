import Foundation

/// Tells on standard error what is going on.
enum Progress {
    static func show(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
