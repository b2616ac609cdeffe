/// The header fields that few requests have, or few servers read, in one array, so that requests without them carry
/// nothing.
struct RareFields: Sendable {
    /// A field.
    enum Name: Sendable {
        case app, cookie, forwardedFor, holds, origin, traceParent, userVersion
    }

    private var fields: [(name: Name, value: String)] = []

    /// Whether there are none, as nearly always.
    var isEmpty: Bool { fields.isEmpty }

    /// Adds a field.
    mutating func append(_ name: Name, value: String) { fields.append((name, value)) }

    /// Returns the values of a field, in their order.
    func values(of name: Name) -> [String] { fields.isEmpty ? [] : fields.filter { $0.name == name }.map(\.value) }

    /// Returns the value of a field that is given once; `nil` if there is none, or several.
    func single(_ name: Name) -> String? {
        let values = values(of: name)
        return values.count == 1 ? values.first : nil
    }

    /// Returns the values of a field, joined as one (RFC 9110 §5.2); `nil` if there are none.
    func joined(_ name: Name) -> String? {
        guard !fields.isEmpty else { return nil }
        let values = values(of: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
