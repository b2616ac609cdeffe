package import DeepLinkCore
import DeepLinkFormats

extension LinkSigningKeys {
    /// Tells what a link to a signed route had to prove, and what it brought: never a secret, nor a code, but the id of the
    /// key, which the link names.
    ///
    /// - Parameters:
    ///   - resolution: the answer to the request.
    ///   - request: the question.
    ///   - catalog: the catalog that answered.
    ///   - time: the moment that counts; `nil` where the link was in time already.
    /// - Returns: the step of an explanation; none where no signature is needed.
    package func steps(
        for resolution: Resolution,
        of request: ResolutionRequest,
        _ catalog: RouteCatalog,
        at time: Timestamp?
    ) -> [ExplanationStep] {
        if case .failure = resolution { return [] }
        guard let demand = signatureDemand(of: request, catalog: catalog) else { return [] }
        do throws(Problem) {
            try verify(demand, at: time)
        } catch {
            return [ExplanationStep(signature: demand, isHeld: false, error.detail)]
        }
        let id = demand.signatures.first.flatMap(\.self)
            .map { String(Substring($0.utf8.prefix { $0 != UInt8(ascii: ".") })) }
        let end = demand.expiries.first.flatMap(\.self).flatMap { Int64($0) }
            .map { "until \(Timestamp(millisecondsSinceEpoch: $0 * 1000).rfc3339)" }
        let reason = "The link is signed with the key \(id ?? ""), \(end ?? "without an end")."
        return [ExplanationStep(signature: demand, isHeld: true, reason)]
    }
}
