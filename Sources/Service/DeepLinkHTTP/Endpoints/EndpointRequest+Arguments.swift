import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

extension EndpointRequest {
    /// Returns the maximum number of items on the page.
    func pageSize(default defaultSize: Int = 100, maximum: Int = 1000) throws(Problem) -> Int {
        guard let text = try query.text("limit") else { return defaultSize }
        guard let size = DecimalText.parseInt(text.utf8), (1...maximum).contains(size) else {
            throw .invalidValue(
                field: "limit",
                detail: "`limit` is `\(text)`; write a whole number from 1 to \(maximum)."
            )
        }
        return size
    }

    /// Returns the version after which a page of a history begins, or 0 for the first page.
    func versionBeforePage() throws(Problem) -> Int {
        guard let text = try query.text("after") else { return 0 }
        guard let version = DecimalText.parseInt(text.utf8), version >= 0 else {
            throw .invalidValue(
                field: "after",
                detail: "`after` is `\(text)`; write a version, such as `next` of the page before."
            )
        }
        return version
    }
}

extension EndpointRequest {
    /// Returns the user id in the path.
    func userID() throws(Problem) -> UserID {
        try RequestedUser.id(try Self.text(firstParameter, field: "id", named: "user id"), field: "id")
    }

    /// Returns the text of a short link's code in the path.
    func codeText() throws(Problem) -> String { try Self.text(firstParameter, field: "code", named: "code") }

    /// Returns the text of a grant's name in the path.
    func grantText() throws(Problem) -> String { try Self.text(lastParameter, field: "name", named: "grant") }

    /// Returns the text of a segment, which is percent-encoded in the path.
    @inline(__always)
    private static func text(_ segment: Substring, field: String, named name: String) throws(Problem) -> String {
        guard let text = FormURLDecoding.decode(segment.utf8, plusIsSpace: false).flatMap(FormURLDecoding.text) else {
            throw .malformed(field: field, detail: "The \(name) in the path is not percent-encoded UTF-8.")
        }
        return text
    }
}
