/// A maker of hostile links out of good ones: the bytes that parsers stumble over, in the places where they do.
package struct LinkMutator {
    private static let seeds = [
        "navigation://loremipsum.com/characters/character/1/character/2?sheet=test",
        "https://www.loremipsum.com/settings/profile?utm_source=mail&x=%E2%82%AC#top",
        "navigation:///onboarding/step1/step2", "navigation:/login", "/characters/character/1", "nav:", "",
        "https://loremipsum.com:8443/a%2Fb/%2e%2e/c?x=1%2B2&&y",
    ]

    private static let pieces: [[UInt8]] = [
        "/", "//", "%", "%2F", "%252F", "%00", "%0A", "%zz", "%E0%A4", "%C2%85", "?", "&", "=", "#", "\\", "@", ":",
        "[::1]",
        ":99999", "..", "/./", "sheet=", "sheet", "character/", "-9223372036854775808", "99999999999999999999", " ",
        "\t", "\u{0}", "é", "e\u{301}", "\u{1F600}", "\u{202E}", "xn--", "+", "{id}", "<script>", "'",
    ]
    .map { Array($0.utf8) }

    private var generator: SeededGenerator

    /// Begins at a seed.
    package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Makes the next link.
    package mutating func next() -> [UInt8] {
        var bytes = Array(generator.pick(Self.seeds).utf8)
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            let position = Int.random(in: 0...bytes.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes.insert(contentsOf: generator.pick(Self.pieces), at: position)
            case 1 where position < bytes.count: bytes[position] = UInt8.random(in: 0...255, using: &generator)
            case 2: bytes.removeSubrange(position..<min(bytes.count, position + 3))
            case 3: bytes += bytes[position...]
            default: bytes.insert(contentsOf: generator.pick(Self.pieces), at: bytes.count)
            }
        }
        if generator.oneIn(500) { bytes += [UInt8](repeating: UInt8(ascii: "/"), count: 9000) }
        if generator.oneIn(500) { bytes += Array(repeating: Array("/character/1".utf8), count: 130).joined() }
        return bytes
    }
}
