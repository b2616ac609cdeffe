import DeepLinkAuthentication
import Foundation

/// The file of the keys that sign links, readable by the service's user alone.
struct SigningKeyFile {
    let path: String

    /// Reads the keys.
    ///
    /// - Throws: ``CommandError`` of code 69 where the file cannot be read; of code 65 where it holds no keys, or others may
    ///   read it.
    func keys() throws -> [LinkSigningKey] {
        let bytes = try InputFile.read(path)
        let mode = (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int ?? 0
        guard mode & 0o077 == 0 else {
            throw CommandError(.badData, "others may read the keys that sign links; run `chmod 600 \(path)`.")
        }
        do throws(LinkSigningKeyError) {
            return try LinkSigningKey.keys(in: bytes)
        } catch {
            throw CommandError(.badData, "\(path) holds no keys that sign links: \(error.message).")
        }
    }
}
