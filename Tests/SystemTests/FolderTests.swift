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
}
