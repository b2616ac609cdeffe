@testable import DeepLinkAuthentication
@testable import DeepLinkCore

/// The laws of service tokens.
enum ServiceTokenLaws {
    /// Nobody else has it; libFuzzer replays an input in a process with another one.
    private static let minted = ServiceTokenText()

    /// A text that is a token reads back as itself, byte for byte.
    static func checkText(_ input: FuzzInput) {
        let text = String(decoding: input.bytes, as: UTF8.self)
        guard let token = ServiceTokenText(text) else { return }
        Law.require(token.text.utf8.elementsEqual(text.utf8), "the token \(text) reads as \(token.text)")
        Law.require(text.utf8.count == minted.text.utf8.count, "the token \(text) has another length")
        Law.require(token.digest != minted.digest, "the token \(text) was guessed")
    }

    /// A token with some of its bytes replaced is none, or another one with a checksum of its own.
    static func checkChanges(_ input: FuzzInput) {
        var bytes = Array(minted.text.utf8)
        guard !input.bytes.isEmpty else { return }
        let start = Int(input.digest % UInt64(bytes.count))
        for (offset, byte) in input.bytes.prefix(4).enumerated() { bytes[(start + offset) % bytes.count] = byte }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let token = ServiceTokenText(text) else { return }
        Law.require((token.digest == minted.digest) == text.utf8.elementsEqual(minted.text.utf8), "\(text) passes")
    }
}
