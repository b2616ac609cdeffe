// Waymark's runtime: the client of a server. The transport is the only part that needs Foundation's networking.

#if canImport(Foundation)
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

nonisolated extension WaymarkUUID {
    /// The UUID, or `nil` if the text isn't valid.
    public var uuid: UUID? { UUID(uuidString: rawValue) }

    /// Wraps a UUID.
    public init(_ uuid: UUID) { self.init(uuid.uuidString) }
}

nonisolated extension WaymarkDateTime {
    /// The date, or `nil` if the text isn't valid.
    public var date: Date? {
        (try? Date(rawValue, strategy: .iso8601)) ?? (try? Date(rawValue, strategy: .iso8601.fractionalSeconds()))
    }
}

nonisolated extension Date.ISO8601FormatStyle {
    fileprivate func fractionalSeconds() -> Self { time(includingFractionalSeconds: true) }
}

/// A request to the server.
public nonisolated struct WaymarkRequest: Hashable, Sendable {
    /// The address of the endpoint.
    public let url: URL

    /// The header fields.
    public let fields: [String: String]

    /// The body, in JSON.
    public let body: Data
}

/// The server's response.
public nonisolated struct WaymarkResponse: Hashable, Sendable {
    /// The HTTP status code.
    public let status: Int

    /// The body, in JSON.
    public let body: Data

    /// Creates a response from its parts.
    public init(status: Int, body: Data) {
        self.status = status
        self.body = body
    }
}

/// The transport to the server.
///
/// An app can provide its own.
public nonisolated protocol WaymarkTransport: Sendable {
    /// Sends a POST request.
    ///
    /// - Throws: an error if no response arrives.
    func send(_ request: WaymarkRequest) async throws -> WaymarkResponse
}

/// A transport that uses Foundation's `URLSession`.
public nonisolated struct URLSessionTransport: WaymarkTransport {
    private let session: URLSession

    /// Creates a transport that uses a session.
    public init(_ session: URLSession = .shared) { self.session = session }

    /// Sends a POST request.
    public func send(_ request: WaymarkRequest) async throws -> WaymarkResponse {
        var urlRequest = URLRequest(url: request.url)
        urlRequest.httpMethod = "POST"
        urlRequest.httpBody = request.body
        for (name, value) in request.fields { urlRequest.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await session.data(for: urlRequest)
        return WaymarkResponse(status: (response as? HTTPURLResponse)?.statusCode ?? 0, body: body)
    }
}

/// The client of a server, for the routes of one catalog.
public nonisolated struct WaymarkClient<Route: WaymarkRoute>: Sendable {
    /// The way in which a link changes the stack.
    public enum Mode: String, Sendable, Codable {
        /// The link describes the whole stack.
        case replace

        /// The link continues from the top of the stack that is sent.
        case append
    }

    /// The way in which a deferred deep link was found.
    ///
    /// The server only counts it.
    public enum Arrival: String, Sendable, Codable {
        /// The referrer of Google Play.
        case referrer

        /// A pasted text.
        case pasted

        /// Safari's banner.
        case banner
    }

    private let server: URL
    private let user: @Sendable () -> String?

    /// The app and its version, or `nil` if the version is unknown.
    private let app: String?

    private let token: @Sendable () async -> String?
    private let holds: @Sendable () async -> [String]
    private let transport: any WaymarkTransport

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - server: the address without `/v1`.
    ///   - user: returns the signed-in user, before each request. Return `nil` if nobody is signed in, or if the token
    ///     names the user.
    ///   - app: the app and its version, such as `ios/3.1.0`, for each request. A catalog may require a version, and
    ///     the server counts links by app. The default is the version of the bundle, or `ios/0` for an unknown version.
    ///     The client adds the name of the app for which the routes were generated: `driver.ios/3.1.0`.
    ///   - token: returns the token, before each request, so that it can be renewed.
    ///   - holds: returns the levels and grants that the device asserts (`from: app`), before each request, such as an
    ///     entered PIN. The server ignores any others.
    ///   - transport: the transport to the server.
    public init(
        server: URL,
        user: @autoclosure @escaping @Sendable () -> String? = nil,
        app: String? = nil,
        token: @escaping @Sendable () async -> String? = { nil },
        holds: @escaping @Sendable () async -> [String] = { [] },
        transport: any WaymarkTransport = URLSessionTransport()
    ) {
        self.server = server
        self.user = user
        self.app = (app ?? Self.bundledVersion.map { "ios/\($0)" }).map(Self.named)
        self.token = token
        self.holds = holds
        self.transport = transport
    }

    /// Resolves a link from the stack that the app shows.
    ///
    /// - Parameters:
    ///   - link: the link as received.
    ///   - from: the stack that the app shows: ``NavigationState/from``.
    ///   - mode: whether the link replaces the stack or continues from it.
    ///   - userVersion: the minimum version of the user's state for the response, as returned by a write, or `nil` for
    ///     the version that the server has.
    ///   - arrival: the way in which a deferred deep link was found, or `nil` for any other link.
    /// - Returns: a plan, a denial or a problem.
    /// - Throws: the transport's error, after a second failure. A request can be repeated, because it changes nothing
    ///   on the server.
    public func resolve(
        _ link: String,
        from: [WaymarkDestination<Route>]? = nil,
        mode: Mode = .replace,
        userVersion: Int? = nil,
        arrival: Arrival? = nil
    ) async throws -> WaymarkAnswer<Route> {
        let body = ResolveBody(
            link: link,
            user: user(),
            userVersion: userVersion,
            mode: mode.rawValue,
            from: from,
            app: app,
            arrival: arrival?.rawValue
        )
        return try answer(await send("v1/resolve", body))
    }

    /// Resolves a denied link again, after the user obtained the level or the grant.
    ///
    /// - Parameters:
    ///   - continuation: the token: ``WaymarkDenial/continuation``.
    ///   - from: the stack that the app shows now: ``NavigationState/from``. It decides the transition.
    ///   - userVersion: the version of the user's state that the write of the new level or grant returned, or `nil` for
    ///     the version that the server has.
    /// - Returns: a plan, a denial or a problem.
    /// - Throws: the transport's error, after a second failure. The same user can redeem a redeemed token again.
    public func redeem(
        _ continuation: String,
        from: [WaymarkDestination<Route>]? = nil,
        userVersion: Int? = nil
    ) async throws -> WaymarkAnswer<Route> {
        let body = RedeemBody(token: continuation, user: user(), userVersion: userVersion, from: from, app: app)
        return try answer(await send("v1/continuations", body))
    }

    /// The signed-in user, or `nil` if nobody is signed in, or if only the token names the user.
    public var currentUser: String? { user() }

    /// Whether requests name a user, by id or by token.
    public var hasUser: Bool {
        get async {
            if user() != nil { return true }
            return await token() != nil
        }
    }

    /// The version of the bundle, if it consists of one to four numbers, or `nil` for a program without one.
    private static var bundledVersion: String? {
        let text = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String ?? ""
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).prefix(4)
            .prefix {
                (1...9).contains($0.utf8.count) && $0.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
            }
        return numbers.isEmpty ? nil : numbers.joined(separator: ".")
    }

    /// Returns the link to a stack, without a signature.
    ///
    /// - Throws: ``WaymarkProblem`` if no link opens the stack, and the transport's errors.
    public func link(to stack: [WaymarkDestination<Route>], scheme: String? = nil) async throws -> String {
        let response = try await send("v1/links", LinkRequestBody(stack: stack, scheme: scheme))
        guard response.status == 200 else { throw problem(response) }
        return try JSONDecoder().decode(LinkAnswerBody.self, from: response.body).link
    }

    // MARK: Requests and answers

    private struct ResolveBody: Encodable {
        let link: String
        let user: String?
        let userVersion: Int?
        let mode: String
        let from: [WaymarkDestination<Route>]?
        let app: String?
        let arrival: String?
    }

    private struct RedeemBody: Encodable {
        let token: String
        let user: String?
        let userVersion: Int?
        let from: [WaymarkDestination<Route>]?
        let app: String?
    }

    private struct LinkRequestBody: Encodable {
        let stack: [WaymarkDestination<Route>]
        let scheme: String?
    }

    private struct LinkAnswerBody: Decodable {
        let link: String
    }

    /// Returns a version with the name of the app.
    ///
    /// A page in a browser is no app of the catalog.
    private static func named(_ version: String) -> String {
        guard let name = Route.appName, version.hasPrefix("ios/") || version.hasPrefix("android/") else {
            return version
        }
        return "\(name).\(version)"
    }

    private func send(_ path: String, _ body: some Encodable) async throws -> WaymarkResponse {
        var fields = ["Content-Type": "application/json", "Accept": "application/json"]
        fields["Waymark-App"] = app ?? Self.named("ios/0")
        if let token = await token() { fields["Authorization"] = "Bearer " + token }
        let holds = await holds()
        if !holds.isEmpty { fields["Waymark-Holds"] = holds.joined(separator: ", ") }
        let request = WaymarkRequest(
            url: server.appendingPathComponent(path),
            fields: fields,
            body: try JSONEncoder().encode(body)
        )
        do {
            return try await transport.send(request)
        } catch {
            try Task.checkCancellation()
            return try await transport.send(request)
        }
    }

    private func answer(_ response: WaymarkResponse) throws -> WaymarkAnswer<Route> {
        guard response.status != 200 else {
            return .plan(try JSONDecoder().decode(RoutePlan<Route>.self, from: response.body))
        }
        let problem = problem(response)
        guard ["insufficient-authorization-level", "missing-grant"].contains(problem.code) else {
            return .problem(problem)
        }
        return .denied(try JSONDecoder().decode(WaymarkDenial<Route>.self, from: response.body))
    }

    private func problem(_ response: WaymarkResponse) -> WaymarkProblem {
        let members = try? JSONDecoder().decode([String: WaymarkJSON].self, from: response.body)
        return WaymarkProblem(members: members ?? [:], status: response.status)
    }
}

/// A link that waits until the user obtains what it requires or gives up, or until a response arrives.
public nonisolated struct PendingLink<Route: WaymarkRoute>: Hashable, Sendable, Codable {
    /// The reason why a link waits.
    public enum Reason: String, Sendable, Codable {
        /// The user was refused.
        case refused

        /// No response arrived.
        case unanswered
    }

    /// The link as opened.
    public let link: String

    /// Whether the link replaces the stack or continues from it.
    public let mode: WaymarkClient<Route>.Mode

    /// The reason why the link waits.
    public internal(set) var reason: Reason

    /// The time at which the link was opened, or `nil` for a link that version 1.0 stored.
    public let openedAt: Date?

    /// The way in which a deferred deep link was found, or `nil` for any other link.
    public let arrival: WaymarkClient<Route>.Arrival?

    /// The stack that was shown when the link was opened.
    ///
    /// An appended link continues from it.
    public let from: [WaymarkDestination<Route>]

    /// The user who opened the link, or `nil` if nobody was signed in.
    public internal(set) var user: String?

    /// The continuation, if the server issued one.
    public internal(set) var token: String?

    /// The stack of the gate that is shown to the user.
    ///
    /// Closing the gate cancels the link. It is empty for a link without a response.
    public internal(set) var gate: [WaymarkDestination<Route>]

    /// The link in the stored format, or `nil` if it cannot be encoded.
    public var text: String? { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } }

    /// Reads a stored link, or returns `nil` for a missing text and for a text in another format.
    public init?(text: String?) {
        guard let text, let link = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = link
    }

    /// Reads a stored link, including a refused link that version 1.0 stored.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        link = try members.decode(String.self, forKey: .link)
        mode = try members.decode(WaymarkClient<Route>.Mode.self, forKey: .mode)
        reason = (try? members.decodeIfPresent(Reason.self, forKey: .reason)) ?? .refused
        openedAt = try? members.decodeIfPresent(Date.self, forKey: .openedAt)
        arrival = try? members.decodeIfPresent(WaymarkClient<Route>.Arrival.self, forKey: .arrival)
        from = try members.decode([WaymarkDestination<Route>].self, forKey: .from)
        user = try members.decodeIfPresent(String.self, forKey: .user)
        token = try members.decodeIfPresent(String.self, forKey: .token)
        gate = try members.decode([WaymarkDestination<Route>].self, forKey: .gate)
    }

    /// Creates a link to which no response arrived.
    init(
        _ link: String,
        mode: WaymarkClient<Route>.Mode,
        from: [WaymarkDestination<Route>],
        user: String?,
        at time: Date,
        arrival: WaymarkClient<Route>.Arrival?
    ) {
        (self.link, self.mode, self.from, self.arrival) = (link, mode, from, arrival)
        (reason, openedAt, self.user, gate) = (.unanswered, time, user, [])
    }

    /// Returns the link after a denial.
    func refused(_ denial: WaymarkDenial<Route>) -> Self {
        var link = self
        link.reason = .refused
        link.token = denial.continuation ?? token
        link.gate = denial.gate?.stack ?? []
        return link
    }
}
#endif
