@testable import DeepLinkAuthentication
@testable import DeepLinkCore
@testable import DeepLinkFormats

/// The laws of end users' tokens before their signature is verified.
enum EndUserTokenLaws {
    private static let time = Timestamp(millisecondsSinceEpoch: 1_795_000_000_000)

    /// A parsed token has one spelling, and its claims are read or refused.
    static func checkText(_ input: FuzzInput) {
        let text = String(decoding: input.bytes, as: UTF8.self)
        guard let token = try? EndUserToken(text) else { return }
        Law.require(text.utf8.starts(with: token.signed), "\(text) covers other bytes")
        let signature = Base64URL.encode(token.signature)
        Law.require(text.hasSuffix("." + signature), "\(text) has another signature")
        _ = try? token.namedKey()
    }

    /// Claims of any JSON are read or refused; those that are read hold at that moment.
    static func checkClaims(_ input: FuzzInput) {
        guard case .object(let claims)? = try? JSONParser.parse(input.bytes) else { return }
        guard let read = try? EndUserClaims(claims, issuers: ["i"], audiences: ["a"], at: time) else { return }
        Law.require(time < read.end, "claims that are over are read")
    }
}
