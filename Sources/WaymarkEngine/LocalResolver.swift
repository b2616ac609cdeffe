public import DeepLinkCore
import DeepLinkFormats
import HTTPTypes

/// An answer as a server would give it.
public struct LocalAnswer: Sendable {
    /// The status: 200 for a plan, 403 for a refusal, and those of problems.
    public let status: Int

    /// The body, in JSON.
    public let body: [UInt8]
}

/// The engine inside an app: the same plans as the server's, byte by byte, without a network.
///
/// The level is **the app's own claim**, and whoever holds the phone can make the app claim another. It decides which screen
/// an honest user sees first; it protects nothing. What a screen shows must be authorized by the backend that it asks.
///
/// A link to a signed route is refused, signed or not: an app that could verify signatures could make them. Ask the server.
///
/// A refusal has a gate, and no continuation, which only a server gives: resolve the link again after the user obtained the
/// level.
public struct LocalResolver: Sendable {
    private let catalog: RouteCatalog

    /// Resolves by a catalog, such as ``CatalogStore/catalog``.
    public init(_ catalog: RouteCatalog) {
        self.catalog = catalog
    }

    /// Answers a link.
    ///
    /// - Parameters:
    ///   - link: the link as it came.
    ///   - level: what the app believes of its user.
    ///   - from: the stack that is shown, in JSON, as a request has it; `nil` for none.
    ///   - mode: where the link begins.
    ///   - app: the version of the app; `nil` where it takes no part.
    /// - Returns: what `POST /v1/resolve` answers.
    public func answer(
        to link: String,
        level: AuthorizationLevel,
        from: [UInt8]? = nil,
        mode: ResolutionRequest.Mode = .replace,
        app: AppVersion? = nil
    ) -> LocalAnswer {
        do throws(Problem) {
            let plan = try plan(Array(link.utf8), level, try current(from), mode, app)
            return LocalAnswer(status: 200, body: PlanBody(plan).json)
        } catch {
            return LocalAnswer(status: error.code.status.code, body: error.json)
        }
    }

    private func current(_ json: [UInt8]?) throws(Problem) -> CurrentStack? {
        guard let json else { return nil }
        guard let value = try? JSONParser.parse(json), case .array = value else {
            throw .invalidRequest(field: "from", .wrongType, "`from` is no stack.")
        }
        return .stack(try value.stack(field: "from"))
    }

    private func plan(
        _ link: [UInt8],
        _ level: AuthorizationLevel,
        _ current: CurrentStack?,
        _ mode: ResolutionRequest.Mode,
        _ app: AppVersion?
    ) throws(Problem) -> RoutePlan {
        let request: ResolutionRequest
        do throws(LinkSyntaxError) {
            request = try ResolutionRequest(link: link, mode: mode, current: current, app: app)
        } catch {
            throw Problem(error, in: link)
        }
        let resolution = resolve(request, userLevel: level, catalog: catalog)
        if !resolution.isFailure, let demand = signatureDemand(of: request, catalog: catalog) {
            // Who could verify a signature could make one: an app has no key.
            throw demand.signatures.isEmpty ? .signatureRequired(demand) : .invalidSignature(.unknownKey, demand)
        }
        switch resolution {
        case .plan(let plan): return plan
        case .denial(let denial): throw Problem(denial)
        case .outdated(let update): throw Problem(update)
        case .failure(let failure): throw Problem(failure)
        }
    }
}

extension Resolution {
    /// Whether the link leads nowhere, whoever asks.
    fileprivate var isFailure: Bool {
        if case .failure = self { true } else { false }
    }
}
