import Crypto
import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// A short link as requested by a body, before its destination is resolved.
struct RequestedShortLink {
    /// The keys of a body.
    static let keys = [
        "link", "route", "parameters", "stack", "host", "name", "label", "expires", "about", "withdrawn",
    ]

    /// The keys of a line of a stream.
    static let lineKeys = keys + ["code"]

    /// The members that are compared when a name is used again.
    private static let termKeys = ["link", "route", "parameters", "stack", "host", "code", "label", "expires", "about"]

    /// The requested code, or `nil` for a random one.
    let code: ShortLinkCode?

    let destination: RequestedDestination

    /// The host of the printed link, or `nil` for the first.
    let host: String?

    /// The name with the terms that it stands for, or `nil` for none.
    let naming: ShortLinkNaming?

    let label: ShortLinkLabel?

    /// The requested expiry, or `nil` for the route's own.
    let expires: Timestamp?

    let about: UserID?

    let withdrawal: ShortLinkWrite.Withdrawal

    private let body: JSONObjectBody

    /// The code in the path, or `nil` for none.
    private let codeOfPath: ShortLinkCode?

    /// Reads a body.
    ///
    /// - Parameters:
    ///   - body: the body.
    ///   - code: the code in the path, or `nil` if the path has none, and the body may have one.
    ///   - caller: the caller. End users request links about themselves, without a name, a label and a code.
    ///   - catalog: the catalog, with the hosts of short links.
    /// - Throws: `Problem` with the code `invalid-request` or `insufficient-scope`.
    init(
        _ body: JSONObjectBody,
        code: ShortLinkCode? = nil,
        by caller: Caller,
        in catalog: RouteCatalog
    ) throws(Problem) {
        if case .endUser = caller { try Self.checkEndUser(body, hasCode: code != nil) }
        (self.body, codeOfPath) = (body, code)
        let named = try body.string("code").map { text throws(Problem) in try Self.code(text) }
        self.code = code ?? named
        destination = try RequestedDestination(body)
        host = try body.string("host").map { text throws(Problem) in try Self.host(text, in: catalog) }
        label = try body.string("label")
            .map { text throws(Problem) in
                if let label = ShortLinkLabel(new: text) { return label }
                let isMarker = text.bytewise == ShortLinkLabel.others
                throw .invalidValue(
                    field: "label",
                    detail: isMarker
                        ? "Counts call all labels beyond their bound `…`; choose another label."
                        : "A label has 1 to \(ShortLinkLabel.maximumByteCount) bytes of text."
                )
            }
        expires = try body.timestamp("expires")
        if case .endUser(let user) = caller {
            about = user.id
        } else {
            about = try body.string("about").map { text throws(Problem) in try RequestedUser.id(text, field: "about") }
        }
        switch try body.bool("withdrawn") {
        case nil: withdrawal = .unspecified
        case true?: withdrawal = .withdrawn
        case false?: withdrawal = .restored
        }
        naming = try body.string("name")
            .map { text throws(Problem) in
                guard let name = ShortLinkName(text) else {
                    throw .invalidValue(
                        field: "name",
                        detail: "A name has 1 to \(ShortLinkName.maximumByteCount) bytes of text."
                    )
                }
                return ShortLinkNaming(name: name, terms: Self.digest(of: body, code: code))
            }
    }

    /// Returns the name with the terms that it would stand for if the link were about a user, or `nil` without a name.
    func naming(about user: UserID) -> ShortLinkNaming? {
        naming.map { ShortLinkNaming(name: $0.name, terms: Self.digest(of: body, code: codeOfPath, about: user)) }
    }

    /// Reads a code.
    ///
    /// - Throws: `Problem` with the code `invalid-request`, if it is not a valid code or is one of the server's own
    ///   paths.
    static func code(_ text: String) throws(Problem) -> ShortLinkCode {
        guard let code = ShortLinkCode(text) else {
            throw .invalidValue(
                field: "code",
                detail: "A code has 3 to 128 of the characters A–Z, a–z, 0–9, `-` and `_`."
            )
        }
        guard !ReservedPath.contains(code.folded.text) else {
            throw .invalidValue(
                field: "code",
                detail: "`\(code.text)` is a path of the server's own; choose another code."
            )
        }
        return code
    }

    private static func host(_ text: String, in catalog: RouteCatalog) throws(Problem) -> String {
        let host = Origin.host(text, ofScheme: "https")
        let hosts = catalog.shortLinkOrigins.flatMap(\.hosts)
        guard hosts.contains(where: { $0.bytewise == host.bytewise }) else {
            throw .invalidValue(field: "host", detail: "The hosts of short links are \(hosts.joined(separator: ", ")).")
        }
        return host
    }

    private static func checkEndUser(_ body: JSONObjectBody, hasCode: Bool) throws(Problem) {
        let refused = ["name", "label", "code", "about", "withdrawn"].first { body[$0] != nil }
        guard hasCode || refused != nil else { return }
        throw .insufficientScope(
            .publisher,
            reason: "A user's own token makes short links about that user, without a \(refused ?? "code")."
        )
    }

    /// Returns a digest of the members that a name stands for, as written, or with another user for `about`.
    private static func digest(of body: JSONObjectBody, code: ShortLinkCode?, about user: UserID? = nil) -> [UInt8] {
        var hash = SHA256()
        func add(_ bytes: [UInt8]) {
            hash.update(data: withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { Array($0) })
            hash.update(data: bytes)
        }
        for key in termKeys {
            var value = body[key]
            if key.bytewise == "code", let code { value = .string(code.text) }
            if key.bytewise == "about", let user { value = .string(user.text) }
            guard let value else { continue }
            var writer = JSONWriter()
            writer.json(value)
            add(Array(key.utf8))
            add(writer.bytes)
        }
        return Array(hash.finalize())
    }
}

/// The destination of a short link in a body: one of a link, a route and a stack.
enum RequestedDestination {
    case link([UInt8])
    case route(String, [BoundParameter])
    case stack([Destination])

    /// Reads a body.
    ///
    /// - Throws: `Problem` with the code `invalid-request`, if it names none or several.
    init(_ body: JSONObjectBody) throws(Problem) {
        let given = ["link", "route", "stack"].filter { body[$0] != nil }
        guard given.count < 2 else {
            throw .conflict(
                field: given[1],
                detail: "Send `link`, `stack`, or `route` with its `parameters`, not several of them."
            )
        }
        if body["parameters"] != nil, body["route"] == nil {
            throw .conflict(field: "parameters", detail: "`parameters` are those of a route; send `route`.")
        }
        if let text = try body.string("link") {
            self = .link(Array(text.utf8))
        } else if let route = try body.string("route") {
            self = .route(route, try body["parameters"]?.parameters(field: "parameters", name: "`parameters`") ?? [])
        } else if let value = body["stack"] {
            let stack = try value.stack(field: "stack")
            guard !stack.isEmpty else {
                throw .invalidValue(field: "stack", detail: "`stack` is empty; name at least its root.")
            }
            self = .stack(stack)
        } else {
            throw .missing(field: "link", detail: "The body has none of `link`, `route` and `stack`.")
        }
    }

    /// Returns a link to the destination.
    ///
    /// The link does not have to resolve.
    ///
    /// - Throws: `Problem` with the code `no-link` or `malformed-link`.
    func link(in catalog: RouteCatalog) throws(Problem) -> DeepLink {
        let text: [UInt8]
        do throws(LinkBuildingError) {
            switch self {
            case .link(let bytes): text = bytes
            case .route(let route, let parameters):
                text = Array(try DeepLinkCore.link(toRoute: route, parameters: parameters, catalog: catalog).link.utf8)
            case .stack(let stack): text = Array(try DeepLinkCore.link(to: stack, catalog: catalog).utf8)
            }
        } catch {
            throw Problem(error)
        }
        do throws(LinkSyntaxError) {
            return try DeepLink(bytes: text, rootless: catalog.rootlessSchemes)
        } catch {
            throw Problem(error, in: text)
        }
    }
}
