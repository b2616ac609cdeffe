import Crypto
import Foundation

@testable import DeepLinkAuthentication
@testable import DeepLinkCore
@testable import DeepLinkFormats

/// The laws of continuations.
enum ContinuationLaws {
    /// Nobody else has it; libFuzzer replays an input in a process with another one.
    private static let secret = SymmetricKey(size: .bits256)

    private static let key = codeKey(secret.withUnsafeBytes { Array($0) })

    private static func codeKey(_ bytes: [UInt8]) -> HMACKey {
        guard let key = HMACKey(bytes) else { fatalError("a key has 32 bytes") }
        return key
    }

    private static let time = Timestamp(millisecondsSinceEpoch: 1_795_000_000_000)

    // MARK: Tokens from anywhere

    /// No text is accepted, since none is signed.
    static func checkForgery(_ input: FuzzInput) {
        require(refusal: ["malformed", "signature"], of: String(decoding: input.bytes, as: UTF8.self))
    }

    /// A signed token is read or refused, and one that is read is written the same way again.
    static func checkSigned(_ input: FuzzInput) {
        let token = signed(input.bytes)
        guard let continuation = try? Continuation(token, verifiedBy: [key]) else {
            require(refusal: ["malformed"], of: token)
            return
        }
        checkRoundTrip(continuation)
        checkChanges(of: token, input)
    }

    private static func signed(_ content: [UInt8]) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data(content), using: secret)
        return base64URL(content) + "." + base64URL(Array(code))
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        let text = Data(bytes).base64EncodedString()
        return String(text.compactMap { $0 == "=" ? nil : $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    private static func require(refusal reasons: [String], of token: String) {
        do throws(Problem) {
            _ = try Continuation(token, verifiedBy: [key])
            Law.require(false, "the token \(token) is accepted")
        } catch {
            Law.require(error.code == .invalidContinuation, "the token is refused with \(error.code.rawValue)")
            let json = String(decoding: error.json, as: UTF8.self)
            Law.require(reasons.contains { json.hasSuffix("\"reason\":\"\($0)\"}") }, "it is refused with \(json)")
        }
    }

    // MARK: Tokens of ours

    /// A token for a request reads back as that request.
    static func checkMinted(_ input: FuzzInput) {
        let (link, from) = input.twoLines
        let shown = from.flatMap { try? DeepLink(bytes: $0) }.map { CurrentStack.link($0) }
        let mode: ResolutionRequest.Mode = input.digest & 1 == 0 ? .replace : .append
        let acceptsPart = input.digest & 2 == 0
        guard
            let request = try? ResolutionRequest(
                link: link,
                mode: mode,
                current: shown,
                acceptsPart: acceptsPart,
                rootless: .none
            )
        else { return }
        let continuation = Continuation(request, at: time, lifetime: Int(input.digest % 100_000))
        checkRoundTrip(continuation)
        checkChanges(of: continuation.token(key) ?? "", input)
    }

    private static func checkRoundTrip(_ continuation: Continuation) {
        // Longer than a token may be is only what a client sent as its current stack.
        guard let token = continuation.token(key) else {
            let isStack = if case .stack? = continuation.request.current { true } else { false }
            Law.require(isStack, "no token is minted for a link")
            return
        }
        let again = Law.require(try? Continuation(token, verifiedBy: [key]), "the token \(token) is not read again")
        Law.require(again.id == continuation.id, "the id changes")
        Law.require(again.expires == continuation.expires, "the end changes")
        let (request, other) = (continuation.request, again.request)
        Law.require(other.link == request.link, "\(request.link.text) reads back as \(other.link.text)")
        Law.require(other.mode == request.mode && other.acceptsPart == request.acceptsPart, "a setting changes")
        Law.require(isSame(other.current, request.current), "what is shown changes")
        Law.require(again.token(key) == token, "minted again, the token differs")
        let otherKey = codeKey(Array(SHA256.hash(data: Data(token.utf8))))
        Law.require((try? Continuation(token, verifiedBy: [otherKey])) == nil, "another key reads the token")
    }

    /// Compares as JSON does: to it `1.0` and `1` are the same, and catalogs take either for a `double`.
    private static func isSame(_ one: CurrentStack?, _ other: CurrentStack?) -> Bool {
        switch (one, other) {
        case (.stack(let one)?, .stack(let other)?): json(one) == json(other)
        default: one == other
        }
    }

    private static func json(_ stack: [Destination]) -> [UInt8] {
        var writer = JSONWriter()
        writer.stack(stack)
        return writer.bytes
    }

    /// A token with one byte more, fewer or changed is refused, so every token has one spelling.
    private static func checkChanges(of token: String, _ input: FuzzInput) {
        guard !token.isEmpty else { return }
        var generator = SeededGenerator(seed: input.digest)
        var bytes = Array(token.utf8)
        let position = Int.random(in: 0..<bytes.count, using: &generator)
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. \n".utf8)
        let letter = letters.randomElement(using: &generator) ?? 0x41
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes.remove(at: position)
        case 1: bytes.insert(letter, at: position)
        case 2: bytes.append(letter)
        default: bytes[position] = letter
        }
        guard bytes != Array(token.utf8) else { return }
        require(refusal: ["malformed", "signature"], of: String(decoding: bytes, as: UTF8.self))
    }
}
