import DeepLinkCore
import DeepLinkFormats

/// The way on which a link came over the installation of an app.
enum Arrival: String, CaseIterable, Sendable {
    /// The referrer of Google Play.
    case referrer

    /// A text that a person pasted.
    case pasted

    /// Safari's banner.
    case banner

    /// Reads the field `arrival`; `nil` if it is absent.
    ///
    /// - Throws: `Problem` of code `invalid-request`.
    static func arrival(_ name: String?) throws(Problem) -> Arrival? {
        guard let name else { return nil }
        if let arrival = Arrival(bytewise: name) { return arrival }
        let names = allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        throw .invalidRequest(
            field: "arrival",
            reason: .invalidValue,
            detail: "`\(name)` isn't a way of an arrival; send one of \(names)."
        )
    }
}
