import NIOCore
import NIOSSL
import Synchronization

/// The server's certificate with its chain and the matching private key.
package struct ServerCertificate: Sendable {
    /// The cipher suites of TLS 1.2: only forward secrecy and authenticated encryption (RFC 9325 §4.2).
    ///
    /// TLS 1.3 offers only these kinds.
    private static let suites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// The time for which closing a connection waits for the client's close.
    private static let shutdownTimeout = TimeAmount.seconds(1)

    /// The TLS parameters, shared by connections.
    let context: NIOSSLContext

    /// The certificate, followed by its issuers' certificates.
    private let certificates: [NIOSSLCertificate]

    /// The private key of the first certificate.
    private let key: NIOSSLPrivateKey

    /// The number of certificates, including the issuers'.
    package var count: Int { certificates.count }

    /// The earliest time at which one of the certificates expires, in seconds since 1970.
    package let end: Int64

    /// Reads a certificate and its key.
    ///
    /// - Parameters:
    ///   - chain: the certificate, followed by its issuers' certificates, in PEM.
    ///   - key: the private key, in PEM.
    ///   - now: the time at which all certificates must be valid, in seconds since 1970.
    /// - Throws: ``ServerCertificateError``.
    package init(chain: [UInt8], key: [UInt8], at now: Int64) throws(ServerCertificateError) {
        let certificates = (try? NIOSSLCertificate.fromPEMBytes(chain)) ?? []
        guard let own = certificates.first else { throw .noCertificate }
        guard let privateKey = try? NIOSSLPrivateKey(bytes: key, format: .pem) else {
            throw Self.isEncrypted(key) ? .encryptedKey : .noKey
        }
        guard Self.context([own], key: privateKey) != nil else {
            let place = certificates.firstIndex { Self.context([$0], key: privateKey) != nil }
            throw place.map { .ownNotFirst(place: $0 + 1) } ?? .wrongKey
        }
        try Self.checkOrder(of: certificates)
        for (index, certificate) in certificates.enumerated() {
            let (start, end) = (Int64(certificate.notValidBefore), Int64(certificate.notValidAfter))
            guard start <= now else { throw .notYetValid(place: index + 1, start: start) }
            guard now <= end else { throw .expired(place: index + 1, end: end) }
        }
        guard let context = Self.context(certificates, key: privateKey) else { throw .wrongKey }
        self.context = context
        self.certificates = certificates
        self.key = privateKey
        end = certificates.map { Int64($0.notValidAfter) }.min() ?? now
    }

    /// Returns whether another has the same certificates and key.
    package func isSame(as other: ServerCertificate) -> Bool {
        certificates == other.certificates && key == other.key
    }

    /// Creates the TLS parameters, or returns `nil` if the key does not belong to the first certificate.
    private static func context(_ chain: [NIOSSLCertificate], key: NIOSSLPrivateKey) -> NIOSSLContext? {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = suites
        configuration.applicationProtocols = ["http/1.1"]
        configuration.shutdownTimeout = shutdownTimeout
        return try? NIOSSLContext(configuration: configuration)
    }

    /// Checks that each certificate is followed by its issuer's certificate (RFC 5246 §7.4.2).
    private static func checkOrder(of certificates: [NIOSSLCertificate]) throws(ServerCertificateError) {
        let names = certificates.map { (try? $0.toDERBytes()).flatMap { CertificateNames(der: $0) } }
        for (index, (child, parent)) in zip(names, names.dropFirst()).enumerated() {
            // Unreadable names are no reason to refuse a chain that clients may accept.
            guard let child, let parent, child.issuer != parent.subject else { continue }
            throw .wrongOrder(place: index + 2)
        }
    }

    /// Returns whether a key in PEM is encrypted (RFC 7468 §11, RFC 1421).
    private static func isEncrypted(_ key: [UInt8]) -> Bool {
        let word = Array("ENCRYPTED".utf8)
        return key.indices.contains { key[$0...].starts(with: word) }
    }
}

/// The current certificate.
///
/// Open connections keep the one they began with.
package final class LiveCertificate: Sendable {
    private let certificate: Mutex<ServerCertificate>

    /// Creates the holder of a certificate.
    package init(_ certificate: ServerCertificate) {
        self.certificate = Mutex(certificate)
    }

    /// The certificate of new connections.
    package var current: ServerCertificate { certificate.withLock(\.self) }

    /// Replaces the certificate for new connections.
    package func replace(with new: ServerCertificate) { certificate.withLock { $0 = new } }
}
