import DeepLinkAuthentication
import Foundation
import WaymarkCommands

/// The file that stores the continuation key across restarts, and next to it the file of a key that is being replaced.
struct ContinuationKeyFile {
    private let path: String

    /// The file of a former key that still verifies while another signs.
    ///
    /// It seldom exists.
    private var formerPath: String { path + ".old" }

    /// Creates the names of the files next to a database.
    init(beside database: String) {
        path = database + ".key"
    }

    /// Reads the keys, the signing key first.
    ///
    /// A missing signing key is generated, and its file created with mode 0600.
    ///
    /// - Throws: `CommandError` of code 69, naming the file, if a key is unavailable, and of code 65 if a file holds
    ///   no key or others can read it.
    func keys() throws(CommandError) -> [[UInt8]] {
        let former = try Self.existingKey(formerPath)
        return [try signingKey()] + (former.map { [$0] } ?? [])
    }

    private func signingKey() throws(CommandError) -> [UInt8] {
        if let key = try Self.existingKey(path) { return key }
        var generator = SystemRandomNumberGenerator()
        let key = (0..<HMACKey.minimumByteCount)
            .map { _ in UInt8.random(in: 0...255, using: &generator) }
        do throws(NewFile.Failure) {
            try NewFile.write(key, to: path)
        } catch {
            // Another server has created it at the same time, so its key counts.
            if error.isTaken, let key = try Self.existingKey(path) { return key }
            throw CommandError.unavailable("cannot create the key of continuations \(path): \(error.reason)")
        }
        return key
    }

    private static func existingKey(_ path: String) throws(CommandError) -> [UInt8]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            let reason = String(cString: strerror(errno))
            throw CommandError.unavailable("cannot read the key of continuations \(path): \(reason)")
        }
        if let fault = KeyFileRights.fault(ofFileAt: path) { throw CommandError.badData(fault) }
        guard data.count >= HMACKey.minimumByteCount else {
            throw CommandError.badData(
                "the key of continuations \(path) has fewer than 32 bytes. Remove it, and a new one is made."
            )
        }
        return Array(data)
    }
}
