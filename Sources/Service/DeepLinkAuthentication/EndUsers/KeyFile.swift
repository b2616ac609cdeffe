import Foundation
import SystemPackage

/// A file that holds a JWK Set.
struct KeyFile: KeySetSource {
    let path: String

    var name: String { path }

    var origin: KeySet.Origin { .file }

    var exposure: String? { KeyFileRights.fault(ofFileAt: path) }

    func document() async throws(KeySetError) -> [UInt8] {
        let data: Data
        do {
            // A pipe would keep every token waiting that names an unknown key.
            let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw KeySetError.unavailable(
                    "The key file \(path) cannot be read: \(String(cString: strerror(errno)))."
                )
            }
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            guard (try? FileDescriptor(rawValue: descriptor).stat())?.type == .regular else {
                throw KeySetError.unavailable("The key file \(path) isn't a regular file.")
            }
            data = try file.read(upToCount: Self.maximumByteCount + 1) ?? Data()
        } catch let error as KeySetError {
            throw error
        } catch {
            throw .unavailable("The key file \(path) cannot be read: \(error.localizedDescription).")
        }
        guard data.count <= Self.maximumByteCount else {
            throw .unavailable("The key file \(path) is over \(Self.maximumByteCount) bytes.")
        }
        return Array(data)
    }
}
