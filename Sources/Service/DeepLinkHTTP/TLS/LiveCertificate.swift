import Synchronization

/// The certificate in force: connections that exist keep theirs.
package final class LiveCertificate: Sendable {
    private let certificate: Mutex<ServerCertificate>

    /// Puts a certificate in force.
    package init(_ certificate: ServerCertificate) {
        self.certificate = Mutex(certificate)
    }

    /// The certificate of new connections.
    package var current: ServerCertificate { certificate.withLock(\.self) }

    /// Puts another certificate in force.
    package func replace(with new: ServerCertificate) { certificate.withLock { $0 = new } }
}
