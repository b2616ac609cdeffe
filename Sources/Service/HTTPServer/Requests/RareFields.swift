import NIOCore

/// The header fields that few requests have, or few servers read, in one array, so that requests without them need no
/// storage for them.
package struct RareFields: Sendable {
    /// A field.
    package struct Name: Equatable, Sendable {
        fileprivate let place: UInt8

        static let cookie = Name(place: 0)
        static let forwardedFor = Name(place: 1)
        static let origin = Name(place: 2)
        static let traceParent = Name(place: 3)

        /// Returns one of the application's own fields, by the place of its name.
        package static func own(_ place: Int) -> Name { Name(place: 4 + UInt8(place)) }
    }

    private var fields: [(name: Name, value: String)] = []

    /// Whether there are none, as is usual.
    package var isEmpty: Bool { fields.isEmpty }

    /// Adds a field.
    mutating func append(_ name: Name, value: String) { fields.append((name, value)) }

    /// Returns the values of a field, in their order.
    package func values(of name: Name) -> [String] {
        fields.isEmpty ? [] : fields.filter { $0.name == name }.map(\.value)
    }

    /// Returns the values of a field.
    package func all(_ name: Name) -> FieldValues {
        var all = FieldValues.none
        for field in fields where field.name == name { all.append(field.value) }
        return all
    }

    /// Returns the value of a field that is given once, or `nil` if it is absent or repeated.
    func single(_ name: Name) -> String? {
        let values = values(of: name)
        return values.count == 1 ? values.first : nil
    }

    /// Returns the values of a field, joined as one (RFC 9110 §5.2), or `nil` if it is absent.
    package func joined(_ name: Name) -> String? {
        guard !fields.isEmpty else { return nil }
        let values = values(of: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

/// The length of a request's body (RFC 9112 §6.3).
package enum RequestBodyLength: Equatable, Sendable {
    /// No body.
    case none

    /// The body has this many bytes.
    case bytes(Int)

    /// The body is chunked, each chunk with its length.
    case chunked

    /// The maximum size of a body, or of a line of a stream, in bytes.
    package static let maximumByteCount = 1024 * 1024
}

extension RequestBodyLength {
    /// The length of a complete body.
    init(of body: ByteBuffer) {
        self = body.readableBytes > 0 ? .bytes(body.readableBytes) : .none
    }
}
