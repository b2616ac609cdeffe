import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import Testing
import WaymarkTestSupport

@Suite struct CatalogBodyTests {
    private static let catalog = """
        version: 1
        origins:
          - { scheme: [https, http], hosts: [a.test, "*.b.test"], authority: segment, fragment: path, pathPrefix: /p }
          - { scheme: m, authority: none }
        entry:
          a: { presentation: root, paths: [x, "{v}-{w}"], parameters: { k: { value: 3 }, q: { type: int, invalid: ignore }, r: { type: int, from: [r, s] } } }
          b: root
          s: root
        routes:
          a: { aliases: ["{_}/a/{_*}"] }
          b: { link: to, parameters: { n: int } }
          s: { signed: true, authorizationLevel: none }
        """

    @Test(
        arguments: [
            #"{"scheme":"https","authority":"segment","hosts":["a.test","*.b.test"],"pathPrefix":"/p","fragment":"path"}"#,
            #"{"scheme":"http","authority":"segment","hosts":["a.test","*.b.test"],"pathPrefix":"/p","fragment":"path"}"#,
            #"{"scheme":"m","authority":"none","hosts":[]}"#,
            #"{"route":"a","presentation":"root","path":"x","aliases":["{_}/a/{_*}"],"#,
            #""path":"{v}-{w}""#,
            #"{"name":"k","type":"int","required":false,"expected":"a whole number","value":3}"#,
            #"{"name":"q","type":"int","from":"q","required":false,"expected":"a whole number","invalid":"ignore"}"#,
            #"{"name":"r","type":"int","from":["r","s"],"required":false,"expected":"a whole number"}"#,
            #""authorizationLevel":"none","signed":true,"opens":[]"#,
            #""parameters":[{"name":"n","type":"int","from":"n","required":false,"expected":"a whole number"}],"link":"to""#,
        ]
    )
    func `a catalog's JSON has every word of its file`(_ part: String) throws {
        let catalog = try CatalogLoader.load(Array(Self.catalog.utf8), file: "words.yaml")
        let json = String(decoding: CatalogBody(catalog).json, as: UTF8.self)
        #expect(json.contains(part), "\(json)")
    }

    @Test func `a signed route is one in the JSON's catalog too`() throws {
        let catalog = try CatalogLoader.load(Array(Self.catalog.utf8), file: "words.yaml")
        let again = try CatalogLoader.load(CatalogBody(catalog).json, file: "words.json")
        #expect(again.routes.map(\.isSigned) == [false, false, true])
        #expect(again.hasSignedRoutes)
    }

    @Test func `a gate over what is shown is one in the JSON's catalog too`() throws {
        let file = """
            version: 1
            origins: [{ scheme: bank }]
            gates: { signedInUser: { link: /login, over: "custom:drawer" }, premiumUser: /plans }
            entry: { home: { presentation: root, initial: true } }
            routes:
              home: { path: "", opens: { login: sheet, plans: sheet } }
              login: {}
              plans: { authorizationLevel: signedInUser }
            """
        let json = CatalogBody(try CatalogLoader.load(Array(file.utf8), file: "gates.yaml")).json
        let again = try CatalogLoader.load(json, file: "gates.json")
        #expect(again.gatesInOrder.map(\.over?.name) == ["custom:drawer", nil])
        #expect(again.gatesInOrder.map(\.link) == ["bank:///login", "bank:///plans"])
    }
}
