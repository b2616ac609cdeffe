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

    /// The certificate at a place, from 1, has expired, at a time in seconds since 1970.
    case expired(place: Int, end: Int64)

    /// The certificate at a place, from 1, is not valid before a time in seconds since 1970.
    case notYetValid(place: Int, start: Int64)

    /// Whether the fault is in the key file alone.
    package var isOfKey: Bool {
        switch self {
        case .noKey, .encryptedKey: true
        default: false
        }
    }
}
