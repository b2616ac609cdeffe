import DeepLinkCore
import Hummingbird

/// Takes a link and a user to the engine, and its answer to the wire.
struct LinkAnswer {
    let environment: ServiceEnvironment

    /// Resolves a link's bytes for a user; no user is one of level `none`.
    ///
    /// - Throws: ``Problem`` for every outcome but a plan.
    func respond(to bytes: [UInt8], for user: UserID?) throws(Problem) -> Response {
        let link: DeepLink
        do throws(LinkSyntaxError) {
            link = try DeepLink(bytes: bytes)
        } catch {
            throw Problem(error)
        }
        let catalog = environment.catalog
        switch resolve(ResolutionRequest(link: link), userLevel: try level(of: user), catalog: catalog) {
        case .plan(let plan): return Response(PlanBody(plan, catalogVersion: catalog.version))
        case .denial(let denial): throw Problem(denial)
        case .failure(let failure): throw Problem(failure)
        }
    }

    private func level(of user: UserID?) throws(Problem) -> AuthorizationLevel {
        guard let user else { return .none }
        do {
            return try environment.store.state(of: user)?.level(at: environment.now()) ?? .none
        } catch {
            throw .userStateUnavailable(error)
        }
    }
}
