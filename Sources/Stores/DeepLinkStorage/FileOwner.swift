import Foundation

/// The owner of a new file: where root makes it, the owner of its folder, for whom the service that uses it usually runs.
package enum FileOwner {
    /// Gives a new file or folder to the owner of the folder that it is in, if this process is root's.
    ///
    /// - Parameters:
    ///   - descriptor: The file, which this process has just created, and no other process can have replaced.
    ///   - path: Its path.
    package static func inherit(_ descriptor: Int32, at path: String) {
        guard geteuid() == 0 else { return }
        var folder = stat()
        guard stat(Self.folder(of: path), &folder) == 0, folder.st_uid != 0 else { return }
        // Without the right to do so the file stays root's, and whoever cannot open it is told whose it is.
        _ = fchown(descriptor, folder.st_uid, folder.st_gid)
    }

    /// Gives a file the owner of another one, if this process is root's.
    package static func copy(from other: String, to path: String) {
        var status = stat()
        guard geteuid() == 0, stat(other, &status) == 0 else { return }
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = fchown(descriptor, status.st_uid, status.st_gid)
    }

    /// Creates a folder and those above it that don't exist, each with the owner of the one above.
    ///
    /// - Throws: An error of the system.
    package static func createFolder(_ path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try createFolder(folder(of: path))
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        inherit(descriptor, at: path)
    }

    /// Returns whose a file is and its mode, for messages; `nil` for none.
    package static func description(ofFileAt path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return "it belongs to \(name(of: status.st_uid)), with the mode 0" + String(status.st_mode & 0o777, radix: 8)
    }

    /// Whether two files belong to one user.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_uid == second.st_uid
    }

    /// Returns the name of a user of the system; the number of one without a name.
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
