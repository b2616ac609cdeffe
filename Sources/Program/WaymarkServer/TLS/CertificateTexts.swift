import DeepLinkCore
import HTTPServer

extension ServerCertificate {
    /// The earliest time at which one of the certificates expires.
    var expiry: Timestamp { Timestamp(certificateTime: end) }
}

extension ServerCertificateError {
    /// The fault with its fix, written to follow the name of the file.
    var message: String {
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
            "has \(Self.name(place)) that ended at \(Timestamp(certificateTime: end).rfc3339); have it renewed."
        case .notYetValid(let place, let start):
            "has \(Self.name(place)) that is not valid before \(Timestamp(certificateTime: start).rfc3339); wait, or see to the clock."
        }
    }

    private static func name(_ place: Int) -> String {
        place == 1 ? "a certificate" : "a certificate of an issuer, at place \(place),"
    }
}

extension Timestamp {
    /// Creates the nearest time to a certificate's, which may name years beyond the range.
    fileprivate init(certificateTime seconds: Int64) {
        self.init(millisecondsSinceEpoch: min(max(seconds, 0), 253_402_300_799) * 1000)
    }
}
