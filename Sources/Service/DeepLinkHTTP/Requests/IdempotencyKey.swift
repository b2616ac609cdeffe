import DeepLinkFormats

/// The key with which a client marks a request that it may repeat, in the field `Idempotency-Key`
/// (draft-ietf-httpapi-idempotency-key-header).
enum IdempotencyKey {
    private static let maximumByteCount = 256

    /// Reads the header fields of a request; a key in quotes differs from one without.
    ///
    /// - Returns: the key; `nil` without the field.
    /// - Throws: `Problem` if the field is given twice, or isn't a key.
    static func key(_ fields: FieldValues) throws(Problem) -> String? {
        guard let key = fields.first else { return nil }
        guard fields.count == 1 else {
            throw .invalidRequest(
                field: "Idempotency-Key",
                reason: .duplicate,
                detail: "The header `Idempotency-Key` is given twice."
            )
        }
        guard (1...maximumByteCount).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw .invalidRequest(
                field: "Idempotency-Key",
                reason: .malformed,
                detail: "`Idempotency-Key` is 1 to \(maximumByteCount) visible characters of ASCII, such as a UUID."
            )
        }
        return key
    }
}
