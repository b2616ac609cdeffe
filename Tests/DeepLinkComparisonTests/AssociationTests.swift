import DeepLinkCatalog
import DeepLinkComparison
import DeepLinkCore
import DeepLinkWeb
import Testing

/// Reads the rules of operating systems off the files of a catalog, as the program does.
let associations: AssociationReader = { catalog, _ in
    let files = AssociationFiles(catalog)
    return files.hosts.map { host in
        let terms = AssociationTerms(files, host: host)
        return AssociatedHost(host: host.bytewise, handed: terms.handed, kept: terms.kept)
    }
}

@Suite
struct `Changes of what phones are told` {
    private func findings(_ edits: (String, String)...) throws -> [Finding] {
        let new = edits.reduce(Shop.text) { $0.replacing($1.0, with: $1.1) }
        #expect(new != Shop.text)
        return try `Rules of a comparison`.compare(Shop.text, new).findings
            .filter { [.associationNarrowed, .associationWidened].contains($0.rule) }
    }

    @Test
    func `an alias that goes is named as both files say it, on each host`() throws {
        let told = try findings(("    aliases: [\"i/{id}\"]\n", ""))
        #expect(told.count == 2)
        for (finding, host) in zip(told, ["shop.example", "www.shop.example"]) {
            let old = finding.identity.old?.string ?? ""
            #expect(
                old.hasPrefix("android /feed/i/?*, android /i/?*, ") && old.contains(", ios /i/$(number)"),
                "\(old)"
            )
            let start =
                "links of `https://\(host)` open in the browser, no longer in the app: /feed/i/… (Android), /i/… (Android), "
            #expect(finding.message.hasPrefix(start), "\(finding.message)")
            #expect(finding.hint?.contains("`aliases`") == true)
        }
    }

    @Test
    func `hosts that change alike are told once`() throws {
        let new = Shop.text.replacing("    aliases: [\"i/{id}\"]\n", with: "")
        let report = try `Rules of a comparison`.compare(Shop.text, new)
        let told = report.lines.filter { $0.contains("association") }
        #expect(told.count == 1, "\(told)")
        #expect(told.first?.hasSuffix("; the same for `https://www.shop.example` [association-narrowed]") == true)
        #expect(report.findings.count { $0.rule == .associationNarrowed } == 2)
    }

    @Test
    func `what is kept in the browser is handed to apps no more`() throws {
        let there = try findings(("  legacy: { path: legacy }", "  legacy: { path: legacy, web: { open: web } }"))
        #expect(there.count == 2)
        #expect(there.allSatisfy { $0.identity.old?.string.contains("android /legacy") == true })
        // One rule would open it in the app, another keeps it.
        let old = Shop.text.replacing("path: item/{id}\n", with: "path: \"{id}\"\n")
            .replacing("id: { type: int, min: 1 }", with: "id: string")
        let new = old.replacing("  legacy: { path: legacy }", with: "  legacy: { path: legacy, web: { open: web } }")
        let wide = try `Rules of a comparison`.compare(old, new).findings.filter { $0.rule == .associationNarrowed }
        #expect(wide.count == 2)
        #expect(
            wide.allSatisfy { $0.identity.new?.string.contains("not ios /legacy") == true },
            "\(wide.map(\.message))"
        )
    }

    @Test
    func `a catalog without apps tells phones nothing`() throws {
        let text =
            "version: 1\norigins: [{ scheme: https, hosts: [a.example] }]\nentry: { b: root }\nroutes: { b: {} }\n"
        let report = try `Rules of a comparison`.compare(
            text,
            text.replacing("routes: { b: {} }", with: "routes: { b: { path: c } }")
        )
        #expect(!report.findings.contains { $0.rule == .associationNarrowed || $0.rule == .associationWidened })
        #expect(report.findings.contains { $0.rule == .pathChanged })
    }

    @Test
    func `the order of the words' owners tells nothing`() throws {
        func text(_ routes: String) -> String {
            """
            version: 1
            origins: [{ scheme: https, hosts: [a.example] }]
            apps: { ios: [{ appID: ABCDE12345.a.example, storeID: 1 }] }
            entry: { home: root }
            routes:
              home: { path: "", opens: { red: push, blue: push } }
            \(routes)

            """
        }
        let red = "  red: { path: \"red/{a}\", parameters: { a: { type: enum, values: [x, y] } } }"
        let blue = "  blue: { path: \"blue/{b}\", parameters: { b: { type: enum, values: [v, w] } } }"
        let report = try `Rules of a comparison`.compare(text(red + "\n" + blue), text(blue + "\n" + red))
        #expect(report.findings.isEmpty, "\(report.findings.map(\.message))")
    }
}
