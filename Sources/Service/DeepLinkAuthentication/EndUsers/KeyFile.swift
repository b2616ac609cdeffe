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
            // Opening a pipe would block every token with an unknown key.
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

/// The rule for permissions of key files: only the owner and a group of this process may have access.
///
/// A file of a container's volume belongs to root, or to a group shared by the containers of the pod, and is readable
/// by that group (Kubernetes, `fsGroup`). The service's own user could change neither.
package enum KeyFileRights {
    /// The permission bits of other users.
    private static let others: UInt32 = 0o007

    /// The permission bits of the group.
    private static let group: UInt32 = 0o070

    /// Returns the reason why a key file is refused, as a sentence with the fix, or `nil` if its permissions are sound.
    ///
    /// A missing file also gives `nil`, since reading it reports the error.
    package static func fault(ofFileAt path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0,
            isExposed(mode: UInt32(status.st_mode), group: UInt32(status.st_gid), toOthersThan: processGroups)
        else { return nil }
        let mode = String(UInt32(status.st_mode) & 0o777, radix: 8)
        return "`\(path)` holds keys, and users outside this process's own user and groups may read or change it (mode "
            + "\(mode), group \(status.st_gid)); run `chmod 600 \(path)`, or `chmod 640` if its group is one of this process's."
    }

    /// Returns whether a file is accessible to users other than its owner and the members of some groups.
    static func isExposed(mode: UInt32, group owner: UInt32, toOthersThan groups: Set<UInt32>) -> Bool {
        mode & others != 0 || (mode & group != 0 && !groups.contains(owner))
    }

    /// The effective group of this process, and its supplementary groups.
    private static var processGroups: Set<UInt32> {
        let count = getgroups(0, nil)
        guard count > 0 else { return [getegid()] }
        var groups = [gid_t](repeating: 0, count: Int(count))
        let found = getgroups(count, &groups)
        return Set(groups.prefix(max(0, Int(found)))).union([getegid()])
    }
}
