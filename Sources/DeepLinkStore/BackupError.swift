import DeepLinkStoring
import Foundation

/// The reason why a copy of a database cannot be written, and what to do about it.
package enum BackupError: StoreError {
    /// There is something at its place.
    case exists(String)

    /// The system refuses to write.
    case failed(String, reason: String)

    /// Takes the error that the system reported last.
    init(_ path: String) {
        self = errno == EEXIST ? .exists(path) : .failed(path, reason: String(cString: strerror(errno)))
    }

    package var isDamage: Bool { false }

    package var description: String {
        switch self {
        case .exists(let path):
            "There is a file \(path) already, and a backup replaces none. Name another file, or remove that one."
        case .failed(let path, let reason):
            "Cannot write the backup \(path): \(reason). Check that its folder exists and can be written, and that the "
                + "disk has room for a copy of the database."
        }
    }
}
