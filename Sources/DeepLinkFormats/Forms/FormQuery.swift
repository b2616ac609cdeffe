import DeepLinkCore

/// Reads the API's own query: form-decoded, each name once, no name that the endpoint does not know.
package struct FormQuery: Sendable {
    private var values: [ByteText: [UInt8]] = [:]

    /// Reads the query of a request target.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`, naming the field.
    package init(_ query: Substring, names: [String]) throws(Problem) {
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let nameBytes = parts.first, let name = FormText.decode(nameBytes).flatMap(FormText.text) else {
                throw .invalidRequest(field: "query", .malformed, "A name of the query is not percent-encoded UTF-8.")
            }
            guard names.contains(where: { $0.bytewise == name.bytewise }) else {
                throw .invalidRequest(
                    field: name,
                    .unknown,
                    names.isEmpty
                        ? "`\(name)` is no parameter here; there are none."
                        : "`\(name)` is no parameter here; there are \(names.joined(separator: ", ")). "
                            + "If it belongs to the link, percent-encode the link: `&` is `%26`, `?` is `%3F`."
                )
            }
            guard let value = FormText.decode(parts.dropFirst().first ?? parts[0].prefix(0)) else {
                throw .invalidRequest(field: name, .malformed, "`\(name)` has a `%` without two hexadecimal digits.")
            }
            guard values.updateValue(value, forKey: name.bytewise) == nil else {
                throw .invalidRequest(field: name, .duplicate, "`\(name)` is given twice.")
            }
        }
    }

    /// The decoded bytes of a parameter; `nil` where it is absent.
    package func bytes(_ name: String) -> [UInt8]? { values[name.bytewise] }

    /// The decoded text of a parameter; `nil` where it is absent.
    ///
    /// - Throws: ``Problem`` where the bytes are not UTF-8.
    package func text(_ name: String) throws(Problem) -> String? {
        guard let bytes = values[name.bytewise] else { return nil }
        guard let text = FormText.text(bytes) else {
            throw .invalidRequest(field: name, .malformed, "`\(name)` is not UTF-8.")
        }
        return text
    }

    /// The truth value of a parameter; `nil` where it is absent.
    package func bool(_ name: String) throws(Problem) -> Bool? {
        switch try text(name)?.bytewise {
        case nil: return nil
        case "true", "1": return true
        case "false", "0": return false
        case let other?:
            throw .invalidRequest(field: name, .invalidValue, "`\(name)` is `\(other)`; write true or false.")
        }
    }
}
