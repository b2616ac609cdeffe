import DeepLinkCore

/// The API's own query: form-decoded, each name once, no name that the endpoint does not know.
package struct FormQuery: Sendable {
    /// A query without anything.
    package static let empty = FormQuery()

    private let names: [String]

    /// The parameters of the query, mostly two or three: the position of a name, and its value.
    private var values: [(place: Int, bytes: [UInt8])] = []

    /// The positions of the names whose values have a plus, which is read as a space here.
    private var placesWithPlus: [Int] = []

    private init() {
        names = []
    }

    /// Reads the query of a request target.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`, naming the field.
    package init(_ query: Substring, names: [String]) throws(Problem) {
        self.names = names
        guard !query.isEmpty else { return }
        values.reserveCapacity(2)
        #if canImport(Darwin)  // `utf8Span` is of iOS 26.
        let copy = Array(query.utf8)
        let bytes = copy.span
        #else
        let bytes = query.utf8Span.span
        #endif
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "&") { end += 1 }
            if end > start { try take(bytes.extracting(start..<end)) }
            start = end + 1
        }
    }

    /// Takes a pair.
    private mutating func take(_ pair: Span<UInt8>) throws(Problem) {
        var middle = 0
        while middle < pair.count, pair[middle] != UInt8(ascii: "=") { middle += 1 }
        let place = try place(of: pair.extracting(first: middle))
        let name = names[place]
        var hasPlus = false
        let rest = pair.extracting(min(middle + 1, pair.count)..<pair.count)
        guard let value = FormURLDecoding.decode(rest, hasPlus: &hasPlus) else {
            throw .invalidRequest(
                field: name,
                reason: .malformed,
                detail: "`\(name)` has a `%` without two hexadecimal digits."
            )
        }
        for index in values.indices where values[index].place == place {
            throw .invalidRequest(field: name, reason: .duplicate, detail: "`\(name)` is given twice.")
        }
        values.append((place, value))
        if hasPlus { placesWithPlus.append(place) }
    }

    /// Finds a name as it is sent: mostly without any escape.
    private func place(of name: Span<UInt8>) throws(Problem) -> Int {
        if let place = place(ofDecoded: name) { return place }
        guard let decoded = FormURLDecoding.decode(name) else { throw Self.malformedName }
        if let place = place(ofDecoded: decoded.span) { return place }
        guard let name = FormURLDecoding.text(decoded) else { throw Self.malformedName }
        throw unknown(name)
    }

    private func place(ofDecoded name: Span<UInt8>) -> Int? {
        for place in names.indices where names[place].bytewise.consists(of: name) { return place }
        return nil
    }

    private static var malformedName: Problem {
        .invalidRequest(field: "query", reason: .malformed, detail: "A name of the query is not percent-encoded UTF-8.")
    }

    private func unknown(_ name: String) -> Problem {
        .invalidRequest(
            field: name,
            reason: .unknown,
            detail: names.isEmpty
                ? "`\(name)` isn't a parameter here; there are none."
                : "`\(name)` isn't a parameter here; there are \(names.joined(separator: ", ")). "
                    + "If it belongs to the link, percent-encode the link: `&` is `%26`, `?` is `%3F`."
        )
    }

    /// The decoded bytes of a parameter; `nil` if it is absent.
    package func bytes(_ name: String) -> [UInt8]? {
        let name = name.bytewise
        for index in values.indices where names[values[index].place].bytewise == name { return values[index].bytes }
        return nil
    }

    /// Returns whether the value of a parameter has a raw plus, which is read as a space.
    package func hasPlus(_ name: String) -> Bool {
        placesWithPlus.contains { names[$0].bytewise == name.bytewise }
    }

    /// The decoded text of a parameter; `nil` if it is absent.
    ///
    /// - Throws: ``Problem`` if the bytes are not UTF-8.
    package func text(_ name: String) throws(Problem) -> String? {
        guard let bytes = bytes(name) else { return nil }
        guard let text = FormURLDecoding.text(bytes) else {
            throw .invalidRequest(field: name, reason: .malformed, detail: "`\(name)` is not UTF-8.")
        }
        return text
    }

    /// The truth value of a parameter; `nil` if it is absent.
    package func bool(_ name: String) throws(Problem) -> Bool? {
        switch try text(name)?.bytewise {
        case nil: return nil
        case "true", "1": return true
        case "false", "0": return false
        case let other?:
            throw .invalidRequest(
                field: name,
                reason: .invalidValue,
                detail: "`\(name)` is `\(other)`; write true or false."
            )
        }
    }
}
