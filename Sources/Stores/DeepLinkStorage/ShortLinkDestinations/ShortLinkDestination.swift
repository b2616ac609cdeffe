package import DeepLinkCore
package import DeepLinkFormats

/// The destination of a short link that is to be made, with the terms that its route imposes.
///
/// It is the one rule behind the server, the commands and imports.
package struct ShortLinkDestination: Sendable {
    /// The fewest characters of a code that stands for a signature.
    package static let signedLength = 16

    /// The destination as it is stored, with its canonical link under the first origin that has routes.
    package let target: ShortLinkTarget

    /// The signature that the code will stand for; `nil` for none.
    package let signature: ShortLinkSignature?

    /// The end of the short link that this one is made from; `nil` for none.
    private let originEnd: Timestamp?

    /// The terms of the route on top.
    private let terms: ShortLinkTerms

    /// Takes the destination of a plan.
    ///
    /// - Parameters:
    ///   - plan: the plan of a link to the destination.
    ///   - signature: the signature that the code will stand for, if the link needs one; see ``signature(of:by:at:isGiven:)``.
    ///   - origin: the short link that names the destination, which the new one doesn't outlive; `nil` for any other link.
    /// - Throws: `LinkBuildingError` if no link leads to the stack.
    /// - Complexity: that of building a link.
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

    /// Returns the signature that the code of a plan's link stands for; `nil` if the link needs none.
    ///
    /// - Parameters:
    ///   - plan: the plan.
    ///   - keys: the holder of the keys.
    ///   - time: the moment that counts.
    ///   - isGiven: whether a link without a valid signature gets one, as from an admin.
    /// - Returns: the signature, with its end.
    /// - Throws: ``Problem`` for a link without a valid signature that is given none.
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

    /// Returns the code of a write: the given one, or one that the store draws.
    ///
    /// - Parameter given: the code; `nil` for one of the server's.
    /// - Returns: the code.
    /// - Throws: ``Problem`` of code `invalid-request`, if the code is too short.
    package func code(_ given: ShortLinkCode?) throws(Problem) -> ShortLinkWrite.Code {
        let length = max(terms.length ?? 0, signature == nil ? 0 : Self.signedLength)
        guard let given else { return .drawn(count: max(length, ShortLinkCode.drawnCount)) }
        guard given.text.utf8.count >= length else { throw Self.tooShort(length) }
        return .given(given, kind: .given)
    }

    /// Returns the code of a write for a link of another service, which may be shorter than the route asks for.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`, if the code is too short to stand for a signature.
    package func importedCode(_ code: ShortLinkCode) throws(Problem) -> ShortLinkWrite.Code {
        guard signature == nil || code.text.utf8.count >= Self.signedLength else {
            throw Self.tooShort(Self.signedLength)
        }
        return .given(code, kind: .imported)
    }

    /// Returns the end of the link; `nil` for none.
    ///
    /// - Parameters:
    ///   - given: the end that is asked for; `nil` for the one that the route and the signature have.
    ///   - time: the moment at which the link is made.
    /// - Returns: the end.
    /// - Throws: ``Problem`` of code `invalid-request`, if the end that is asked for has come, or is too late.
    package func end(_ given: Timestamp?, at time: Timestamp) throws(Problem) -> Timestamp? {
        guard let given else { return latestEnd(at: time) }
        guard given > time else {
            throw Self.invalid("expires", "`expires` is \(given.rfc3339), which has passed.")
        }
        if let latest = latestEnd(at: time), given > latest {
            throw Self.invalid(
                "expires",
                "`expires` is \(given.rfc3339); a link to this destination ends by \(latest.rfc3339)."
            )
        }
        return given
    }

    /// Returns the latest end of a link that is made at a moment; `nil` for none.
    package func latestEnd(at time: Timestamp) -> Timestamp? {
        let life = terms.life.map {
            Timestamp(millisecondsSinceEpoch: time.millisecondsSinceEpoch + Int64($0.seconds) * 1000)
        }
        return [life, signature?.end, originEnd].compactMap(\.self).min()
    }

    private static func tooShort(_ length: Int) -> Problem {
        invalid("code", "A code to this route has at least \(length) characters.")
    }

    private static func invalid(_ field: String, _ detail: String) -> Problem {
        .invalidRequest(field: field, reason: .invalidValue, detail: detail)
    }
}
