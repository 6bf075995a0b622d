/// Why a file cannot be read, in the system's words.
struct FileError: Error {
    let message: String
}
