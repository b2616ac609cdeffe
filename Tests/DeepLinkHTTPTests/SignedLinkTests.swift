import DeepLinkAuthentication
import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// Tests of links that are signed; `signed-links.http` has what callers get.
@Suite struct SignedLinkTests {
    private let catalog: RouteCatalog
    private let keys = LinkSigningKeys(TestServer.signingKeys)

    init() throws { catalog = try TestServer.Circumstance.signed.catalog() }

    private func demand(_ link: String, from: [Destination]? = nil) throws -> SignatureDemand? {
        let current = from.map { CurrentStack.stack($0) }
        let request = try ResolutionRequest(
            link: Array(link.utf8),
            mode: from == nil ? .replace : .append,
            current: current,
            rootless: catalog.rootlessSchemes
        )
        return resolve(request, userLevel: .premiumUser, catalog: catalog).signature
    }

    private func plan(_ link: String) throws -> RoutePlan {
        let resolution = resolve(
            ResolutionRequest(link: try DeepLink(link)),
            userLevel: .premiumUser,
            catalog: catalog
        )
        guard case .plan(let plan) = resolution else { throw Unresolved(resolution: resolution) }
        return plan
    }

    private struct Unresolved: Error { let resolution: Resolution }

    /// The reason why a link is refused, or its problem's code; `nil` if its signature holds.
    private func refusal(
        _ link: String,
        from: [Destination]? = nil,
        at time: Timestamp? = TestServer.now
    ) throws -> String? {
        guard let demand = try demand(link, from: from) else { return "nothing to sign" }
        return refusal(demand, keys, at: time)
    }

    private func refusal(_ demand: SignatureDemand, _ keys: LinkSigningKeys, at time: Timestamp?) -> String? {
        do throws(SignatureRefusal) {
            try keys.verify(demand, at: time)
            return nil
        } catch {
            let problem = Problem(error)
            let json = String(decoding: problem.json, as: UTF8.self)
            return reasons.first { json.contains("\"reason\":\"\($0)\"") } ?? problem.code.rawValue
        }
    }

    private func refusal(_ link: String, _ keys: LinkSigningKeys) throws -> String? {
        refusal(try #require(try demand(link)), keys, at: nil)
    }

    private var reasons: [String] { LinkSignatureFault.allCases.map(\.rawValue) }

    private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    // MARK: What is signed

    @Test(arguments: [
        ("https://shop.example/offer/spring", "/offer/spring"),
        ("https://SHOP.example:443/o/spring?utm_source=mail&page=1#top", "/offer/spring"),
        ("shop://offer/spring?sig=x&exp=1", "/offer/spring"), ("shop:///offer/spring", "/offer/spring"),
        ("old://shop.example/app/offer/spring", "/offer/spring"),
        ("https://shop.example/offer/a%20b?terms=x%26y&page=2", "/offer/a%20b?page=2&terms=x%26y"),
        ("https://shop.example/offer/50%25/details?size=7&page=2", "/offer/50%25/details?page=2&size=7"),
        ("https://shop.example/go?to=https%3A%2F%2Fshop.example%2Foffer%2Fspring", "/offer/spring"),
    ])
    func `what is signed is the canonical path and query, under every origin`(_ link: String, _ target: String) throws {
        #expect(text(try demand(link)?.target) == target)
    }

    @Test func `only links to a signed route, and to what it opens, need a signature`() throws {
        #expect(try demand("https://shop.example/help") == nil)
        #expect(try demand("https://shop.example/") == nil)
        #expect(try demand("https://shop.example/nowhere") == nil)
        #expect(try demand("https://shop.example/offer/x/details")?.route == "offer")
        #expect(!(try SampleApp.catalog().hasSignedRoutes))
    }

    @Test func `the keys of a signature are no unused query, and in no canonical link`() throws {
        let signed = try plan("https://shop.example/offer/spring?sig=k2.x&utm=1&%65xp=5")
        #expect(signed.unusedQuery.map(\.name) == ["utm"])
        #expect(signed.canonicalLink == "https://shop.example/offer/spring")
        #expect(try plan("https://shop.example/help?sig=1&exp=2").unusedQuery.map(\.name) == ["sig", "exp"])
    }

    @Test(arguments: [
        ("", "Links to offer must be signed: `sig` is missing.", false),
        ("?sig=k9.AAAA", "No key of this service has the id that `sig` names", false),
        ("?sig=k2.AAAA", "The signature is not that of this link", false),
        ("?sig=k2", "The link needs `sig=<key id>.<base64url>` once", false),
        (
            "?sig=k2.rzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO8",
            "The link is signed with the key k2, without an end.",
            true
        ),
        (
            "?exp=1800000000&sig=k2.JesEWB01Basqq8P9a_sa_qVzi36Kl8SxsPYSYMHxY3M",
            "The link is signed with the key k2, until 2027-01-15T08:00:00Z.", true
        ),
    ])
    func `an explanation says what was signed and what was given, and tells no code`(
        _ query: String,
        _ reason: String,
        _ isHeld: Bool
    ) throws {
        func steps(_ link: String, at time: Timestamp) throws -> [ExplanationStep] {
            let request = ResolutionRequest(link: try DeepLink(link))
            let decision = decide(
                request,
                permissions: Permissions(level: .premiumUser),
                catalog: catalog,
                keys: keys,
                at: time,
                explains: true
            )
            let steps = try #require(decision.explanation)
            return steps.filter { $0.parameter == "sig" }
        }
        let link = "https://shop.example/offer/spring" + query
        let step = try #require(try steps(link, at: TestServer.now).first)
        #expect(step.outcome == (isHeld ? .verified : .denied))
        #expect(step.route == "offer")
        #expect(step.expected == "a signature of /offer/spring")
        #expect(step.reason.hasPrefix(reason) && step.reason.hasSuffix("What is signed: /offer/spring."))
        for code in ["AAAA", "rzAQ", "JesE"] { #expect(!step.reason.contains(code)) }
        let late = try steps(link, at: Timestamp(millisecondsSinceEpoch: 1_800_000_000_000)).first
        #expect(late?.reason.hasPrefix("The link has expired") == query.contains("exp"))
        #expect(try steps("https://shop.example/help" + query, at: TestServer.now).isEmpty)
    }

    // MARK: Vectors

    /// Signatures that another program made: HMAC-SHA-256 with Python's `hmac`.
    @Test(arguments: [
        ("/offer/spring", nil, "k2.rzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO8"),
        ("/offer/spring", 1_800_000_000, "k2.JesEWB01Basqq8P9a_sa_qVzi36Kl8SxsPYSYMHxY3M"),
        ("/offer/a%20b?page=2&terms=x%26y", nil, "k2.LT5p1JROwZLNZehIV6NP2VIhEn9rDYL2fxwkGUBuntk"),
        (
            "/offer/50%25/details?page=2&size=7", 1_800_000_000,
            "k2.qBxmR2bOti6Iwx3rXpUAJI9PfGo5lGUEABQe1ygXAlY"
        ),
    ])
    func `a link gets the signature that anyone with the key computes`(
        _ target: String,
        _ expiry: Int64?,
        _ signature: String
    ) throws {
        let link = "https://shop.example" + target
        let demand = try #require(try demand(link))
        let signed = try #require(
            keys.sign(link, demand: demand, expiry: expiry.map { Timestamp(millisecondsSinceEpoch: $0 * 1000 + 999) })
        )
        let separator = target.contains("?") ? "&" : "?"
        #expect(signed == link + separator + (expiry.map { "exp=\($0)&" } ?? "") + "sig=" + signature)
        #expect(try refusal(signed) == nil)
    }

    @Test(arguments: [
        ("", "signature-required"), ("exp=1800000000", "signature-required"), ("sig", "malformed"),
        ("sig=", "malformed"), ("sig=k2", "malformed"), ("sig=k2.*", "malformed"),
        ("sig=k2.rzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO9", "malformed"), ("sig=k2.", "wrong"),
        ("sig=k2.rzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO8&sig=k2.", "malformed"),
        ("sig=k2.rzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO8&exp=1&exp=1", "malformed"),
        ("sig=k2.rzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO8&exp", "malformed"),
        ("sig=k2.rzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO8&exp=01", "malformed"),
        ("sig=k2.rzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO8&exp=%2B1", "malformed"),
        ("sig=k2.rzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO8&exp=-1", "malformed"),
        ("sig=k2.rzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO8&exp=9223372036854775807", "malformed"),
        ("sig=k2.rzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO8&exp=1800000000", "wrong"),
        ("sig=k3.rzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO8", "unknown-key"),
        ("sig=.rzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO8", "unknown-key"),
        ("sig=k1.rzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO8", "wrong"),
        ("exp=1700000000&sig=k2.SHQVV3vGxTHMqYfxyeSe1pFUNM-ck8hoRFlhq2P3CsQ", "expired"),
        ("exp=1700000001&sig=k2.SHQVV3vGxTHMqYfxyeSe1pFUNM-ck8hoRFlhq2P3CsQ", "wrong"),
        ("sig=k1.0qqPoVQzIGfsTLa5ehdJHsw1Y1cYRqKkWY311L6TuLk", nil),
        ("utm_source=mail&sig=k2.rzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO8&fbclid=%20x", nil),
        ("%73ig=k2%2ErzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO8&page=1", nil),
        ("sig=k2.rzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO8&page=2", "wrong"),
    ])
    func `a signature is refused for a reason`(_ query: String, _ reason: String?) throws {
        #expect(try refusal("https://shop.example/offer/spring?" + query) == reason)
    }

    @Test func `a link expires at its second, and a continuation of it does not ask again`() throws {
        let link =
            "https://shop.example/offer/spring?exp=1800000000&sig=k2.JesEWB01Basqq8P9a_sa_qVzi36Kl8SxsPYSYMHxY3M"
        #expect(try refusal(link, at: Timestamp(millisecondsSinceEpoch: 1_799_999_999_999)) == nil)
        #expect(try refusal(link, at: Timestamp(millisecondsSinceEpoch: 1_800_000_000_000)) == "expired")
        #expect(try refusal(link, at: nil) == nil)
    }

    @Test func `a link that goes on from another is signed as the stack that results`() throws {
        let home = [Destination(route: "home", presentation: .root)]
        let signature = "sig=k2.rzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO8"
        #expect(try refusal("offer/spring?" + signature, from: home) == nil)
        #expect(try refusal("offer/summer?" + signature, from: home) == "wrong")
        // A destination of the current stack needs no signature again.
        let offer = Destination(
            route: "offer",
            presentation: .push,
            parameters: [BoundParameter(name: "code", value: .string("spring"))]
        )
        #expect(try demand("?terms=x", from: home + [offer]) == nil)
    }

    @Test func `the link in a link is the one that is signed`() throws {
        let signature = "sig%3Dk2.rzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO8"
        let link = "https://shop.example/go?to=https%3A%2F%2Fshop.example%2Foffer%2Fspring"
        #expect(try refusal(link + "%3F" + signature) == nil)
        #expect(try refusal(link + "&sig=k2.rzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO8") == "signature-required")
    }

    // MARK: Keys

    @Test func `keys are replaced one after the other`() throws {
        let demand = try #require(try demand("https://shop.example/offer/spring"))
        let link = "https://shop.example/offer/spring"
        let all = TestServer.signingKeys
        let keys = LinkSigningKeys([all[1]])
        let first = try #require(keys.sign(link, demand: demand, expiry: nil))
        #expect(first.contains("sig=k1."))
        keys.replace(with: all)
        let second = try #require(keys.sign(link, demand: demand, expiry: nil))
        #expect(second.contains("sig=k2."))
        for signed in [first, second] { #expect(try refusal(signed, keys) == nil) }
        keys.replace(with: [all[0]])
        #expect(try refusal(first, keys) == "unknown-key")
        #expect(try refusal(second, keys) == nil)
        keys.replace(with: [])
        #expect(keys.areMissing)
        #expect(keys.sign(link, demand: demand, expiry: nil) == nil)
        #expect(try refusal(second, keys) == "unknown-key")
    }

    @Test(arguments: [
        ("", "a JSON object"), ("[]", "a JSON object"), (#"{"keys":[],"x":1}"#, "a JSON object"),
        (#"{"keys":[]}"#, "it has no key"), (#"{"keys":[{"id":"a"}]}"#, "key 1 has not just"),
        (#"{"keys":[{"id":"a","secret":"QUJD"}]}"#, "key 1 needs"),
        (#"{"keys":[{"id":"a.b","secret":"MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="}]}"#, "key 1 needs"),
        (
            #"{"keys":[{"id":"a","secret":"MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="},{"id":"a","secret":"MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="}]}"#,
            "two keys have the id `a`"
        ),
    ])
    func `a file that holds no keys is refused, and no secret repeated`(_ text: String, _ message: String) throws {
        do throws(LinkSigningKeyError) {
            let keys = try LinkSigningKey.keys(in: Array(text.utf8))
            Issue.record("\(keys.map(\.id))")
        } catch {
            #expect(error.message.contains(message), "\(error.message)")
            #expect(!error.message.contains("MDEy"))
        }
    }

    @Test func `a file's keys are read in their order`() throws {
        let secret = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
        let text = #"{"keys":[{"id":"k2","secret":"\#(secret)"},{"id":"old-1_A","secret":"\#(secret)"}]}"#
        let read = LinkSigningKeys(try LinkSigningKey.keys(in: Array(text.utf8)))
        let demand = try #require(try demand("https://shop.example/offer/spring"))
        let link = try #require(read.sign("https://shop.example/offer/spring", demand: demand, expiry: nil))
        #expect(link.hasSuffix("sig=k2.rzAQb4XDHstyTLyLPBKqfTy9sB4tS1QKYGE39IU_XO8"))
    }

    // MARK: Laws

    @Test(arguments: 0..<40)
    func `a link that was built and signed verifies, and none that means or says something else`(_ seed: UInt64) throws
    {
        var random = SeededGenerator(seed: seed)
        let letters = Array("abz09-~ %&é/").map(String.init)
        var word = ""
        for _ in 0...Int.random(in: 0..<5, using: &random) { word += random.pick(letters) }
        var stack = [Destination(route: "home", presentation: .root)]
        let page = Int64.random(in: 1...30, using: &random)
        stack.append(
            Destination(
                route: "offer",
                presentation: .push,
                parameters: [
                    BoundParameter(name: "code", value: .string(word)), BoundParameter(name: "page", value: .int(page)),
                ]
            )
        )
        if random.oneIn(2) {
            stack.append(
                Destination(
                    route: "terms",
                    presentation: .sheet,
                    parameters: [BoundParameter(name: "terms", value: .string(random.pick(["", "a", "a&b=c"])))]
                )
            )
        }
        let scheme = random.pick(["https", "shop", "old"])
        let link = try DeepLinkCore.link(to: stack, scheme: scheme, catalog: catalog)
        let expiry = random.oneIn(2) ? Timestamp(millisecondsSinceEpoch: 1_800_000_000_000) : nil
        let unsigned = try #require(try demand(link))
        let signed = try #require(keys.sign(link, demand: unsigned, expiry: expiry))
        #expect(try refusal(signed) == nil)
        #expect(try plan(signed).stack == stack)
        #expect(try plan(signed).canonicalLink == link)

        let bytes = Array(signed.utf8)
        for place in bytes.indices {
            var flipped = bytes
            flipped[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            guard let changed = try? DeepLink(bytes: flipped) else { continue }
            let request = ResolutionRequest(link: changed)
            guard let demand = resolve(request, userLevel: .premiumUser, catalog: catalog).signature,
                refusal(demand, keys, at: TestServer.now) == nil
            else { continue }
            // Other bytes that verify mean the very same: another host or the other case of an escape, and no more.
            let plan = try plan(changed.text)
            #expect(plan.stack == stack, "\(changed.text)")
            #expect(demand.expiries == (expiry == nil ? [] : ["1800000000"]), "\(changed.text)")
            #expect(demand.signatures.count == 1, "\(changed.text)")
        }
    }
}
