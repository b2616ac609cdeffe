import Crypto
import DeepLinkCore
import FuzzSupport

@testable import DeepLinkAuthentication
@testable import DeepLinkFormats
@testable import DeepLinkHTTP

/// A place where a stranger's text comes in.
enum Door: CaseIterable {
    case link, query, body, bodyText, stack, accept, entityTag, token, endUser, continuation, host, userLine

    /// How many times as long as plain text of its size a text may take.
    static let limit = 50.0

    /// A time that is no danger for any text, in nanoseconds.
    static let negligible: UInt64 = 5_000_000

    /// About as many bytes as the door lets in; of a body enough to tell a square from a line.
    var byteCount: Int {
        switch self {
        case .link: 8192
        case .body, .bodyText, .stack, .userLine: 64 * 1024
        case .endUser: EndUserToken.maximumByteCount * 3 / 4
        default: 16 * 1024
        }
    }

    /// Takes a text in, as the server does; whatever comes of it.
    func enter(_ text: [UInt8]) {
        let string = String(decoding: text, as: UTF8.self)
        switch self {
        case .link: resolve(link: text)
        case .query: _ = try? FormQuery(string[...], names: ResolveArguments.names)
        case .body: read(text)
        case .bodyText: read(Array(#"{"link":"navigation:/login","mode":""#.utf8) + text + Array(#""}"#.utf8))
        case .stack:
            read(
                Array(#"{"link":"navigation:/login","from":[{"presentation":"push","route":""#.utf8) + text
                    + Array(#""}]}"#.utf8)
            )
        case .accept: _ = AcceptHeader.allows(.json, .one(string))
        case .entityTag:
            _ = IfNoneMatch.names("\"a\"", .one(string))
            var fields = RequestFields()
            fields.take("If-Match", string)
            _ = try? UserStatePrecondition(fields)
        case .token: _ = ServiceTokenText(string)
        case .endUser:
            let header = #"{"alg":"ES256","kid":""# + string + #""}"#
            _ = try? EndUserToken(Base64URL.encode(Array(header.utf8)) + ".e30.AAAA").namedKey()
        case .continuation: _ = try? Continuation(string, SymmetricKey(data: [UInt8](repeating: 7, count: 32)))
        case .host: _ = HostName(authority: string)
        case .userLine: _ = try? UserStateLine(text, at: Timestamp(millisecondsSinceEpoch: 1_795_000_000_000))
        }
    }

    private func resolve(link: [UInt8]) {
        guard let link = try? DeepLink(bytes: Array(link.prefix(8192))) else { return }
        for catalog in Catalogs.all {
            _ = DeepLinkCore.resolve(ResolutionRequest(link: link), userLevel: .premiumUser, catalog: catalog)
        }
    }

    private func read(_ bytes: [UInt8]) {
        guard let body = try? JSONObjectBody(bytes, keys: ResolveArguments.names),
            let arguments = try? ResolveArguments(body, RequestFields(), .anyone, .all)
        else { return }
        for catalog in Catalogs.all {
            _ = DeepLinkCore.resolve(arguments.request, userLevel: .premiumUser, catalog: catalog)
        }
    }
}
