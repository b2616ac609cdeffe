import DeepLinkStorage
import Foundation

/// The reason why a copy of a database cannot be written, with its remedy.
package enum BackupError: StoreError {
    /// A file exists at the target path.
    case exists(String)

    /// The system refused to write.
    case failed(String, reason: String)

    /// Creates the error from the system's last error (`errno`).
    init(_ path: String) {
        self = errno == EEXIST ? .exists(path) : .failed(path, reason: String(cString: strerror(errno)))
    }

    package var isDamage: Bool { false }

    package var description: String {
        switch self {
        case .exists(let path):
            "The file \(path) exists already, and a backup replaces none. Name another file, or remove that one."
        case .failed(let path, let reason):
            "Cannot write the backup \(path): \(reason). Check that its folder exists and can be written, and that the "
                + "disk has room for a copy of the database."
        }
    }
}
