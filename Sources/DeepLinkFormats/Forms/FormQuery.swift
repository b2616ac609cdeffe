import DeepLinkCore

/// The API's own query: form-decoded, each name once, no name that the endpoint does not know.
package struct FormQuery: Sendable {
    /// A query without anything.
    package static let empty = FormQuery()

    private let names: [String]

    /// What the query has, mostly two or three: the position of a name, and its value.
    private var values: [(place: Int, bytes: [UInt8])] = []

    private init() {
        names = []
    }

    /// Reads the query of a request target.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`, naming the field.
    package init(_ query: Substring, names: [String]) throws(Problem) {
        self.names = names
        guard !query.isEmpty else { return }
        var query = query
        let bytes = query.withUTF8 { Array($0) }
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
            if end > start { try take(bytes.span, start, end) }
            start = end + 1
        }
    }

    /// Takes the pair between two places.
    private mutating func take(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) throws(Problem) {
        var middle = start
        while middle < end, bytes[middle] != UInt8(ascii: "=") { middle += 1 }
        guard let nameBytes = FormText.decode(bytes.extracting(start..<middle)) else { throw Self.malformedName }
        guard
            let place = names.firstIndex(where: { $0.utf8.count == nameBytes.count && $0.utf8.elementsEqual(nameBytes) }
            )
        else {
            guard let name = FormText.text(nameBytes) else { throw Self.malformedName }
            throw unknown(name)
        }
        let name = names[place]
        guard let value = FormText.decode(bytes.extracting(min(middle + 1, end)..<end)) else {
            throw .invalidRequest(field: name, .malformed, "`\(name)` has a `%` without two hexadecimal digits.")
        }
        guard !values.contains(where: { $0.place == place }) else {
            throw .invalidRequest(field: name, .duplicate, "`\(name)` is given twice.")
        }
        values.append((place, value))
    }

    private static var malformedName: Problem {
        .invalidRequest(field: "query", .malformed, "A name of the query is not percent-encoded UTF-8.")
    }

    private func unknown(_ name: String) -> Problem {
        .invalidRequest(
            field: name,
            .unknown,
            names.isEmpty
                ? "`\(name)` is no parameter here; there are none."
                : "`\(name)` is no parameter here; there are \(names.joined(separator: ", ")). "
                    + "If it belongs to the link, percent-encode the link: `&` is `%26`, `?` is `%3F`."
        )
    }

    /// The decoded bytes of a parameter; `nil` where it is absent.
    package func bytes(_ name: String) -> [UInt8]? {
        values.first { names[$0.place].bytewise == name.bytewise }?.bytes
    }

    /// The decoded text of a parameter; `nil` where it is absent.
    ///
    /// - Throws: ``Problem`` where the bytes are not UTF-8.
    package func text(_ name: String) throws(Problem) -> String? {
        guard let bytes = bytes(name) else { return nil }
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
