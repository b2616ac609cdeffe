import DeepLinkCore
import DeepLinkStorage
import Testing
import WaymarkTestSupport

@testable import DeepLinkFormats

/// Checks the error documents (RFC 9457): their members, the order of these, and the lengths at which texts are cut off.
@Suite struct ProblemTests {
    private static func text(_ problem: Problem) -> String { String(decoding: problem.json, as: UTF8.self) }

    @Test func `members stand in the order of the wire, those for programs last`() {
        let problem = Problem(
            .insufficientScope,
            detail: "Say \"please\".",
            extensions: [
                .init("b", text: "x"), .init("a", number: 1), .init("none", text: String?.none),
                .init("list", texts: ["y", "z"]),
            ]
        )
        #expect(
            Self.text(problem)
                == #"{"type":"urn:waymark:problem:insufficient-scope","title":"\#(ProblemCode.insufficientScope.title)","#
                + #""status":403,"detail":"Say \"please\".","b":"x","a":1,"none":null,"list":["y","z"]}"#
        )
    }

    @Test func `an invalid request names the field and the reason`() {
        let problem = Problem.invalidRequest(field: "mode", reason: .wrongType, detail: "`mode` is null.")
        #expect(
            Self.text(problem)
                == #"{"type":"urn:waymark:problem:invalid-request","title":"The request is invalid","status":400,"#
                + #""detail":"`mode` is null.","field":"mode","reason":"wrong-type"}"#
        )
        #expect(InvalidRequest(problem) == InvalidRequest("mode", "wrong-type", "`mode` is null."))
    }

    @Test(arguments: ProblemCode.allCases)
    func `every code has a title that is a sentence without its end, and a status of errors`(_ code: ProblemCode) {
        #expect((400..<600).contains(code.status))
        #expect(code.title.first?.isUppercase == true && code.title.last != ".")
        #expect(ProblemCode.allCases.count { $0.title.bytewise == code.title.bytewise } == 1)
        #expect(
            code.rawValue.utf8.allSatisfy {
                $0 == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
            }
        )
    }

    // MARK: Texts that are too long

    @Test(arguments: [
        ("", 4, ""), ("abcd", 4, "abcd"), ("abcde", 4, "abcd…"), ("abcé", 4, "abc…"), ("abéx", 4, "abé…"),
        ("日本", 4, "日…"),
        ("\u{1F600}", 3, "…"), ("\u{1F600}\u{1F600}", 7, "\u{1F600}…"), ("a", 0, "…"),
    ])
    func `a text is cut off before a character that does not fit`(_ text: String, _ limit: Int, _ cut: String) {
        #expect(text.truncated(toByteCount: limit) == cut)
    }

    @Test func `no cut is in the middle of a character`() {
        let text = "aé日\u{1F600}" + "aé日\u{1F600}"
        for limit in 0...text.utf8.count {
            let cut = text.truncated(toByteCount: limit)
            #expect(!cut.unicodeScalars.contains("\u{FFFD}"))
            #expect(cut.utf8.count <= limit + "…".utf8.count)
            #expect(text.utf8.starts(with: cut.utf8.dropLast(cut.utf8.count == text.utf8.count ? 0 : 3)))
        }
    }

    @Test(arguments: [("a", 1), ("é", 2), ("日", 3)])
    func `a detail has 2,048 bytes at most, and a member 8,192`(_ letter: String, _ size: Int) {
        let long = String(repeating: letter, count: 100_000)
        let problem = Problem(.malformedLink, detail: long, extensions: [.init("link", text: long)])
        #expect(problem.detail == String(repeating: letter, count: 2_048 / size) + "…")
        #expect(Self.text(problem).contains(#""link":"\#(String(repeating: letter, count: 8_192 / size))…"}"#))
        // One that is added to is not cut off again.
        #expect(problem.adding(ProblemExtension("more", number: 1)).detail.bytewise == problem.detail.bytewise)
    }

    // MARK: Adding to a problem

    @Test func `a member and header fields are added at the end`() {
        let problem = Problem(
            .overloaded,
            detail: "Later.",
            extensions: [.init("a", number: 1)],
            headers: [.retryAfter: "1"]
        )
        .adding(ProblemExtension("b", number: 2)).adding([.allow: "GET"])
        #expect(Self.text(problem).hasSuffix(#""detail":"Later.","a":1,"b":2}"#))
        #expect(problem.headers.fields.map { "\($0.name.text): \($0.value)" } == ["Retry-After: 1", "Allow: GET"])
    }

    @Test(arguments: ProblemCode.allCases)
    func `a hint is added to problems of a link, once`(_ code: ProblemCode) {
        let isAboutLink = [
            .malformedLink, .noMatchingRoute, .invalidParameter, .conflictingDestinations, .tooDeep,
            .insufficientAuthorizationLevel, .missingGrant, .otherApp, .appUpdateRequired,
        ]
        .contains(code)
        let hinted = Problem(code, detail: "No.").adding(hint: "one").adding(hint: "other")
        #expect(Self.text(hinted).hasSuffix(isAboutLink ? #""detail":"No.","hint":"one"}"# : #""detail":"No."}"#))
    }

    @Test(arguments: ProblemCode.allCases)
    func `a problem of the server names its request, once`(_ code: ProblemCode) {
        let problem = Problem(code, detail: "No.").identified(by: "r1").identified(by: "r2")
        #expect(Self.text(problem).hasSuffix(code.status >= 500 ? #""No.","requestId":"r1"}"# : #""No."}"#))
    }

    @Test func `the cause of a failure is not shown`() {
        struct Secret: Error { let text = "/var/lib/secret" }
        let problem = Problem.userStateUnavailable(Secret())
        #expect(problem.cause?().contains("secret") == true)
        #expect(!Self.text(problem).contains("secret"))
        #expect(problem.headers[.retryAfter] == "1")
    }
}
