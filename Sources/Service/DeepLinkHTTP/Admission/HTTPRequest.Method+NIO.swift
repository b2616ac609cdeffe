import HTTPTypes
import NIOHTTP1

extension HTTPRequest.Method {
    /// Creates a method from that of SwiftNIO's parser; `nil` for one that isn't a token (RFC 9110 §9.1).
    init?(_ method: HTTPMethod) {
        switch method {
        case .GET: self = .get
        case .POST: self = .post
        case .HEAD: self = .head
        default: self.init(method.rawValue)
        }
    }
}
