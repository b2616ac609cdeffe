import Foundation

/// The owner of new files.
///
/// Files that root creates get the owner of their folder, usually the user that runs the service.
package enum FileOwner {
    /// Gives a new file or folder to the owner of its folder, if this process runs as root.
    ///
    /// This process has just created it, and no other process can have replaced it.
    package static func inherit(_ descriptor: Int32, at path: String) {
        guard geteuid() == 0 else { return }
        var folder = stat()
        guard stat(Self.folder(of: path), &folder) == 0, folder.st_uid != 0 else { return }
        // Without the permission the file stays root's. Opening it then fails with an error that names its owner.
        _ = fchown(descriptor, folder.st_uid, folder.st_gid)
    }

    /// Gives a file the owner of another one, if this process runs as root.
    package static func copy(from other: String, to path: String) {
        var status = stat()
        guard geteuid() == 0, stat(other, &status) == 0 else { return }
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = fchown(descriptor, status.st_uid, status.st_gid)
    }

    /// Creates a folder and its missing parents, each with the owner of its own parent.
    ///
    /// - Throws: A system error.
    package static func createFolder(_ path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try createFolder(folder(of: path))
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        inherit(descriptor, at: path)
    }

    /// Returns the owner and the mode of a file, for messages, or `nil` if the file doesn't exist.
    package static func description(ofFileAt path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return "it belongs to \(name(of: status.st_uid)), with the mode 0" + String(status.st_mode & 0o777, radix: 8)
    }

    /// Returns the reason why this user cannot tell whether a file exists, or `nil` if the user can: a folder above it is closed
    /// to the user.
    package static func denial(ofFileAt path: String) -> String? {
        guard access(path, F_OK) != 0, errno == EACCES else { return nil }
        return "the user \(name(of: geteuid())) may not enter its folder"
    }

    /// Returns whether two files have the same owner.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_uid == second.st_uid
    }

    /// Returns the name of a system user, or the user's number if the name is unknown.
    package static func name(of user: UInt32) -> String {
        var (entry, found) = (passwd(), nil as UnsafeMutablePointer<passwd>?)
        var texts = [CChar](repeating: 0, count: 16_384)
        guard getpwuid_r(user, &entry, &texts, texts.count, &found) == 0, found != nil else { return "\(user)" }
        return entry.pw_name.flatMap { String(validatingCString: $0) } ?? "\(user)"
    }

    private static func folder(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }
}
