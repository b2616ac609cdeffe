@testable import DeepLinkAuthentication
@testable import DeepLinkCore
@testable import DeepLinkFormats
@testable import DeepLinkHTTP
@testable import DeepLinkStorage
@testable import DeepLinkWeb
@testable import HTTPServer

/// A place where a stranger's text comes in.
enum Door: CaseIterable {
    case link, query, body, bodyText, stack, accept, entityTag, token, endUser, continuation, host, userLine,
        association, associationPattern, lines

    /// The most bytes of memory for a byte of text.
    static let memoryLimit = 100

    /// Memory that is no danger for any text, in bytes.
    static let negligibleByteCount = 32 << 20

    /// A time that is no danger for any text, in nanoseconds: the time that a plain body takes here, as often as an input may
    /// cost more than plain text.
    static let negligible: Double = {
        let plain = [UInt8](repeating: UInt8(ascii: "a"), count: bodyText.byteCount)
        return CostRatio.inputLimit * ProcessorTime.least(of: 20) { bodyText.enter(plain) }
    }()

    /// About as many bytes as the door lets in; of a body enough to tell a square from a line.
    var byteCount: Int {
        switch self {
        case .link: 8192
        case .body, .bodyText, .stack, .userLine, .lines: 64 * 1024
        case .association, .associationPattern: 32 * 1024
        case .endUser: EndUserToken.maximumByteCount * 3 / 4
        default: 16 * 1024
        }
    }

    /// Takes a text in, as the server does; whatever comes of it.
    func enter(_ text: [UInt8]) {
        let string = String(decoding: text, as: UTF8.self)
        switch self {
        case .link: resolve(link: text)
        case .query: _ = try? FormQuery(string, names: ResolveArguments.names)
        case .body: read(text)
        case .bodyText: read(Array(#"{"link":"navigation:/login","mode":""#.utf8) + text + Array(#""}"#.utf8))
        case .stack:
            read(
                Array(#"{"link":"navigation:/login","from":[{"presentation":"push","route":""#.utf8) + text
                    + Array(#""}]}"#.utf8)
            )
        case .accept: _ = AcceptHeader.allows(.json, by: .one(string))
        case .entityTag:
            _ = IfNoneMatch.names("\"a\"", in: .one(string))
            var fields = RequestFields()
            fields.take("If-Match", value: string, own: OwnFieldNames([]))
            _ = try? UserStatePrecondition(fields)
        case .token: _ = ServiceTokenText(string)
        case .endUser:
            let header = #"{"alg":"ES256","kid":""# + string + #""}"#
            _ = try? EndUserToken(Base64URL.encode(Array(header.utf8)) + ".e30.AAAA").namedKey()
        case .continuation:
            _ = try? Continuation(string, verifiedBy: [HMACKey([UInt8](repeating: 7, count: 32))].compactMap(\.self))
        case .host: _ = HostName(authority: string)
        case .userLine:
            let time = Timestamp(millisecondsSinceEpoch: 1_795_000_000_000)
            _ = try? UserStateLine(text, at: time, names: AccessNames(levels: .standard))
        case .association: associate(string)
        case .associationPattern:
            associate(
                #"{"applinks":{"substitutionVariables":{"v":["a*","*"]},"details":[{"appIDs":["A"],"components":[{"/":""#
                    + string.replacing("\\", with: "").replacing("\"", with: "") + #""}]}]}}"#
            )
        case .lines:
            var lines = LineSplitter(maximumByteCount: 1024)
            lines.append(text)
            while lines.next() != nil {}
        }
    }

    private func associate(_ file: String) {
        guard let json = try? JSONParser.parse(Array(file.utf8), takesLast: true) else { return }
        let url = "https://a.test/" + String(repeating: "a", count: 1_000) + "?a=a"
        for platform in [AssociationPlatform.ios, .android] {
            let question = AssociationQuery(url: url, platform: platform, domain: nil, app: nil)
            _ = try? question.verdict(by: json, MatchingEffort(steps: 1_000_000))
        }
    }

    private func resolve(link: [UInt8]) {
        guard let link = try? DeepLink(bytes: Array(link.prefix(8192))) else { return }
        for catalog in Catalogs.all {
            _ = DeepLinkCore.resolve(ResolutionRequest(link: link), userLevel: .highest, catalog: catalog)
        }
    }

    private func read(_ bytes: [UInt8]) {
        guard let body = try? JSONObjectBody(bytes, keys: ResolveArguments.names) else { return }
        for catalog in Catalogs.all {
            let arguments = try? ResolveArguments(
                body: body,
                terms: ResolutionTerms(RequestFields()),
                caller: .anyone,
                catalog: catalog,
                recent: ResolutionCache()
            )
            guard let arguments else { continue }
            _ = DeepLinkCore.resolve(arguments.request, userLevel: .highest, catalog: catalog)
        }
    }
}
