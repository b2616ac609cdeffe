import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import Foundation
import JWTKit
import ServerTestSupport
import Testing

@testable import DeepLinkAuthentication

@Suite struct EndUserVerifierTests {
    /// Returns the answer of a verifier: the user's id, or the name of the refusal.
    private func answer(_ token: String, _ time: Timestamp = TestIssuer.now) async throws -> String {
        try await answer(token, time, of: TestIssuer.verifier())
    }

    private func answer(_ token: String, _ time: Timestamp, of verifier: EndUserVerifier) async throws -> String {
        do throws(EndUserTokenError) {
            return try await verifier.user(of: token, at: time).id.text
        } catch {
            #expect(verifier.cachedUser(of: token, at: time) == nil)
            return error.rawValue
        }
    }

    private func after(_ seconds: Int) -> Timestamp {
        Timestamp(millisecondsSinceEpoch: TestIssuer.now.millisecondsSinceEpoch + Int64(seconds) * 1000)
    }

    // MARK: Good tokens

    private struct Claims: JWTPayload {
        let iss: IssuerClaim
        let aud: AudienceClaim
        let sub: SubjectClaim
        let exp: ExpirationClaim

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    @Test func `a token that jwt-kit writes by any of the four algorithms names its user`() async throws {
        let issuer = try await TestIssuer.shared.value
        let end = Date(timeIntervalSince1970: Double(TestIssuer.seconds + 60) + 0.5)
        for key in issuer.all {
            let claims = Claims(
                iss: .init(value: TestIssuer.issuer),
                aud: .init(value: ["other", TestIssuer.audience]),
                sub: .init(value: "ada of \(key.id)"),
                exp: .init(value: end)
            )
            let header: JWTHeader = [
                "alg": .string(key.algorithm), "kid": .string(key.id), "typ": .string("JWT"),
            ]
            let token = try await key.collection.sign(claims, header: header)
            #expect(try await answer(token) == "ada of \(key.id)")
        }
    }

    @Test func `a user's token is that user's and nobody else's`() async throws {
        let (issuer, verifier) = (try await TestIssuer.shared.value, try await TestIssuer.verifier())
        for name in ["ada", "bob", "e\u{301}", "\u{e9}", String(repeating: "x", count: 256)] {
            let token = try issuer.curve.token(TestIssuer.claims(["sub": "\"\(name)\""]))
            for _ in 0..<2 {
                let user = try await verifier.user(of: token, at: TestIssuer.now)
                #expect(user.id.text.utf8.elementsEqual(name.utf8))
                #expect(verifier.cachedUser(of: token, at: TestIssuer.now) == user)
            }
        }
    }

    // MARK: Header

    @Test func `a public key is no secret`() async throws {
        let issuer = try await TestIssuer.shared.value
        for key in [issuer.curve, issuer.rsa, issuer.edwards] {
            // The bytes that a careless verifier could take for the secret.
            let members = ["n", "e", "x", "y"].compactMap { key.jwk[$0] }
            let spellings =
                members.map { Array($0.utf8) } + members.compactMap { Base64URL.decode($0.utf8) }
                + [TestIssuer.document([key.jwk])]
            for secret in spellings where secret.count >= 32 {
                let collection = await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
                let forger = try await TestIssuer.Key(id: key.id, algorithm: "HS256", collection: collection)
                #expect(try await answer(try forger.token()) == "algorithm")
                #expect(try await answer(try key.forged(by: forger, algorithm: key.algorithm)) == "signature")
            }
        }
    }

    @Test func `the header's algorithm must be the key's`() async throws {
        let issuer = try await TestIssuer.shared.value
        for key in issuer.all {
            for other in issuer.all where other.id != key.id {
                #expect(try await answer(try key.forged(by: key, algorithm: other.algorithm)) == "algorithm")
                #expect(try await answer(try key.forged(by: other, algorithm: other.algorithm)) == "algorithm")
                #expect(try await answer(try key.forged(by: other, algorithm: key.algorithm)) == "signature")
            }
        }
    }

    @Test(arguments: [
        "\"none\"", "\"None\"", "\"NONE\"", "\"nOnE\"", "\"\"", "\"hs256\"", "\"HS384\"", "\"PS256\"", "\"ES256K\"",
        "\"HS256 \"", "null", "256", "[\"HS256\"]",
    ])
    func `any other algorithm is refused, with a signature and without`(_ algorithm: String) async throws {
        let issuer = try await TestIssuer.shared.value
        for key in issuer.all {
            let token = try key.token(header: #"{"alg":\#(algorithm),"kid":"\#(key.id)"}"#)
            #expect(try await answer(token) == "algorithm")
            let parts = token.split(separator: ".")
            #expect(try await answer("\(parts[0]).\(parts[1]).") == "signature")
            #expect(try await answer("\(parts[0]).\(parts[1])") == "malformed")
        }
        #expect(try await answer(try issuer.secret.token(header: #"{"kid":"hs"}"#)) == "algorithm")
    }

    @Test(arguments: [
        "[]", "[\"b64\"]", "[\"exp\"]", "null", "\"b64\"", "{}",
    ])
    func `a critical extension is refused, since there are none`(_ extensions: String) async throws {
        let issuer = try await TestIssuer.shared.value
        let header = #"{"alg":"HS256","kid":"hs","b64":true,"crit":\#(extensions)}"#
        #expect(try await answer(try issuer.secret.token(header: header)) == "criticalHeader")
    }

    @Test(arguments: [#","kid":"other""#, #","kid":"""#, #","kid":"HS""#, #","kid":null"#, #","kid":["hs"]"#])
    func `a token that names no known key is refused`(_ member: String) async throws {
        let issuer = try await TestIssuer.shared.value
        #expect(try await answer(try issuer.secret.token(header: #"{"alg":"HS256"\#(member)}"#)) == "unknownKey")
        // Also if there is one key only, which jwt-kit would take for the default.
        let verifier = try await TestIssuer.verifier(TestIssuer.document([issuer.secret.jwk]))
        let token = try issuer.secret.token(header: #"{"alg":"HS256"\#(member)}"#)
        #expect(try await answer(token, TestIssuer.now, of: verifier) == "unknownKey")
    }

    @Test func `a key that a token brings along is not used`() async throws {
        let foreign = try await TestIssuer.foreign.value.curve
        let jwk = String(decoding: TestIssuer.document([foreign.jwk]).dropFirst(9).dropLast(2), as: UTF8.self)
        let header = #"{"alg":"ES256","kid":"es","jwk":\#(jwk),"jku":"http://127.0.0.1:1/"}"#
        #expect(try await answer(try foreign.token(header: header)) == "signature")
    }

    // MARK: Signature

    @Test func `a foreign signature under a known key is refused`() async throws {
        let (issuer, foreign) = (try await TestIssuer.shared.value, try await TestIssuer.foreign.value)
        for (key, other) in zip(issuer.all, foreign.all) {
            #expect(key.id == other.id)
            #expect(try await answer(try key.token()) == "ada")
            #expect(try await answer(try other.token()) == "signature")
        }
    }

    @Test func `signatures of other lengths, of zeros and of other claims are refused`() async throws {
        let issuer = try await TestIssuer.shared.value
        for key in issuer.all {
            let token = try key.token()
            let signed = token.prefix { _ in true }.split(separator: ".")
            let good = try #require(Base64URL.decode(signed[2].utf8))
            for signature in [
                [0], Array(good.dropLast()), good + [0], [0] + good, good + good,
                [UInt8](repeating: 0, count: good.count),
                [UInt8](repeating: 0xFF, count: good.count), Array(good.reversed()),
            ] {
                #expect(try await answer("\(signed[0]).\(signed[1]).\(Base64URL.encode(signature))") == "signature")
            }
            let other = try key.token(TestIssuer.claims(["sub": "\"root\""])).split(separator: ".")
            #expect(try await answer("\(other[0]).\(other[1]).\(signed[2])") == "signature")
            #expect(try await answer("\(signed[0]).\(signed[1]).") == "signature")
        }
    }

    // MARK: Form

    @Test func `a token has 4,096 bytes at most`() async throws {
        let issuer = try await TestIssuer.shared.value
        // Claims are encoded by threes, so one length of four cannot be reached: a header of another length can.
        let (_, padding) = try #require(
            (0..<4000).lazy.map { ($0, String(repeating: "x", count: $0)) }
                .first { _, padding in
                    try issuer.secret.token(TestIssuer.claims(["pad": "\"\(padding)\""])).utf8.count >= 4094
                }
        )
        var answers: [Int: String] = [:]
        for (inHeader, inClaims) in [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2), (2, 3)] {
            let header = #"{"alg":"HS256","kid":"hs","typ":"JWT\#(String(repeating: "T", count: inHeader))"}"#
            let claims = TestIssuer.claims(["pad": "\"\(padding)\(String(repeating: "x", count: inClaims))\""])
            let token = try issuer.secret.token(header: header, claims: claims)
            answers[token.utf8.count] = try await answer(token)
        }
        #expect(answers[4096] == "ada")
        #expect(answers[4097] == "tooLong")
        #expect(answers.allSatisfy { $0.value == ($0.key <= 4096 ? "ada" : "tooLong") }, "\(answers)")
        #expect(try await answer(String(repeating: "a", count: 1_000_000)) == "tooLong")
    }

    @Test func `header and claims are objects whose members are there once`() async throws {
        let key = try await TestIssuer.shared.value.secret
        for header in [
            #"{"alg":"HS256","kid":"hs","kid":"hs"}"#, #"{"alg":"none","alg":"HS256","kid":"hs"}"#,
            #"{"alg":"HS256","kid":"hs"} x"#, #"["HS256","hs"]"#, "\"hs\"", "", "null", #"{"alg":"HS256","kid":"hs",}"#,
            #"{"alg":"HS256","kid":"hs","x":\#(String(repeating: "[", count: 99))\#(String(repeating: "]", count: 99))}"#,
        ] {
            #expect(try await answer(try key.token(header: header)) == "malformed", "\(header)")
        }
        let good = TestIssuer.claims()
        for claims in [
            good.replacing("{", with: #"{"sub":"root","#), good.replacing("}", with: #","\u0073ub":"root"}"#),
            "[\(good)]", "\"ada\"", "", "1", "null", good + good, good.replacing("ada", with: "\u{1}"),
            #"{"a":\#(String(repeating: "[", count: 99))\#(String(repeating: "]", count: 99))}"#,
        ] {
            #expect(try await answer(try key.token(claims)) == "malformed", "\(claims)")
        }
        let bytes = Array(good.utf8).map { $0 == UInt8(ascii: "d") ? 0xFF : $0 }
        let signed = Base64URL.encode(Array(#"{"alg":"HS256","kid":"hs"}"#.utf8)) + "." + Base64URL.encode(bytes)
        let signature = Base64URL.encode(try key.signer.sign(Array(signed.utf8)))
        #expect(try await answer("\(signed).\(signature)") == "malformed")
    }

    @Test func `a token has one spelling`() async throws {
        let issuer = try await TestIssuer.shared.value
        for key in issuer.all {
            let token = try key.token()
            let parts = token.split(separator: ".").map(String.init)
            for (index, part) in parts.enumerated() {
                var spellings = ["\(part)=", "\(part)==", "\(part)\n", " \(part)", "\(part)A===", part + "é"]
                if part.contains(where: { "-_".contains($0) }) {
                    spellings.append(part.replacing("-", with: "+").replacing("_", with: "/"))
                }
                // The last character's bits that no byte takes.
                let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
                if part.utf8.count % 4 != 0, let last = part.last, let place = alphabet.firstIndex(of: last) {
                    spellings.append(part.dropLast() + String(alphabet[place ^ 1]))
                }
                for spelling in spellings {
                    var changed = parts
                    changed[index] = spelling
                    #expect(try await answer(changed.joined(separator: ".")) == "malformed", "\(index) \(spelling)")
                }
            }
            for other in [
                token + ".", "." + token, token + ".x", parts[0], "", ".", "..", "...", parts[0] + "." + parts[1],
                "Bearer \(token)", token.replacing(".", with: ".."),
            ] {
                #expect(try await answer(other) == "malformed", "\(other)")
            }
        }
    }

    // MARK: Claims

    @Test(arguments: [
        ("iss", nil, "issuer"), ("iss", "\"https://id.example/\"", "issuer"), ("iss", "\"\"", "issuer"),
        ("iss", "[\"https://id.example\"]", "issuer"), ("iss", "null", "issuer"),
        ("aud", nil, "audience"), ("aud", "\"other\"", "audience"), ("aud", "[]", "audience"),
        ("aud", "[\"other\",7]", "audience"), ("aud", "[\"waymark\",5]", "audience"),
        ("aud", "\"Waymark\"", "audience"), ("aud", "null", "audience"),
        ("aud", "{\"waymark\":true}", "audience"), ("aud", "[[\"waymark\"]]", "audience"),
        ("aud", "[\"other\",\"waymark\"]", "ada"),
        ("exp", nil, "missingExpiry"), ("exp", "\"1900000000\"", "malformedTime"), ("exp", "null", "malformedTime"),
        ("exp", "0", "expired"), ("exp", "-1e300", "expired"), ("exp", "1e300", "ada"),
        ("exp", "9223372036854775807", "ada"), ("exp", "99999999999999999999999", "ada"), ("exp", "1e999", "malformed"),
        ("nbf", "\"0\"", "malformedTime"), ("nbf", "true", "malformedTime"), ("nbf", "0", "ada"),
        ("nbf", "1e300", "notYetValid"), ("nbf", "-9223372036854775808", "ada"),
        ("sub", nil, "subject"), ("sub", "\"\"", "subject"), ("sub", "7", "subject"), ("sub", "null", "subject"),
        ("sub", "\"a\\u0000b\"", "subject"), ("sub", "\"a\\u0085b\"", "subject"),
        ("sub", "\"\(String(repeating: "x", count: 257))\"", "subject"),
        ("iat", "\"yesterday\"", "ada"), ("crit", "[\"x\"]", "ada"),
    ])
    func `each claim is checked`(_ name: String, _ value: String?, _ expected: String) async throws {
        for key in try await TestIssuer.shared.value.all {
            #expect(try await answer(try key.token(TestIssuer.claims([name: value]))) == expected)
        }
    }

    @Test(arguments: [
        ("exp", "0", 29, "ada"), ("exp", "0", 30, "expired"), ("exp", "0", 31, "expired"),
        ("exp", "-30", 0, "expired"), ("exp", "-29", 0, "ada"), ("exp", "0.5", 30, "ada"),
        ("exp", "0.5", 31, "expired"),
        ("nbf", "0", -30, "ada"), ("nbf", "0", -31, "notYetValid"), ("nbf", "30", 0, "ada"),
        ("nbf", "31", 0, "notYetValid"), ("nbf", "30.5", 0, "notYetValid"), ("nbf", "29.5", 0, "ada"),
    ])
    func `the leeway is 30 seconds, to the second`(
        _ name: String,
        _ offset: String,
        _ moment: Int,
        _ expected: String
    ) async throws {
        let key = try await TestIssuer.shared.value.secret
        let time = try #require(Double(offset)) + Double(TestIssuer.seconds)
        let token = try key.token(TestIssuer.claims([name: "\(Decimal(time))"]))
        #expect(try await answer(token, after(moment)) == expected)
    }

    // MARK: Refusals

    @Test func `a refusal can be shown in a header and repeats nothing`() {
        for refusal in EndUserTokenError.allCases {
            let text = refusal.description
            #expect(text.hasSuffix(".") && text.count > 20)
            // RFC 6750 §3: error_description holds these characters only.
            #expect(text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }, "\(text)")
        }
    }
}
