import Glibc
import System
import Testing

@Suite struct FolderTests {
    @Test func `a temporary folder lists its entries and is removed with them`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        mkdir(folder.path + "/b", 0o700)
        try TextFile.write("inner", to: folder.path + "/b/c")
        try TextFile.write("outer", to: folder.path + "/.a")
        #expect(Folder.names(in: folder.path) == [".a", "b"])
        #expect(try TextFile.read(ifPresent: folder.path + "/b/c") == "inner")
        folder.remove()
        #expect(try TextFile.read(ifPresent: folder.path + "/.a") == nil)
        #expect(Folder.names(in: folder.path).isEmpty)
    }

    @Test(arguments: [
        ("/var/lib", "/var"), ("/var/lib/", "/var"), ("/var", "/"), ("/", "/"), ("a", "."), ("a/b", "a"), ("./a", "."),
    ])
    func `parent of a folder`(folder: String, parent: String) {
        #expect(Folder.parent(of: folder) == parent)
    }

    @Test func `the file system of a folder that does not exist is that of its parent`() {
        #expect(FileSystem.totalBytes(of: "/proc/a/b") == FileSystem.totalBytes(of: "/proc"))
        #expect(FileSystem.isInMemory("/dev/shm/a/b") == FileSystem.isInMemory("/dev/shm"))
        #expect(FileSystem.totalBytes(of: "a/b") == FileSystem.totalBytes(of: "."))
    }
}
