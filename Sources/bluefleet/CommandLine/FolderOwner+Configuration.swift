import Configuration
import System

extension FolderOwner {
    /// Gives up the rights of root for those of the owner of the state folder.
    static func takeIdentity(of configuration: Configuration) throws(Failure) {
        do throws(SystemError) {
            try takeIdentity(of: configuration.stateDirectory)
        } catch {
            throw Failure(.noPermission, error.description)
        }
    }
}
