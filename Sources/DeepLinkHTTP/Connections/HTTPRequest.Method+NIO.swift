import HTTPTypes
import NIOHTTP1

extension HTTPRequest.Method {
    /// Takes a method over from SwiftNIO's parser; `nil` for one that is no token (RFC 9110 §9.1).
    init?(_ method: HTTPMethod) {
        switch method {
        case .GET: self = .get
        case .POST: self = .post
        case .HEAD: self = .head
        default: self.init(method.rawValue)
        }
    }
}
