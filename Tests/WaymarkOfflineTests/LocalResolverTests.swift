import DeepLinkCatalog
import DeepLinkCore
import Testing
import WaymarkOffline
import WaymarkTestSupport

/// Checks what an app's own engine answers; that it is what the server does, tests of the process check.
@Suite struct LocalResolverTests {
    @Test func `an app cannot tell who signed a link, and asks the server`() throws {
        let yaml = """
            version: 1
            origins: [{ scheme: shop }]
            gates: { signedInUser: /login }
            entry: { login: root, home: root, offer: root }
            routes: { login: {}, home: {}, offer: { signed: true, authorizationLevel: signedInUser } }
            """
        let resolver = LocalResolver(try CatalogLoader.load(Array(yaml.utf8), file: "signed.yaml"))
        for (link, word) in [
            ("shop:/offer", "signature-required"), ("shop:/offer?sig=a.b", "\"reason\":\"unknown-key\""),
            ("shop:/offers", "no-matching-route"),
        ] {
            let answer = resolver.answer(to: link, level: "none")
            #expect(String(decoding: answer.body, as: UTF8.self).contains(word), "\(link)")
        }
        #expect(resolver.answer(to: "shop:/home", level: "none").status == 200)
    }

    @Test func `an app knows no codes, and asks the server`() throws {
        let yaml = """
            version: 1
            origins: [{ scheme: https, hosts: [shop.example] }, { scheme: https, hosts: [go.example], shortLinks: true }]
            entry: { home: root }
            routes: { home: {} }
            """
        let resolver = LocalResolver(try CatalogLoader.load(Array(yaml.utf8), file: "short.yaml"))
        for link in ["https://go.example/spring", "https://go.example/home", "https://go.example/"] {
            let answer = resolver.answer(to: link, level: "none")
            let body = String(decoding: answer.body, as: UTF8.self)
            #expect(answer.status == 404 && body.contains("unknown-short-link"), "\(body)")
            #expect(body.contains("\"reason\":\"offline\""), "\(body)")
        }
        #expect(resolver.answer(to: "https://shop.example/home", level: "none").status == 200)
    }

    @Test func `an app gets its own links and those of every app`() throws {
        let yaml = """
            version: 1
            origins: [{ scheme: ride }]
            apps: { rider: { was: unnamed }, driver: {} }
            entry: { help: root, trips: root, shifts: root }
            routes: { help: {}, trips: { app: rider }, shifts: { app: driver } }
            """
        let resolver = LocalResolver(try CatalogLoader.load(Array(yaml.utf8), file: "ride.yaml"))
        for (link, app, status, word) in [
            ("ride:/help", "driver.ios/1", 200, "\"catalogVersion\""), ("ride:/trips", nil, 200, "\"app\":\"rider\""),
            ("ride:/trips", "ios/1", 200, "\"app\":\"rider\""), ("ride:/shifts", "ios/1", 403, "other-app"),
            ("ride:/trips", "driver.ios/1", 403, "\"link\":\"ride:///trips\""),
            ("ride:/trips", "taxi.ios/1", 400, "apps are `rider`, `driver`"),
        ] as [(String, String?, Int, String)] {
            let version = try app.map { try #require(AppVersion($0)) }
            let answer = resolver.answer(to: link, level: "none", app: version)
            let body = String(decoding: answer.body, as: UTF8.self)
            #expect(answer.status == status && body.contains(word), "\(link) for \(app ?? "nobody"): \(body)")
            let question = #"{"link":"\#(link)"\#(app.map { #","app":"\#($0)""# } ?? "")}"#
            let same = resolver.answer(body: Array(question.utf8))
            #expect(same.status == answer.status && same.body == answer.body, "\(question)")
        }
    }

    @Test(arguments: [
        ("scheme: [rider, driver]", "driver:///shifts"),
        ("scheme: [rider, driver] }, { scheme: https, hosts: [ride.example]", "https://ride.example/shifts"),
    ])
    func `the link for another app does not have the scheme of the asking app`(_ origin: String, _ link: String) throws
    {
        let yaml = """
            version: 1
            origins: [{ \(origin) }]
            apps:
              rider: { ios: [{ appID: ABCDE12345.com.example.rider, scheme: rider }] }
              driver: { ios: [{ appID: ABCDE12345.com.example.driver, scheme: driver }] }
            entry: { trips: root, shifts: root }
            routes: { trips: { app: rider }, shifts: { app: driver } }
            """
        let resolver = LocalResolver(try CatalogLoader.load(Array(yaml.utf8), file: "ride.yaml"))
        for scheme in ["rider", "driver"] {
            let answer = resolver.answer(to: "\(scheme):/shifts", level: "none", app: AppVersion("rider.ios/1"))
            let wanted = scheme == "driver" ? "driver:///shifts" : link
            let body = String(decoding: answer.body, as: UTF8.self)
            #expect(answer.status == 403 && body.contains("\"link\":\"\(wanted)\""), "\(body)")
        }
    }

    @Test func `an app builds the link of a stack, or gets the problem of one that has none`() throws {
        let yaml = """
            version: 1
            origins: [{ scheme: shop }, { scheme: https, hosts: [shop.example] }]
            entry: { home: root }
            routes: { home: { path: "", opens: { item: push } }, item: { path: "item/{id}", parameters: { id: int } } }
            """
        let resolver = LocalResolver(try CatalogLoader.load(Array(yaml.utf8), file: "shop.yaml"))
        let item =
            #"[{"route":"home","presentation":"root"},{"route":"item","presentation":"push","parameters":{"id":7}}]"#
        for (stack, scheme, status, word) in [
            (item, nil, 200, #"{"link":"shop:///item/7"}"#),
            (item, "https", 200, #"{"link":"https://shop.example/item/7"}"#),
            (item, "ftp", 400, #""field":"scheme""#), ("{}", nil, 400, #""field":"stack""#),
            ("[]", nil, 400, #""field":"stack""#),
            (#"[{"route":"item","presentation":"root"}]"#, nil, 422, "no-link"),
        ] as [(String, String?, Int, String)] {
            let answer = resolver.link(to: Array(stack.utf8), scheme: scheme)
            let body = String(decoding: answer.body, as: UTF8.self)
            #expect(answer.status == status && body.contains(word), "\(stack) \(body)")
        }
    }

    @Test func `an app names its grants, and what it asserts`() throws {
        let yaml = """
            version: 1
            origins: [{ scheme: bank }]
            levels: [guest, { name: welcomed, from: app }]
            grants: [pro, { name: unlocked, from: app }]
            gates: { welcomed: /unlock, pro: /unlock, unlocked: /unlock }
            entry: { unlock: { presentation: root, initial: true }, news: root }
            routes: { unlock: {}, news: { authorizationLevel: welcomed, requires: [pro, unlocked] } }
            """
        let resolver = LocalResolver(try CatalogLoader.load(Array(yaml.utf8), file: "bank.yaml"))
        func body(_ level: String, _ grants: [String] = [], _ holds: [String] = []) -> String {
            String(
                decoding: resolver.answer(to: "bank:/news", level: level, grants: grants, holds: holds).body,
                as: UTF8.self
            )
        }
        #expect(body("guest").contains(#""gate":{"level":"welcomed""#))
        #expect(body("welcomed").contains(#""missing":["pro","unlocked"],"gate":{"grant":"pro""#))
        #expect(body("welcomed", ["pro"], ["pro"]).contains(#""missing":["unlocked"],"gate":{"grant":"unlocked""#))
        let plan = body("guest", ["pro"], ["unlocked", "welcomed", "other"])
        #expect(plan.contains(#""user":"welcomed","source":"app"},"grants":{"required":["pro","unlocked"]},"stack""#))
        #expect(body("welcomed", ["pro", "unlocked"]).contains(#""user":"welcomed"},"grants""#))
        #expect(body("welcomed", ["prro"]).contains("`prro` isn't a grant; grants are `pro`, `unlocked`."))
    }
}
