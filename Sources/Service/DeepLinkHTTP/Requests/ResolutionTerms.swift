import DeepLinkFormats

/// The terms of a resolution that header fields name, apart from the other fields: a copy of all counts a dozen
/// references.
struct ResolutionTerms: Sendable {
    /// The fields `Waymark-User`.
    let user: FieldValues

    private let rare: RareFields

    /// Reads the terms.
    @inline(__always)
    init(_ fields: borrowing RequestFields) {
        user = fields.user
        rare = fields.rare
    }

    /// The fields `Waymark-User-Version`, joined as one.
    @inline(__always)
    var userVersion: String? { rare.isEmpty ? nil : rare.joined(.userVersion) }

    /// The fields `Waymark-App`, joined as one.
    @inline(__always)
    var app: String? { rare.isEmpty ? nil : rare.joined(.app) }

    /// The fields `Waymark-Holds`, joined as one list.
    @inline(__always)
    var holds: String? { rare.isEmpty ? nil : rare.joined(.holds) }
}
