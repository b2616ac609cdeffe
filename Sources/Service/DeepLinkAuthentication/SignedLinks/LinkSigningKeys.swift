package import DeepLinkCore
import DeepLinkFormats
import Synchronization

/// The keys that sign links: the first signs, and all verify, so that links remain valid while a key is rotated.
package final class LinkSigningKeys: Sendable {
    /// The maximum expiry of a link, in seconds since 1970: the end of the year 9999.
    private static let maximumExpiry: Int64 = 253_402_300_799

    private let keys: Mutex<[LinkSigningKey]>

    /// Creates the keys, the signing key first.
    package init(_ keys: [LinkSigningKey] = []) {
        self.keys = Mutex(keys)
    }

    /// Whether there are no keys, so that links can be neither signed nor verified.
    package var areMissing: Bool { keys.withLock(\.isEmpty) }

    /// Replaces the keys.
    package func replace(with keys: [LinkSigningKey]) { self.keys.withLock { $0 = keys } }

    /// Signs a link to a signed route.
    ///
    /// - Parameters:
    ///   - link: the link, without a signature.
    ///   - demand: the demand of the route.
    ///   - expiry: the time at which the link expires, to the second, or `nil` for never.
    /// - Returns: the link with `exp` and `sig` at the end of its query, or `nil` without a key or something to sign.
    package func sign(_ link: String, demand: SignatureDemand, expiry: Timestamp?) -> String? {
        guard let key = keys.withLock(\.first), let target = demand.target else { return nil }
        let text = expiry.map { String(max(0, $0.secondsSinceEpoch)) }
        return SignatureDemand.link(link, signature: key.signature(of: target, expiry: text), expiry: text)
    }

    /// Signs a link printed by the engine.
    ///
    /// - Parameters:
    ///   - link: the link, without a signature.
    ///   - catalog: the catalog that resolves it.
    ///   - expiry: the time at which the signature expires, to the second, or `nil` for never.
    /// - Returns: the signed link, or `nil` without a key, or if the link's destinations accept no signature.
    package func sign(_ link: String, leadingInto catalog: RouteCatalog, expiry: Timestamp?) -> String? {
        guard catalog.hasSignedRoutes,
            let parsed = try? DeepLink(bytes: Array(link.utf8), rootless: catalog.rootlessSchemes),
            case .plan(let plan) = resolve(ResolutionRequest(link: parsed), permissions: .all, catalog: catalog),
            let demand = plan.signature
        else { return nil }
        return sign(link, demand: demand, expiry: expiry)
    }
}

extension LinkSigningKeys: SignatureVerifier {
    /// Checks the signature of a link.
    ///
    /// - Parameters:
    ///   - demand: the demand of the route.
    ///   - time: the time of the check, or `nil` if the expiry was checked before.
    /// - Throws: `SignatureRefusal` if the signature is missing or invalid.
    package func verify(_ demand: SignatureDemand, at time: Timestamp?) throws(SignatureRefusal) {
        guard let given = demand.signatures.first else { throw .missing(demand) }
        guard demand.signatures.count == 1, demand.expiries.count <= 1, let given,
            let dot = given.utf8.firstIndex(of: UInt8(ascii: ".")),
            let code = Base64URL.decode(given.utf8[given.utf8.index(after: dot)...])
        else { throw .invalid(.malformed, demand) }
        let expiry = try demand.expiries.first.map { text throws(SignatureRefusal) in
            guard let text, let seconds = Self.seconds(text) else {
                throw .invalid(.malformed, demand)
            }
            return (text: text, seconds: seconds)
        }
        let id = given.utf8[..<dot]
        let named = keys.withLock { keys in keys.first { $0.id.utf8.elementsEqual(id) } }
        guard let key = named else { throw .invalid(.unknownKey, demand) }
        guard let target = demand.target, key.verifies(code, of: target, expiry: expiry?.text) else {
            throw .invalid(.wrong, demand)
        }
        // Only a signed expiry is valid.
        if let time, let expiry, time.millisecondsSinceEpoch >= expiry.seconds * 1000 {
            throw .invalid(.expired, demand)
        }
    }

    /// Reads a time in seconds.
    ///
    /// Each time has exactly one spelling.
    private static func seconds(_ text: String) -> Int64? {
        guard let seconds = Int64(text), (0...maximumExpiry).contains(seconds),
            String(seconds).bytewise == text.bytewise
        else { return nil }
        return seconds
    }
}

extension Timestamp {
    /// The whole seconds since 1970.
    fileprivate var secondsSinceEpoch: Int64 {
        millisecondsSinceEpoch >= 0 ? millisecondsSinceEpoch / 1000 : (millisecondsSinceEpoch - 999) / 1000
    }
}
