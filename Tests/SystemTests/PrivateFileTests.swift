import Glibc
import System
import Testing

@Suite struct PrivateFileTests {
    /// Calls `body` with a folder that has a file `victim`, and checks that the file is unchanged afterwards.
    private func withVictim(_ body: (_ folder: String, _ victim: String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let victim = folder.path + "/victim"
        try TextFile.write("precious", to: victim)
        try #require(mkdir(folder.path + "/state", 0o700) == 0)
        try body(folder.path + "/state", victim)
        #expect(TextFile.read(victim) == "precious")
    }

    private func expectRefusal(_ reason: String, _ path: String) {
        var error = #expect(throws: SystemError.self) { try PrivateFile.write("x", to: path) }
        #expect(error?.reason == reason)
        error = #expect(throws: SystemError.self) { try PrivateFile.read(ifPresent: path, limit: 100) }
        #expect(error?.reason == reason)
        error = #expect(throws: SystemError.self) { try PrivateFile.check(path) }
        #expect(error?.reason == reason)
    }

    @Test func `PrivateFile refuses links, and changes no other file`() throws {
        try withVictim { folder, victim in
            try #require(symlink(victim, folder + "/soft") == 0 && link(victim, folder + "/hard") == 0)
            expectRefusal("it is a symbolic link: remove it", folder + "/soft")
            expectRefusal("it has a second name (a hard link): remove it", folder + "/hard")
            try #require(symlink(folder + "/new", folder + "/dangling") == 0)
            expectRefusal("it is a symbolic link: remove it", folder + "/dangling")
            #expect(access(folder + "/new", F_OK) != 0)
        }
    }

    @Test func `PrivateFile refuses a pipe without waiting for it`() throws {
        try withVictim { folder, _ in
            try #require(mkfifo(folder + "/pipe", 0o600) == 0)
            let error = #expect(throws: SystemError.self) {
                try PrivateFile.read(ifPresent: folder + "/pipe", limit: 100)
            }
            #expect(error?.reason == "it is not a regular file: remove it")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file to another user"))
    func `PrivateFile refuses the file of another user`() throws {
        try withVictim { folder, _ in
            let path = folder + "/file"
            try PrivateFile.write("a", to: path)
            try #require(chown(path, 4711, 4711) == 0)
            expectRefusal(
                "it belongs to user 4711, not to the owner of its folder: change its owner, or remove it", path)
            try #require(chown(folder, 4711, 4711) == 0)
            #expect(try PrivateFile.read(ifPresent: path, limit: 100) == "a")
        }
    }

    @Test func `a new PrivateFile can be read only by its owner, and is replaced as a whole`() throws {
        try withVictim { folder, _ in
            let path = folder + "/file"
            #expect(try PrivateFile.read(ifPresent: path, limit: 100) == nil)
            try PrivateFile.write("longer", to: path)
            try PrivateFile.write("short", to: path)
            #expect(try PrivateFile.read(ifPresent: path, limit: 100) == "short")
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        }
    }

    @Test func `FolderLock refuses a link in the place of its file`() throws {
        try withVictim { folder, victim in
            try #require(symlink(victim, folder + "/lock") == 0)
            #expect(throws: FolderLock.Obstacle.self) { try FolderLock(folder) }
        }
    }

    @Test func `FolderLock ends at once, even while a process is being started that has its descriptor too`() throws {
        try withVictim { folder, _ in
            var lock: FolderLock? = try FolderLock(folder)
            #expect(throws: FolderLock.Obstacle.self) { try FolderLock(folder) }
            let copy = try #require(Self.copyOfDescriptor(of: folder + "/lock"))
            defer { close(copy) }
            withExtendedLifetime(lock) {}
            lock = nil
            _ = try FolderLock(folder)
        }
    }

    /// Returns a second descriptor of a file that this process has open, as a process has that is being started.
    private static func copyOfDescriptor(of path: String) -> Int32? {
        var file = stat()
        guard stat(path, &file) == 0 else { return nil }
        // The tests that run at the same time can have more than a thousand descriptors.
        for descriptor in Folder.names(in: "/proc/self/fd").compactMap({ Int32($0) }) {
            var other = stat()
            guard fstat(descriptor, &other) == 0 else { continue }
            if (other.st_dev, other.st_ino) == (file.st_dev, file.st_ino) { return dup(descriptor) }
        }
        return nil
    }
}
