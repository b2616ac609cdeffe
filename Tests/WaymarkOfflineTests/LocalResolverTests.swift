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
            let answer = resolver.answer(to: link, level: .none)
            #expect(String(decoding: answer.body, as: UTF8.self).contains(word), "\(link)")
        }
        #expect(resolver.answer(to: "shop:/home", level: .none).status == 200)
    }
}
