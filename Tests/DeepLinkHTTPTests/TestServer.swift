import DeepLinkAuthentication
import DeepLinkCatalog
import DeepLinkCore
import DeepLinkReporting
import DeepLinkSQLite
import DeepLinkStorage
import HTTPTypes
import NIOCore
import Synchronization
import Testing
import WaymarkCommands
import WaymarkServer
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

/// The service in this process, on a port of its own, with a clock that stands still.
enum TestServer {
    /// The circumstances that exchanges are recorded in.
    enum Circumstance: String {
        /// Everything works.
        case usual

        /// User states can be neither read nor written.
        case brokenStore = "broken store"

        /// The server answers only for the hosts of its origins.
        case strictHosts = "strict hosts"

        /// The server is to be open to whoever can connect.
        case insecure

        /// The server works on no request at all.
        case overloaded

        /// A request with a key is being worked on.
        case requestInProgress = "request in progress"

        /// Callers need tokens.
        case tokens

        /// Callers need tokens for all but resolving as nobody.
        case anonymous

        /// Callers need tokens, and may send two requests a second.
        case limited

        /// The catalog is one whose only screen has two query routes and a required parameter, and no web origin.
        case twoSheets = "two sheets"

        /// The catalog's web links begin with a path of their own, and the server answers only for its host.
        case prefixed

        /// The catalog is the inventory app's, whose destinations have alternatives.
        case inventory

        /// The catalog is SUINavigation's, whose links begin at the host, and which has edges that no link takes.
        case suinavigation

        /// The catalog's routes take versions of the app.
        case appVersions = "app versions"

        /// The catalog's routes are in one of two apps, or in both.
        case namedApps = "named apps"

        /// The catalog's two tabs open one route, so that two stacks lead there.
        case twoWays = "two ways"

        /// The catalog is that of a shop whose links phones and browsers understand, and callers need tokens.
        case linkDomain = "link domain"

        /// The same catalog, on a server that is open.
        case openLinkDomain = "open link domain"

        /// The catalog has grants, and levels and grants that the app asserts.
        case grants

        /// The usual catalog has grants, of which the app asserts one, and callers need tokens.
        case userGrants = "user grants"

        /// The catalog has a route that is only for links that are signed, and callers need tokens.
        case signed = "signed links"

        /// The catalog has hosts of short links, and callers need tokens.
        case shortLinks = "short links"

        func catalog() throws -> RouteCatalog {
            switch self {
            case .usual, .brokenStore, .strictHosts, .insecure, .tokens, .anonymous, .limited, .overloaded,
                .requestInProgress:
                try SampleApp.catalog()
            case .prefixed: try CatalogLoader.load(Array(TestServer.prefixed.utf8), file: "prefixed")
            case .twoSheets: try CatalogLoader.load(Array(TestServer.twoSheets.utf8), file: "two sheets")
            case .appVersions: try CatalogLoader.load(Array(TestServer.appVersions.utf8), file: "app versions")
            case .namedApps: try CatalogLoader.load(Array(TestServer.namedApps.utf8), file: "named apps")
            case .twoWays: try CatalogLoader.load(Array(TestServer.twoWays.utf8), file: "two ways")
            case .userGrants: try CatalogLoader.load(try TestServer.sampleWithGrants(), file: "user grants")
            case .grants: try CatalogLoader.load(Array(TestServer.grants.utf8), file: "grants")
            case .signed: try CatalogLoader.load(Array(TestServer.signed.utf8), file: "signed links")
            case .shortLinks: try CatalogLoader.load(Array(TestServer.shortLinks.utf8), file: "short links")
            case .inventory, .suinavigation: try Example.catalog(rawValue)
            case .linkDomain, .openLinkDomain: try Example.catalog("link-domain")
            }
        }
    }

    static let grants = """
        version: 1
        origins: [{ scheme: bank }, { scheme: https, hosts: [bank.example] }]
        levels: [guest, { name: welcomed, from: app }, { name: member, was: signedInUser }]
        grants: [pro, { name: kyc, was: identified }, { name: unlocked, from: app }]
        gates: { welcomed: /welcome, member: /login, kyc: /identify, pro: /upgrade, unlocked: { link: /unlock, over: fullScreenCover } }
        entry: { home: { presentation: root, initial: true }, welcome: root, login: root, identify: root, upgrade: root, unlock: root }
        routes:
          home: { path: "", opens: { news: push, transfer: { presentation: sheet, requires: [unlocked] } } }
          welcome: {}
          login: { authorizationLevel: welcomed }
          identify: { authorizationLevel: member }
          upgrade: { authorizationLevel: member }
          unlock: {}
          news: { requires: [pro] }
          transfer: { authorizationLevel: member, requires: [identified] }
        """

    /// The sample's catalog with grants.
    static func sampleWithGrants() throws -> [UInt8] {
        try Checkout.bytes("Config/routes.yaml")
            + Array("grants: [kyc, { name: pro, was: premium }, { name: unlocked, from: app }]\n".utf8)
    }

    static let signed = """
        version: 1
        origins:
          - { scheme: https, hosts: [shop.example] }
          - { scheme: shop, authority: segment }
          - { scheme: old, hosts: [shop.example], pathPrefix: app }
        gates: { signedInUser: /login }
        entry: { login: root, home: root }
        routes:
          login: {}
          home: { path: "", opens: { offer: push, help: push, go: push } }
          help: {}
          go: { link: to }
          offer:
            path: offer/{code}
            aliases: ["o/{code}"]
            parameters: { code: string, page: { type: int, default: 1 } }
            signed: true
            authorizationLevel: signedInUser
            web: { title: "Offer" }
            opens: { terms: sheet, details: push }
          terms: { query: terms, parameters: { terms: string } }
          details: { parameters: { size: int } }
        """

    /// The keys that sign links, of which the first signs.
    static let signingKeys = [
        LinkSigningKey(id: "k2", secret: key), LinkSigningKey(id: "k1", secret: key.reversed()),
    ]
    .compactMap(\.self)

    /// The key that signs continuations.
    static let key = Array("0123456789abcdef0123456789abcdef".utf8)

    /// The version that it says it has.
    static let version = "1.2.3"

    /// The moment that the clock shows.
    static let now = Timestamp(millisecondsSinceEpoch: 1_795_000_000_000)

    /// Times that no machine is too slow for, if they are not what is tested.
    static let patient: ConnectionLimits = {
        var limits = ConnectionLimits()
        limits.idle = .minutes(10)
        limits.request = .minutes(10)
        return limits
    }()

    /// Assembles a service.
    static func service(
        _ circumstance: Circumstance = .usual,
        catalog: LiveCatalog? = nil,
        store: (any UserStateStore)? = nil,
        shortLinks: (any ShortLinkStore)? = nil,
        shortLinksPerUser: Int = 0,
        serviceTokens: [ServiceToken]? = nil,
        endUsers: EndUserVerifier? = nil,
        authentication: Authentication? = nil,
        load: ServerLoad? = nil,
        callerLimits: CallerLimits? = nil,
        crossOrigins: CrossOriginRules? = nil,
        consoleHosts: [String]? = [],
        login: ConsoleLogin? = nil,
        observer: (any ResponseObserver)? = nil,
        linkObservers: [any LinkEventObserver] = [],
        audit: AuditTrail = .none,
        now: @escaping @Sendable () -> Timestamp = { TestServer.now },
        // A time limit that a loaded machine does not meet.
        comparisons: ComparisonQueue = ComparisonQueue(readsCatalog: TestServer.readCatalog, deadline: .seconds(240))
    ) throws -> TestService {
        let hasTokens = [.tokens, .userGrants, .anonymous, .limited, .linkDomain, .signed, .shortLinks]
            .contains(circumstance)
        let tokens = serviceTokens ?? (hasTokens ? TestToken.allCases.map(\.stored) : [])
        let limits = circumstance == .limited ? CallerLimits(rate: 2, addressRate: 2) : nil
        let memory = InMemoryUserStateStore(codeGenerator: .seeded())
        let metrics = MetricsRegistry()
        let live = try catalog ?? LiveCatalog(try circumstance.catalog())
        let users = store ?? (circumstance == .brokenStore ? BrokenStore() : memory)
        let authentication =
            authentication
            ?? Authentication(
                serviceTokens: ServiceTokens(InMemoryServiceTokenStore(tokens), holding: tokens),
                endUsers: endUsers,
                consoleSessions: login?.sessions,
                letsAnonymousResolve: circumstance == .anonymous
            )
        let hosts = HostSettings(
            authentication: authentication,
            answersLocalHosts: ![.strictHosts, .prefixed].contains(circumstance),
            isInsecure: circumstance == .insecure
        )
        let load = load ?? ServerLoad(maximumWork: circumstance == .overloaded ? 0 : 1024)
        let service = UserService(store: users, audit: audit, now: now)
        let serviceMetrics = ServiceMetrics(countingIn: metrics, text: { metrics.text })
        let signingKeys = LinkSigningKeys([.signed, .shortLinks].contains(circumstance) ? signingKeys : [])
        let bundle = LiveBundle()
        let counted = CountedStore(isBroken: circumstance == .brokenStore)
        let report = ResolutionCounts(since: now())
        let table = EndpointTable(
            resolver: LinkResolver(
                usersIn: users,
                continuations: try #require(ContinuationSettings(keys: [key], lifetime: 600)),
                signingKeys: signingKeys,
                observers: [serviceMetrics, report, counted.counts] + linkObservers,
                shortLinks: ShortLinkService(store: shortLinks ?? memory, maximumPerUser: shortLinksPerUser, now: now),
                now: now
            ),
            metrics: serviceMetrics,
            report: report,
            users: service,
            counts: counted,
            redemptions: circumstance == .brokenStore ? BrokenContinuationStore() : memory,
            streams: LineStreamRules(load: load, authentication: authentication, now: now),
            catalog: live,
            bundle: bundle,
            comparisons: comparisons,
            hosts: hosts,
            consoleHosts: consoleHosts,
            login: login,
            version: version
        )
        if circumstance == .requestInProgress { #expect(service.inProgress.begin(try busyRequest())) }
        return TestService(
            connections: ConnectionServices(
                admission: AdmissionPolicy(
                    catalog: live,
                    hosts: hosts,
                    callerLimits: callerLimits ?? limits,
                    crossOrigins: crossOrigins,
                    now: now
                ),
                endpoints: EndpointTable(table.endpoints + [fault], webLink: table.webLink),
                load: load,
                observer: observer,
                metrics: serviceMetrics,
                isAudited: audit.isKept
            ),
            table: table,
            signingKeys: signingKeys,
            bundle: bundle,
            counted: counted
        )
    }

    /// The endpoints of the API.
    static func endpoints(hasConsole: Bool = true) throws -> [Endpoint] {
        try service(consoleHosts: hasConsole ? [] : nil).table.endpoints
    }

    /// Reads a candidate as the program does.
    static let readCatalog: CatalogReader = { bytes, interruption throws(CatalogError) in
        try CatalogLoader.load(bytes, file: "candidate", refusesAliasKeys: true, interruption: interruption)
    }

    /// The request that is being worked on in ``Circumstance/requestInProgress``.
    private static func busyRequest() throws -> KeyedRequest {
        KeyedRequest(
            caller: "anyone",
            method: "POST",
            path: "/v1/users/busy",
            key: "busy",
            digest: [],
            user: try #require(UserID("busy")),
            time: now
        )
    }

    /// Builds the application.
    static func application(
        _ circumstance: Circumstance = .usual,
        store: (any UserStateStore)? = nil,
        serviceTokens: [ServiceToken]? = nil,
        endUsers: EndUserVerifier? = nil,
        authentication: Authentication? = nil,
        load: ServerLoad? = nil,
        limits: ConnectionLimits = TestServer.patient,
        now: @escaping @Sendable () -> Timestamp = { TestServer.now }
    ) throws -> TestApplication {
        let service = try service(
            circumstance,
            store: store,
            serviceTokens: serviceTokens,
            endUsers: endUsers,
            authentication: authentication,
            load: load,
            now: now
        )
        return application(service, limits: limits)
    }

    /// Builds the application of a service.
    static func application(
        _ service: TestService,
        limits: ConnectionLimits = TestServer.patient
    ) -> TestApplication {
        TestApplication(service: service, limits: limits)
    }

    private struct Fault: Error {}

    /// An endpoint that fails in a way that nobody foresaw.
    private static let fault = Endpoint(
        .get,
        "/healthz/fault",
        access: .everyone,
        handler: .later { _ in throw Fault() }
    )
}

/// A service under test, with the parts that tests look into.
struct TestService {
    /// The dependencies of connections.
    let connections: ConnectionServices

    /// The endpoints of the API, without that of the tests.
    let table: EndpointTable

    let signingKeys: LinkSigningKeys
    let bundle: LiveBundle
    let counted: CountedStore

    var load: ServerLoad { connections.load }

    var catalog: LiveCatalog { connections.admission.catalog }
}
