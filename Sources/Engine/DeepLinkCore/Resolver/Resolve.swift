/// The answer to a request, with the signature of its link taken into account.
package struct Decision: Sendable {
    /// The outcome of a request.
    package enum Outcome: Sendable {
        /// The engine's answer to a link that needs no signature, has a valid one, or matches no route.
        case resolution(Resolution)

        /// The refusal of a link with a stack, but without a valid signature.
        case refusal(SignatureRefusal)
    }

    /// The engine's answer, or the refusal of the link.
    package let outcome: Outcome

    /// The steps on the way to the outcome, the check of the signature last, or `nil` if the caller did not ask for
    /// them.
    package let explanation: [ExplanationStep]?

    /// The link's segments from the end of the match on, or `nil` for any outcome but an unmatched path.
    package var unmatched: [String]? {
        if case .resolution(.failure(let failure)) = outcome { failure.unmatched } else { nil }
    }
}

/// Returns the decision on a request: resolves its link once, and checks the signature that the link needs.
///
/// This is the one rule behind every answer to a link: in the server, the pages, the commands and the engine for apps.
/// A link without a stack needs no signature, and some short links stand for the signature of their target. For any
/// other link, the signature counts before the app, its version, the user's level and the user's grants.
///
/// - Parameters:
///   - request: the request for a link.
///   - permissions: the level and the grants of the user.
///   - catalog: the catalog that resolves the link.
///   - verifier: the holder of the keys.
///   - time: the current time, read only if a signature is checked. `nil` if the link was in time already.
///   - explains: whether the decision has the steps that resulted in it.
/// - Returns: the engine's answer, or the refusal of a link without a valid signature.
/// - Complexity: the same as for resolving.
package func decide(
    _ request: ResolutionRequest,
    permissions: Permissions,
    catalog: RouteCatalog,
    keys verifier: some SignatureVerifier,
    at time: @autoclosure () -> Timestamp?,
    explains: Bool = false
) -> Decision {
    guard explains else {
        let resolution = resolve(request, permissions: permissions, catalog: catalog)
        guard catalog.hasSignedRoutes, request.target?.isSigned != true, let demand = resolution.signature else {
            return Decision(outcome: .resolution(resolution), explanation: nil)
        }
        do throws(SignatureRefusal) {
            try verifier.verify(demand, at: time())
            return Decision(outcome: .resolution(resolution), explanation: nil)
        } catch {
            return Decision(outcome: .refusal(error), explanation: nil)
        }
    }
    let answer = explain(request, permissions: permissions, catalog: catalog)
    guard request.target?.isSigned != true, let demand = answer.resolution.signature else {
        return Decision(outcome: .resolution(answer.resolution), explanation: answer.steps)
    }
    do throws(SignatureRefusal) {
        try verifier.verify(demand, at: time())
        return Decision(outcome: .resolution(answer.resolution), explanation: answer.steps + [.signed(demand)])
    } catch {
        let step = ExplanationStep(signature: demand, isHeld: false, error.message)
        return Decision(outcome: .refusal(error), explanation: answer.steps + [step])
    }
}

extension Resolution {
    /// The demand for a signature, or `nil` for a link without a stack or without the need for one.
    package var signature: SignatureDemand? {
        switch self {
        case .plan(let plan): plan.signature
        case .denial(let denial): denial.signature
        case .otherApp(let denial): denial.signature
        case .outdated(let update): update.signature
        case .failure: nil
        }
    }
}

extension ExplanationStep {
    /// Returns the step for a valid signature: never with a secret or a code, but with the ID of the key, which the
    /// link names.
    fileprivate static func signed(_ demand: SignatureDemand) -> ExplanationStep {
        let id = demand.signatures.first.flatMap { $0 }
            .map { String(Substring($0.utf8.prefix { $0 != UInt8(ascii: ".") })) }
        let end = demand.expiries.first.flatMap { $0 }.flatMap { Int64($0) }
            .map { "until \(Timestamp(millisecondsSinceEpoch: $0 * 1000).rfc3339)" }
        return ExplanationStep(
            signature: demand,
            isHeld: true,
            "The link is signed with the key \(id ?? ""), \(end ?? "without an end")."
        )
    }
}

/// Resolves a link for a user's permissions against a catalog.
///
/// A pure function of its arguments, and the one engine behind every answer of this package. It parses nothing and
/// reads no clock: the link is already well-formed, and the caller provides the permissions. The order of the steps is:
/// origin, current stack, path, query, depth, app, version of the app, level and grants.
///
/// ```swift
/// switch resolve(ResolutionRequest(link: link), permissions: permissions, catalog: catalog) {
/// case .plan(let plan): present(plan.stack)
/// case .denial(let denial): present(denial.gate?.stack ?? [])
/// case .otherApp(let denial): open(denial.link, in: denial.owner)
/// case .outdated(let update): ask(for: update.requiredVersion)
/// case .failure(let failure): report(failure)
/// }
/// ```
///
/// - Complexity: linear in the link's segments times the candidates tried at each, plus the current stack, and
///   independent of the catalog's size.
package func resolve(
    _ request: ResolutionRequest,
    permissions: Permissions,
    catalog: RouteCatalog
) -> Resolution {
    let resolver = Resolver(catalog)
    do throws(ResolutionError) {
        let start = try resolver.startingPoint(of: request)
        let resolved = try resolver.stack(for: request, from: start)
        return resolver.resolution(of: resolved, for: request, from: start, permissions: permissions)
    } catch {
        return .failure(error)
    }
}

/// Resolves a link for a user with a level and no grants.
///
/// - Complexity: the same as for ``resolve(_:permissions:catalog:)``.
package func resolve(
    _ request: ResolutionRequest,
    userLevel: AuthorizationLevel,
    catalog: RouteCatalog
) -> Resolution {
    resolve(request, permissions: Permissions(level: userLevel), catalog: catalog)
}

extension Resolver {
    /// Returns the answer to a link with a stack: whether the app and the user may open it.
    @inline(__always)
    func resolution(
        of resolved: ResolvedLink,
        for request: ResolutionRequest,
        from start: StartingPoint,
        permissions: Permissions
    ) -> Resolution {
        let requirement = requirement(of: resolved)
        var requiredApps = RequiredApps.none
        var app: AppIndex?
        if catalog.dependsOnApps {
            requiredApps = self.requiredApps(of: resolved)
            app = self.app(of: resolved)
            if let version = request.app {
                let refusal = refusal(
                    of: resolved,
                    to: version,
                    owner: app,
                    required: requiredApps,
                    for: request,
                    from: start
                )
                if let refusal { return refusal }
                // Only a request without a version needs the required versions.
                if version.number != nil { requiredApps = .none }
            }
        }
        guard requirement.isMet(by: permissions) else {
            return .denial(
                denial(
                    of: resolved,
                    requirement: requirement,
                    permissions: permissions,
                    app: request.app,
                    from: start
                )
            )
        }
        return .plan(
            plan(
                of: resolved,
                for: request,
                from: start,
                requirement: requirement,
                userLevel: permissions.level,
                app: app,
                requiresApp: requiredApps
            )
        )
    }
}
