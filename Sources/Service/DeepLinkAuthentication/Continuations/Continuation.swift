package import DeepLinkCore
package import DeepLinkFormats
package import DeepLinkStorage
import Foundation

/// A gated link, resolved again once the user has obtained a level.
///
/// On the wire it is opaque: the content as JSON, and its HMAC-SHA256 (RFC 2104), both in base64url (RFC 4648 §5),
/// joined by a dot. Nothing is stored until a user redeems it.
package struct Continuation {
    /// The maximum length of a token, in bytes.
    ///
    /// A request with a larger current stack gets no token.
    static let maximumByteCount = 64 * 1024

    /// The random id, by which a redemption is stored.
    package let id: ContinuationID
    /// The request that is resolved again.
    package let request: ResolutionRequest
    /// The time at which the continuation expires.
    package let expires: Timestamp
    /// The only user that may redeem it, or `nil` if its first redemption binds it.
    package let user: UserID?
    /// The path by which the link arrived, for the counts of its redemption.
    package let way: ContinuationWay
}

extension Continuation {
    /// Creates a continuation that expires a lifetime from now.
    ///
    /// - Parameters:
    ///   - request: the request to resolve again.
    ///   - user: the end user that the request's token authenticates, and that the continuation is bound to, or `nil`
    ///     for any other caller.
    ///   - way: the path by which the link arrived.
    ///   - time: the current time.
    ///   - lifetime: the lifetime in seconds.
    package init(
        _ request: ResolutionRequest,
        boundTo user: UserID? = nil,
        way: ContinuationWay = ContinuationWay(),
        at time: Timestamp,
        lifetime: Int
    ) {
        self.init(
            id: ContinuationID(),
            request: request,
            expires: time.adding(seconds: lifetime),
            user: user,
            way: way
        )
    }

    // MARK: Writing

    /// Returns the token, or `nil` if it would be too long.
    ///
    /// - Complexity: bounded, however long the client's current stack is.
    package func token(_ key: HMACKey) -> String? {
        guard let terms = Self.terms(of: request) else { return nil }
        var token: [UInt8] = []
        return append(to: &token, signedBy: key, terms: terms) ? String(decoding: token, as: UTF8.self) : nil
    }

    /// Appends the token, in ASCII that needs no escape in JSON, unless it would be too long.
    ///
    /// - Parameters:
    ///   - bytes: the bytes to append to.
    ///   - key: the key that signs the token.
    ///   - terms: the request as ``terms(of:)`` writes it.
    /// - Returns: whether the token was appended.
    @discardableResult
    package func append(to bytes: inout [UInt8], signedBy key: HMACKey, terms: [UInt8]) -> Bool {
        var writer = JSONWriter(reservingCapacity: terms.count + 80)
        writer.object { writer in
            writer.key("id")
            writer.plainString { $0 += id.text.utf8 }
            writer.member("expires", Int(expires.millisecondsSinceEpoch))
            if let user { writer.member("user", user.text) }
            if !way.isPlain { way.write(to: &writer) }
            writer.members(terms)
        }
        let content = writer.bytes
        // A third more, a dot, and 43 characters of the HMAC.
        let count = (content.count * 4 + 2) / 3 + 44
        guard count <= Self.maximumByteCount else { return false }
        bytes.reserveCapacity(bytes.count + count)
        Base64URL.append(content, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        Base64URL.append(key.code(of: content), to: &bytes)
        return true
    }

    /// Returns the members of a token's content that depend on the request alone, or `nil` if the token would be too
    /// long.
    package static func terms(of request: ResolutionRequest) -> [UInt8]? {
        if case .stack(let stack)? = request.current, !stack.fits(into: Self.maximumByteCount) { return nil }
        var writer = JSONWriter()
        writer.member("link", request.link.text)
        if let target = request.target {
            writer.member("target", target.link.text)
            writer.member("signed", target.isSigned)
        }
        writer.member("mode", request.mode.rawValue)
        writer.member("partial", request.acceptsPart)
        switch request.current {
        case .link(let link)?:
            writer.member("from", link.text)
        case .stack(let stack)?:
            writer.key("from")
            writer.stack(stack)
        case nil: break
        }
        return writer.bytes
    }

    // MARK: Reading

    /// Reads a token that was signed with one of the keys, expired or not.
    ///
    /// The signature is checked in constant time before any content is read.
    ///
    /// - Throws: `Problem` of code `invalid-continuation`.
    package init(_ token: String, verifiedBy keys: [HMACKey]) throws(Problem) {
        let text = token.utf8Span.span
        var dot = 0
        // No character of base64url is a dot, so there is one.
        while dot < text.count, text[dot] != UInt8(ascii: ".") { dot &+= 1 }
        guard text.count <= Self.maximumByteCount, dot < text.count,
            let content = Base64URL.decode(text.extracting(first: dot)),
            let code = Base64URL.decode(text.extracting((dot + 1)...))
        else { throw .invalidContinuation(.malformed, detail: "The token isn't a continuation of this service.") }
        guard keys.contains(where: { $0.verifies(code, of: content) }) else {
            throw .invalidContinuation(
                .signature,
                detail: "The token was not signed with the key of this service, or was changed."
            )
        }
        guard let continuation = Self.parse(content) else {
            throw .invalidContinuation(.malformed, detail: "The token is of another version of this service.")
        }
        self = continuation
    }

    private static let keys = [
        "id", "expires", "user", "code", "label", "about", "arrived", "link", "target", "signed", "mode", "partial",
        "from",
    ]

    private static func parse(_ bytes: [UInt8]) -> Continuation? {
        guard let body = try? JSONObjectBody(bytes, keys: keys), let way = try? ContinuationWay(body),
            let id = (try? body.string("id")).flatMap(ContinuationID.init),
            case .integer(let expires)? = body["expires"], let link = try? body.string("link"),
            let mode = (try? body.string("mode")).flatMap({ ResolutionRequest.Mode(bytewise: $0) }),
            let acceptsPart = try? body.bool("partial")
        else { return nil }
        var user: UserID?
        if body["user"] != nil {
            guard let named = (try? body.string("user")).flatMap(UserID.init(stored:)) else { return nil }
            user = named
        }
        var current: CurrentStack?
        switch body["from"] {
        case nil: break
        case .string(let text)?:
            guard let link = try? DeepLink(text, rootless: .all) else { return nil }
            current = .link(link)
        case let value?:
            guard let stack = try? value.stack(field: "from") else { return nil }
            current = .stack(stack)
        }
        var target: LinkTarget?
        if body["target"] != nil {
            guard let text = try? body.string("target"), let link = try? DeepLink(text, rootless: .all) else {
                return nil
            }
            target = LinkTarget(link, isSigned: (try? body.bool("signed")) == true)
        }
        guard
            let request = try? ResolutionRequest(
                link: Array(link.utf8),
                mode: mode,
                current: current,
                acceptsPart: acceptsPart,
                // It was a link of this service when the token was made.
                rootless: .all
            )
        else { return nil }
        return Continuation(
            id: id,
            request: target.map(request.leading) ?? request,
            expires: Timestamp(millisecondsSinceEpoch: expires),
            user: user,
            way: way
        )
    }
}

extension [Destination] {
    /// Returns whether the names and values take at most that many bytes when written.
    ///
    /// A client's stack of 1 MiB must not be written, escaped and signed in vain.
    fileprivate func fits(into byteCount: Int) -> Bool {
        var left = byteCount
        return allSatisfy { destination in
            left -= destination.route.utf8.count + destination.presentation.name.utf8.count
            return left >= 0 && destination.parameters.fit(into: &left)
        }
    }
}

extension [BoundParameter] {
    fileprivate func fit(into left: inout Int) -> Bool {
        allSatisfy { parameter in
            left -= parameter.name.utf8.count
            return left >= 0 && parameter.value.fits(into: &left)
        }
    }
}

extension ParameterValue {
    fileprivate func fits(into left: inout Int) -> Bool {
        switch self {
        case .string(let text): left -= text.utf8.count
        case .int, .double, .bool: left -= 1
        case .list(let items): return items.allSatisfy { $0.fits(into: &left) }
        case .object(let members): return members.fit(into: &left)
        }
        return left >= 0
    }
}

/// The reason why a continuation cannot be redeemed.
///
/// Clients see the raw value.
package enum ContinuationError: String {
    /// The token cannot be read.
    case malformed

    /// The signature was not made by this service.
    case signature

    /// Another user redeemed the token first.
    case otherUser = "other-user"

    /// The token has expired.
    case expired

    /// The token was already redeemed and granted.
    case spent
}

extension Problem {
    /// Returns the problem for a continuation that this user cannot redeem.
    package static func invalidContinuation(_ reason: ContinuationError, detail: String) -> Problem {
        Problem(.invalidContinuation, detail: detail, extensions: [.init("reason", text: reason.rawValue)])
    }
}

/// The keys of continuations, and their lifetime.
package struct ContinuationSettings: Sendable {
    /// The lifetime of a continuation, in seconds.
    package let lifetime: Int

    /// The signing key.
    package let key: HMACKey

    /// The verifying keys: the signing key first, and others while a key is rotated.
    package let verifyingKeys: [HMACKey]

    /// Creates settings, or returns `nil` without a key, or with a key shorter than 32 bytes.
    ///
    /// - Parameters:
    ///   - keys: the signing key, followed by other verifying keys.
    ///   - lifetime: the time in which a continuation may be redeemed, in seconds.
    package init?(keys: [[UInt8]], lifetime: Int) {
        let all = keys.compactMap(HMACKey.init)
        guard let key = all.first, all.count == keys.count else { return nil }
        self.key = key
        verifyingKeys = all
        self.lifetime = lifetime
    }
}
