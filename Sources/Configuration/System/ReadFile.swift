import Glibc

/// The whole of a file, a pipe or a device that comes to an end.
func readFile(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(message: "cannot open the file: \(systemMessage(for: errno))") }
    defer { close(descriptor) }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
        let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        guard count >= 0 else { throw FileError(message: "cannot read the file: \(systemMessage(for: errno))") }
        guard count > 0 else { return content }
        content += chunk[..<count]
        guard content.count <= limit else {
            let size = limit < 1 << 20 ? "\(limit >> 10) KiB" : "\(limit >> 20) MiB"
            throw FileError(message: "the file is larger than \(size)")
        }
    }
}

/// The system's sentence for an error number.
func systemMessage(for number: Int32) -> String {
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
}

/// What this machine is called.
var hostName: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return "localhost" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
