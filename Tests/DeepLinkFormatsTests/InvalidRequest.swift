import DeepLinkCore
import DeepLinkFormats

/// A problem of code `invalid-request` in parts, to compare with.
struct InvalidRequest: Equatable, CustomStringConvertible {
    let field: String
    let reason: String
    let detail: String

    var description: String { "\(field), \(reason): \(detail)" }

    init(_ field: String, _ reason: String, _ detail: String) {
        self.field = field
        self.reason = reason
        self.detail = detail
    }

    /// Reads a problem as its clients do; `nil` if it is of another code.
    init?(_ problem: Problem) {
        guard problem.code == .invalidRequest, case .object(let members)? = try? JSONParser.parse(problem.json),
            case .string(let field)? = members["field"], case .string(let reason)? = members["reason"],
            case .string(let detail)? = members["detail"]
        else { return nil }
        self.init(field, reason, detail)
    }

    static func == (left: InvalidRequest, right: InvalidRequest) -> Bool {
        left.field.bytewise == right.field.bytewise && left.reason.bytewise == right.reason.bytewise
            && left.detail.bytewise == right.detail.bytewise
    }
}
