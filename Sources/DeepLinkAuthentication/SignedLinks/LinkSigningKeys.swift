package import DeepLinkCore
package import DeepLinkFormats
import Synchronization

/// The keys that sign links: the first signs, and all verify, so that links stay good while a key is replaced.
package final class LinkSigningKeys: Sendable {
    /// The last second that links may name, far in the year 9999.
    private static let maximumExpiry: Int64 = 253_402_300_799

    private let keys: Mutex<[LinkSigningKey]>

    /// Takes keys, the one that signs first.
    package init(_ keys: [LinkSigningKey] = []) {
        self.keys = Mutex(keys)
    }

    /// Whether no link can be signed, and none verified.
    package var areMissing: Bool { keys.withLock(\.isEmpty) }

    /// Takes other keys in the place of these.
    package func replace(with keys: [LinkSigningKey]) { self.keys.withLock { $0 = keys } }

    /// Signs a link that leads to a signed route.
    ///
    /// - Parameters:
    ///   - link: the link, without a signature.
    ///   - demand: what it has to prove.
    ///   - expiry: the moment from which on it does not count, to the second; `nil` for never.
    /// - Returns: the link with `exp` and `sig` at the end of its query; `nil` where there is no key, or nothing to sign.
    package func sign(_ link: String, _ demand: SignatureDemand, expiry: Timestamp?) -> String? {
        guard let key = keys.withLock(\.first), let target = demand.target else { return nil }
        let text = expiry.map { String(max(0, $0.secondsSinceEpoch)) }
        return SignatureDemand.link(link, signature: key.signature(of: target, expiry: text), expiry: text)
    }

    /// Checks the link of a request that leads somewhere, whoever may go there.
    ///
    /// - Parameters:
    ///   - resolution: the answer to the request.
    ///   - request: the question.
    ///   - catalog: the catalog that answered.
    ///   - time: the moment that counts; `nil` where the link was in time already.
    /// - Returns: what is wrong with its signature; `nil` where it holds, or none is needed.
    package func problem(
        with resolution: Resolution,
        of request: ResolutionRequest,
        _ catalog: RouteCatalog,
        at time: Timestamp?
    ) -> Problem? {
        if case .failure = resolution { return nil }
        guard let demand = signatureDemand(of: request, catalog: catalog) else { return nil }
        do throws(Problem) {
            try verify(demand, at: time)
            return nil
        } catch {
            return error
        }
    }

    /// Checks what a link brought.
    ///
    /// - Parameters:
    ///   - demand: what it has to prove.
    ///   - time: the moment that counts; `nil` where the link was in time already.
    /// - Throws: `Problem` of code `signature-required` or `invalid-signature`.
    package func verify(_ demand: SignatureDemand, at time: Timestamp?) throws(Problem) {
        guard let given = demand.signatures.first else { throw .signatureRequired(demand) }
        guard demand.signatures.count == 1, demand.expiries.count <= 1, let given,
            let dot = given.utf8.firstIndex(of: UInt8(ascii: ".")),
            let code = Base64URL.decode(given.utf8[given.utf8.index(after: dot)...])
        else { throw .invalidSignature(.malformed, demand) }
        let expiry = try demand.expiries.first.map { text throws(Problem) in
            guard let text, let seconds = Self.seconds(text) else { throw .invalidSignature(.malformed, demand) }
            return (text: text, seconds: seconds)
        }
        let id = given.utf8[..<dot]
        let named = keys.withLock { keys in keys.first { $0.id.utf8.elementsEqual(id) } }
        guard let key = named else { throw .invalidSignature(.unknownKey, demand) }
        guard let target = demand.target, key.verifies(code, of: target, expiry: expiry?.text) else {
            throw .invalidSignature(.wrong, demand)
        }
        // Only what was signed says when it ends.
        if let time, let expiry, time.millisecondsSinceEpoch >= expiry.seconds * 1000 {
            throw .invalidSignature(.expired, demand)
        }
    }

    /// Reads a moment, which has one spelling.
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
