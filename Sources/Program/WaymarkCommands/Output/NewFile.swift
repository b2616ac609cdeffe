import DeepLinkStorage
import Foundation

/// The creation of a file with a secret, which replaces no other and is readable only by its owner: where root makes it, the
/// owner of its folder.
enum NewFile {
    /// The reason why a file was not written.
    struct Failure: Error {
        /// The system's error message.
        let reason: String

        /// Whether the path already exists.
        let isTaken: Bool
    }

    /// Creates a file and writes it to disk.
    ///
    /// It is created with its mode, which is never narrowed later: nobody can read it in between.
    ///
    /// - Throws: ``Failure``; then no file made by this call remains.
    static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(reason: String(cString: strerror(errno)), isTaken: errno == EEXIST) }
        FileOwner.inherit(descriptor, at: path)
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(bytes))
            try file.synchronize()
        } catch {
            unlink(path)
            throw Failure(reason: "\(error)", isTaken: false)
        }
    }
}
