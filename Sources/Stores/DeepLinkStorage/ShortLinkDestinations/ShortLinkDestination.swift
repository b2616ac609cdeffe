package import DeepLinkCore
package import DeepLinkFormats

/// The destination of a new short link, with the terms that its route imposes.
///
/// The server, the commands and imports share this rule.
package struct ShortLinkDestination: Sendable {
    /// The minimum length of a code that replaces a signature.
    package static let signedLength = 16

    /// The destination as it is stored, with its canonical link under the first origin that has routes.
    package let target: ShortLinkTarget

    /// The signature that the code will replace, or `nil` if there is none.
    package let signature: ShortLinkSignature?

    /// The end of the short link that this one is made from, or `nil` if there is none.
    private let originEnd: Timestamp?

    /// The terms of the route at the top of the stack.
    private let terms: ShortLinkTerms

    /// Creates the destination of a plan.
    ///
    /// - Parameters:
    ///   - plan: The plan of a link to the destination.
    ///   - signature: The signature that the code will replace, if the link needs one. See
    ///     ``signature(of:by:at:isGiven:)``.
    ///   - origin: The short link that names the destination, which the new one doesn't outlive, or `nil` for any other
    ///     link.
    /// - Throws: `LinkBuildingError` if no link resolves to the stack.
    /// - Complexity: The same as building a link.
    package init(
        _ plan: RoutePlan,
        signature: ShortLinkSignature?,
        from origin: ShortLinkContents? = nil
    ) throws(LinkBuildingError) {
        let (stack, catalog) = (plan.stack, plan.catalog)
        target = ShortLinkTarget(stack: stack, text: try link(to: stack, catalog: catalog))
        originEnd = origin?.latestEnd
        self.signature = signature.map { signature in
            ShortLinkSignature(end: [signature.end, origin?.latestEnd].compactMap(\.self).min())
        }
        terms = plan.topEdge.flatMap { catalog.routes[$0.child].shortLink } ?? ShortLinkTerms()
    }

    /// Returns the signature that the code of a plan's link replaces, or `nil` if the link needs none.
    ///
    /// - Throws: `Problem` if the link has no valid signature and is not given one, as an admin's is.
    package static func signature(
        of plan: RoutePlan,
        by keys: some SignatureVerifier,
        at time: Timestamp,
        isGiven: Bool
    ) throws(Problem) -> ShortLinkSignature? {
        guard let demand = plan.signature else { return nil }
        do throws(SignatureRefusal) {
            try keys.verify(demand, at: time)
        } catch {
            guard isGiven else { throw Problem(error) }
            return ShortLinkSignature(end: nil)
        }
        let end = demand.expiries.first.flatMap(\.self).flatMap { Int64($0) }
        return ShortLinkSignature(end: end.map { Timestamp(millisecondsSinceEpoch: $0 * 1000) })
    }

    /// Returns the code of a write: the given code, or a random one from the store.
    ///
    /// - Throws: `Problem` of code `invalid-request`, if the code is too short.
    package func code(_ given: ShortLinkCode?) throws(Problem) -> ShortLinkWrite.Code {
        let length = max(terms.length ?? 0, signature == nil ? 0 : Self.signedLength)
        guard let given else { return .drawn(count: max(length, ShortLinkCode.drawnCount)) }
        guard given.text.utf8.count >= length else { throw Self.tooShort(length) }
        return .given(given, kind: .given)
    }

    /// Returns the code of a write for a link from another service, which may be shorter than the route requires.
    ///
    /// - Throws: `Problem` of code `invalid-request`, if the code is too short to replace a signature.
    package func importedCode(_ code: ShortLinkCode) throws(Problem) -> ShortLinkWrite.Code {
        guard signature == nil || code.text.utf8.count >= Self.signedLength else {
            throw Self.tooShort(Self.signedLength)
        }
        return .given(code, kind: .imported)
    }

    /// Returns the end of a link that is made at a given time: the requested one, or the latest one (``latestEnd(at:)``).
    ///
    /// - Throws: `Problem` of code `invalid-request`, if the requested end is in the past or too late.
    package func end(_ given: Timestamp?, at time: Timestamp) throws(Problem) -> Timestamp? {
        guard let given else { return latestEnd(at: time) }
        guard given > time else {
            throw .invalidValue(field: "expires", detail: "`expires` is \(given.rfc3339), which has passed.")
        }
        if let latest = latestEnd(at: time), given > latest {
            throw .invalidValue(
                field: "expires",
                detail: "`expires` is \(given.rfc3339); a link to this destination ends by \(latest.rfc3339)."
            )
        }
        return given
    }

    /// Returns the latest end of a link that is made at a given time, or `nil` if there is none.
    package func latestEnd(at time: Timestamp) -> Timestamp? {
        let life = terms.life.map {
            Timestamp(millisecondsSinceEpoch: time.millisecondsSinceEpoch + $0.seconds * 1000)
        }
        return [life, signature?.end, originEnd].compactMap(\.self).min()
    }

    private static func tooShort(_ length: Int) -> Problem {
        .invalidValue(field: "code", detail: "A code to this route has at least \(length) characters.")
    }
}
