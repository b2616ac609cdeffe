package import DeepLinkCore

/// An answer of the engine without a server, in the format of the server's response.
package struct EngineAnswer: Sendable {
    /// The HTTP status.
    package let status: Int

    /// The body, in JSON.
    package let body: [UInt8]

    /// Creates the answer with a body or with its problem.
    package init(_ body: () throws(Problem) -> some WireBody) {
        do throws(Problem) {
            self.body = try body().json
            status = 200
        } catch {
            self.body = error.json
            status = error.code.status
        }
    }

    /// Answers the body of `POST /v1/resolve` as a server does, without a continuation, which only a server issues.
    ///
    /// There are no users here: the body may name a level, and the lowest level counts without it.
    package init(resolving body: [UInt8], in catalog: RouteCatalog) {
        self.init { () throws(Problem) in
            let arguments = try EngineArguments(body, in: catalog)
            let decision = decide(
                arguments.request,
                permissions: arguments.permissions.joined(with: arguments.assertions),
                catalog: catalog,
                keys: MissingKeys(),
                at: nil,
                explains: arguments.explains
            )
            do throws(Problem) {
                return PlanBody(
                    try decision.plan(),
                    levelSource: arguments.levelSource,
                    explanation: decision.explanation
                )
            } catch {
                throw decision.explanation.map { error.adding(.init("explanation", steps: $0)) } ?? error
            }
        }
    }

    /// Answers the body of `POST /v1/links` as a server without keys for signatures does.
    package init(linkingTo body: [UInt8], in catalog: RouteCatalog) {
        self.init { () throws(Problem) in
            let body = try JSONObjectBody(limited: body, keys: LinkBody.keys)
            let (link, stack) = try LinkBody.link(requestedBy: body, in: catalog)
            guard try LinkSigning(requestedBy: body) == nil else { throw LinkSigning.withoutKeys }
            return LinkBody(link: link, stack: stack)
        }
    }
}

/// The arguments of a resolution for which no server is asked.
private struct EngineArguments {
    let request: ResolutionRequest

    /// The level and the grants that the body names.
    let permissions: Permissions

    /// The level and the grants that the app asserts.
    let assertions: Permissions

    let explains: Bool

    /// The source of the level, if an assertion raises it.
    var levelSource: LevelSource? { assertions.level > permissions.level ? .app : nil }

    /// Reads a body in the order in which a server does, so that the first of several faults is the same.
    init(_ bytes: [UInt8], in catalog: RouteCatalog) throws(Problem) {
        let body = try JSONObjectBody(limited: bytes, keys: ResolveFields.names)
        for key in ["user", "userVersion"] where body[key] != nil {
            throw .unknown(
                field: key,
                detail: "There are no users without a server; send `level`, `grants` and `holds` instead of `\(key)`."
            )
        }
        let link = try body.requiredString("link")
        let current = try ResolveFields.currentStack(of: body, rootless: catalog.rootlessSchemes)
        let (level, grants) = (try body.string("level"), try body.strings("grants"))
        permissions =
            level == nil && grants == nil
            ? .none : try ResolveFields.permissions(level: level, grants: grants ?? [], in: catalog)
        let held = try body.strings("holds")
        assertions = catalog.takesAssertions ? catalog.assertions(held ?? []) : .none
        explains = try body.bool("explain") ?? false
        _ = try Arrival.arrival(try body.string("arrival"))
        let app = try RequestedApp.app(try body.string("app"), header: nil, in: catalog)
        let mode = try body.string("mode")
        let acceptsPart = try body.bool("partial")
        request = try ResolveFields.request(
            Array(link.utf8),
            mode: try ResolveFields.mode(mode),
            current: current,
            acceptsPart: acceptsPart ?? false,
            app: app,
            in: catalog
        )
    }
}

extension JSONObjectBody {
    /// Reads bytes as ``init(_:keys:)`` does, if they are not more than a server reads.
    fileprivate init(limited bytes: [UInt8], keys: [String]) throws(Problem) {
        guard bytes.count <= Self.maximumByteCount else { throw Self.tooLarge }
        try self.init(bytes, keys: keys)
    }
}

/// The keys of an app.
///
/// They are always missing, because keys that verify signatures could also make them.
package struct MissingKeys: SignatureVerifier {
    /// Creates the missing keys.
    package init() {}

    /// Refuses a link, signed or not.
    package func verify(_ demand: SignatureDemand, at time: Timestamp?) throws(SignatureRefusal) {
        throw demand.signatures.isEmpty ? .missing(demand) : .invalid(.unknownKey, demand)
    }
}
