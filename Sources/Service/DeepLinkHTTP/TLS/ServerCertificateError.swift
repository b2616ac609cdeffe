package import DeepLinkCore

/// The reason why a certificate or its key cannot be used.
package enum ServerCertificateError: Error, Equatable {
    /// The certificate file lacks a valid certificate in PEM.
    case noCertificate

    /// The key file lacks a key in PEM.
    case noKey

    /// The key has a passphrase. Nobody could enter it.
    case encryptedKey

    /// The key belongs to none of the certificates in the file.
    case wrongKey

    /// The key belongs to a certificate other than the first.
    case ownNotFirst(place: Int)

    /// The certificate at a place, from 1, does not belong to the issuer of the previous one.
    case wrongOrder(place: Int)

    /// The certificate at a place, from 1, has expired.
    case expired(place: Int, end: Timestamp)

    /// The certificate at a place, from 1, is not valid yet.
    case notYetValid(place: Int, start: Timestamp)

    /// Whether the fault is in the key file alone.
    package var isOfKey: Bool {
        switch self {
        case .noKey, .encryptedKey: true
        default: false
        }
    }

    /// The fault with its fix, written to follow the name of the file.
    package var message: String {
        switch self {
        case .noCertificate:
            "holds no certificate in PEM, or a broken one; it begins with `-----BEGIN CERTIFICATE-----`."
        case .noKey:
            "holds no private key in PEM, or a broken one; it begins with `-----BEGIN PRIVATE KEY-----`."
        case .encryptedKey:
            "holds a key with a passphrase; write it without one by `openssl pkey`, readable by the server alone."
        case .wrongKey:
            "holds no certificate of this key; name the two files that were issued together."
        case .ownNotFirst(let place):
            "has the server's certificate at place \(place); write it first, and after it those of its issuers in turn."
        case .wrongOrder(let place):
            "has at place \(place) a certificate that did not issue the one before it; write the server's own first, "
                + "then that of its issuer, and so on."
        case .expired(let place, let end):
            "has \(Self.name(place)) that ended at \(end.rfc3339); have it renewed."
        case .notYetValid(let place, let start):
            "has \(Self.name(place)) that is not valid before \(start.rfc3339); wait, or see to the clock."
        }
    }

    private static func name(_ place: Int) -> String {
        place == 1 ? "a certificate" : "a certificate of an issuer, at place \(place),"
    }
}
