import DeepLinkComparison
import Testing

@Suite
struct `Hints of findings` {
    private func finding(_ rule: ChangeRule, _ edits: (String, String)...) throws -> Finding {
        let new = edits.reduce(Shop.text) { $0.replacing($1.0, with: $1.1) }
        let found = try `Rules of a comparison`.compare(Shop.text, new).findings
        return try #require(found.first { $0.rule == rule }, "\(found.map(\.message))")
    }

    @Test
    func `a path is no advice where a value is refused`() throws {
        let word = try finding(.linkDies, ("values: [price, name]", "values: [price]"))
        #expect(word.hint == "Accept the values of published links, and make the missing ones optional.")
        let path = try finding(.linkDies, ("path: item/{id}", "path: product/{id}"))
        #expect(path.hint?.contains("`aliases`") == true)
        let origin = try finding(.linkDies, ("hosts: [shop.example, www.shop.example]", "hosts: [shop.example]"))
        #expect(origin.hint == "Keep the origin as long as published links use it.")
    }

    @Test
    func `a value that links need no more is nothing new to apps`() throws {
        let base = Shop.text.replacing("max: 40 }", with: "max: 40, required: true }")
        let report = try `Rules of a comparison`.compare(
            base,
            base.replacing("required: true }", with: "default: all }")
        )
        let finding = try #require(report.findings.first { $0.rule == .parameterWidened })
        #expect(finding.severity == .info)
        #expect(finding.hint == nil)
        let words = try self.finding(.parameterWidened, ("values: [price, name]", "values: [price, name, date]"))
        #expect(words.hint == "Older apps must survive a value that they do not know.")
    }

    @Test
    func `a place that moves is kept where it was`() throws {
        let key = try finding(.parameterSourceChanged, ("color: string", "color: { type: string, from: colour }"))
        #expect(key.hint?.contains("`from`") == true)
    }
}

@Suite
struct `Signatures in a comparison` {
    @Test
    func `a signature that is dropped is in every summary, with the links`() throws {
        let old = Shop.text.replacing("legacy: { path: legacy }", with: "legacy: { path: legacy, signed: true }")
        for new in [Shop.text, Shop.text.replacing("legacy: { path: legacy }", with: "legacy: { path: heritage }")] {
            let report = try `Rules of a comparison`.compare(old, new)
            #expect(report.summary.contains("access widens at `legacy`"), "\(report.summary)")
            let finding = try #require(report.findings.first)
            #expect(finding.rule == .signatureDropped)
            #expect(!finding.links.isEmpty)
        }
        let back = try `Rules of a comparison`.compare(Shop.text, old)
        #expect(!back.summary.contains("access widens"))
    }
}
