import Foundation

/// Is a file that holds a JWK Set.
struct KeyFile: KeySetSource {
    let path: String

    var name: String { path }

    var origin: KeySet.Origin { .file }

    var isExposed: Bool {
        let mode = (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int ?? 0
        return mode & 0o077 != 0
    }

    func document() async throws(KeySetError) -> [UInt8] {
        let data: Data
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            data = try file.read(upToCount: Self.maximumByteCount + 1) ?? Data()
        } catch {
            throw .unavailable("The key file \(path) cannot be read: \(error.localizedDescription)")
        }
        guard data.count <= Self.maximumByteCount else {
            throw .unavailable("The key file \(path) is over \(Self.maximumByteCount) bytes.")
        }
        return Array(data)
    }
}
