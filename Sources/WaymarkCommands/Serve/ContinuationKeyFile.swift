import DeepLinkAuthentication
import Foundation

/// The file that keeps the key of continuations over restarts, readable by the service's user alone.
struct ContinuationKeyFile {
    private let path: String

    /// Names the file beside a database.
    init(beside database: String) {
        path = database + ".key"
    }

    /// Reads the key; where there is no file, draws a key and creates the file with mode 0600.
    ///
    /// - Throws: ``CommandError`` of code 69, naming the file, where it is not to be had; of code 65 where it holds
    ///   no key, or others may read it.
    func key() throws(CommandError) -> [UInt8] {
        if let key = try existingKey() { return key }
        var generator = SystemRandomNumberGenerator()
        let key = (0..<ContinuationSettings.minimumKeyByteCount)
            .map { _ in UInt8.random(in: 0...255, using: &generator) }
        // Created with its mode, never widened: nobody reads it in between. A server that starts at the same time
        // has created it; then that one counts.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST, let key = try existingKey() { return key }
            throw CommandError(.unavailable, "cannot create the key of continuations \(path): \(reason)")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(key))
            try file.synchronize()
        } catch {
            throw CommandError(.unavailable, "cannot write the key of continuations \(path): \(error)")
        }
        return key
    }

    private func existingKey() throws(CommandError) -> [UInt8]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandError(.unavailable, "cannot read the key of continuations \(path): \(reason)")
        }
        let mode = (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int ?? 0
        guard mode & 0o077 == 0 else {
            throw CommandError(.badData, "others may read the key of continuations; run `chmod 600 \(path)`.")
        }
        guard data.count >= ContinuationSettings.minimumKeyByteCount else {
            throw CommandError(
                .badData,
                "the key of continuations \(path) has fewer than 32 bytes; remove it, and a new one is made."
            )
        }
        return Array(data)
    }

    private var reason: String { String(cString: strerror(errno)) }
}
