/// The names of a certificate's subject and issuer, as DER bytes (RFC 5280 §4.1).
///
/// SwiftNIO's library exposes neither. A chain is in order if each issuer is the subject of the next certificate.
struct CertificateNames: Equatable {
    /// The name of the issuer.
    let issuer: ArraySlice<UInt8>

    /// The name of the subject.
    let subject: ArraySlice<UInt8>

    /// Reads the names of a certificate, or returns `nil` if the bytes aren't one.
    init?(der bytes: [UInt8]) {
        var outer = Reader(bytes[...])
        guard var certificate = outer.sequence(), var fields = certificate.sequence() else { return nil }
        // Certificates of version 1 omit the version.
        if fields.nextTag == Reader.version { _ = fields.element() }
        guard fields.element() != nil, fields.element() != nil, let issuer = fields.element(),
            fields.element() != nil, let subject = fields.element()
        else { return nil }
        (self.issuer, self.subject) = (issuer, subject)
    }

    /// A reader of DER elements (X.690 §8.1).
    private struct Reader {
        static let version: UInt8 = 0xA0
        private static let sequence: UInt8 = 0x30

        /// The maximum number of length bytes, since no certificate has more than 16 MiB.
        private static let maximumLengthByteCount = 3

        private var rest: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) {
            rest = bytes
        }

        /// The tag of the next element, or `nil` at the end.
        var nextTag: UInt8? { rest.first }

        /// Reads the next element, including its tag and its length.
        mutating func element() -> ArraySlice<UInt8>? {
            let start = rest
            guard content() != nil else { return nil }
            return start[..<rest.startIndex]
        }

        /// Reads the next element if it is a sequence.
        mutating func sequence() -> Reader? {
            guard nextTag == Self.sequence else { return nil }
            return content().map { Reader($0) }
        }

        private mutating func content() -> ArraySlice<UInt8>? {
            var bytes = rest.dropFirst()
            guard let first = bytes.popFirst() else { return nil }
            var count = Int(first)
            if first >= 0x80 {
                let lengthByteCount = Int(first & 0x7F)
                guard (1...Self.maximumLengthByteCount).contains(lengthByteCount), bytes.count >= lengthByteCount else {
                    return nil
                }
                count = bytes.prefix(lengthByteCount).reduce(0) { $0 << 8 | Int($1) }
                bytes = bytes.dropFirst(lengthByteCount)
            }
            guard bytes.count >= count else { return nil }
            rest = bytes.dropFirst(count)
            return bytes.prefix(count)
        }
    }
}
