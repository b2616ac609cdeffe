import DeepLinkCore
import DeepLinkImport
import Testing
import WaymarkTestSupport

/// The laws for the draft of any links.
@Suite struct ImportLawTests {
    /// Links of a made-up app, and of nobody.
    private static func links(_ generator: inout SeededGenerator) -> [String] {
        let words = [
            "alpha", "beta", "gamma", "delta", "item", "items", "new", "me", "de", "en", "Item", "a-b-c", "vi", "x.y",
            "@ann",
        ]
        var forms: [[String]] = []
        for _ in 0..<Int.random(in: 1...12, using: &generator) {
            forms.append(
                (0..<Int.random(in: 0...5, using: &generator))
                    .map { _ in generator.oneIn(3) ? "{}" : generator.pick(words) }
            )
        }
        let heads = [
            "https://app.example/", "https://www.app.example/", "app://", "app:///", "other:", "https://x.example/#/",
        ]
        return (0..<Int.random(in: 1...160, using: &generator))
            .map { _ in
                let path = generator.pick(forms)
                    .map { part in
                        guard part == "{}" else { return part }
                        return switch Int.random(in: 0...5, using: &generator) {
                        case 0: "\(Int.random(in: 0...99_999, using: &generator))"
                        case 1:
                            "2026-0\(Int.random(in: 1...9, using: &generator))-1\(Int.random(in: 0...9, using: &generator))"
                        case 2: generator.pick(words) + "-" + generator.pick(words)
                        case 3: "%C3%A9" + generator.pick(words)
                        case 4: "a+b%2Fc%7B\(Int.random(in: 0...9, using: &generator))"
                        default: generator.pick(words) + "\(Int.random(in: 10...99, using: &generator))"
                        }
                    }
                let keys = ["q", "page", "id", "foo[max]", "true", "utm_source", "exp"]
                let values = ["", "=", "=7", "=a+b", "=true", "=2026-01-01", "=%26"]
                let query = (0..<Int.random(in: 0...2, using: &generator))
                    .map { _ in generator.pick(keys) + generator.pick(values) }
                return generator.pick(heads) + path.joined(separator: "/")
                    + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
            }
    }

    @Test(arguments: Effort.seeds ?? (0..<UInt64(Effort.part(of: 2000))).map { $0 })
    func `a draft is sound, does not depend on the order, and resolves the links`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let links = Self.links(&generator)
        let made = try LinkImport(links)
        let shuffled = try LinkImport(links.shuffled(using: &generator))
        #expect(shuffled.draft.yaml.bytewise == made.draft.yaml.bytewise, "seed \(seed)")
        #expect(shuffled.check.cases.bytewise == made.check.cases.bytewise, "seed \(seed)")
        // No link is refused because of a parameter.
        let reasons = made.report.filter { $0.contains(" link") && $0.contains(": ") && $0.hasPrefix("  ") }
        for reason in reasons where made.check.report.refusedCount > 0 {
            #expect(!reason.contains("parameter"), "seed \(seed): \(reason)\n\(made.draft.yaml)")
        }
        for line in made.draft.yaml.split(separator: "\n") {
            #expect(line.last != " ", "seed \(seed): \(line)")
            let isGuess =
                line.contains(": push") || line.hasPrefix("      ") && line.contains(": ") || line.contains("aliases:")
            #expect(!isGuess || line.contains("  # "), "seed \(seed): \(line) has no comment")
        }
    }

    @Test func `one place with many values is bounded, and so are its neighbors`() throws {
        let count = Effort.size(40_000)
        var links = (0..<count).map { "https://a.example/user/w\(Self.word($0))/posts" }
        links += (0..<50).flatMap { _ in ["https://a.example/user/settings", "https://a.example/about"] }
        let made = try LinkImport(links)
        #expect(made.draft.routeCount <= 6, "\(made.draft.routeCount)")
        #expect(try made.stack("https://a.example/user/anybody/posts").hasSuffix("posts"))
        #expect(try made.stack("https://a.example/user/settings").hasSuffix("ettings"))
        let reversed = try LinkImport(links.reversed())
        #expect(reversed.draft.yaml.bytewise == made.draft.yaml.bytewise)
    }

    /// A word without digits for a number.
    private static func word(_ number: Int) -> String {
        var (rest, word) = (number, "")
        for _ in 0..<4 {
            word.append(Character(Unicode.Scalar(UInt8(97 + rest % 26))))
            rest /= 26
        }
        return word
    }

    @Test func `deep paths and many keys are bounded`() throws {
        let deep = "https://a.example/" + (0..<200).map { "s\($0 % 7)" }.joined(separator: "/")
        let wide = "https://a.example/wide?" + (0..<120).map { "key\($0)=\($0)" }.joined(separator: "&")
        let made = try LinkImport([deep, wide, deep + "/x"])
        #expect(made.check.report.refusedCount == 0, "\(made.report)")
    }

    @Test(arguments: [
        "nothing", "https://", "example.com:443/a", "note:text", "{\"url\":\"https://a.example\"}",
        "https://a.example/%zz",
        "\u{1}\u{2}\u{3}", "https://a.example/\u{0}",
    ])
    func `a line that is no link has a reason`(_ line: String) {
        guard case .fault(let reason) = LinkLine(ArraySlice(line.utf8)) else {
            Issue.record("\(line) was taken")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test(arguments: ["", "   ", "# a comment"])
    func `a line without a link is nothing`(_ line: String) {
        guard case .nothing = LinkLine(ArraySlice(line.utf8)) else {
            Issue.record("\(line) was taken")
            return
        }
    }
}
