import DeepLinkAuthentication
import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import Testing
import WaymarkTestSupport

@testable import WaymarkCommands
@testable import WaymarkServer

/// Checks what rows of another service's export become.
@Suite struct ShortLinkImportTests {
    private static let catalog = """
        version: 1
        origins: [{ scheme: https, hosts: [shop.example] }]
        entry: { home: { presentation: root, initial: true } }
        routes:
          home: { path: "", opens: { product: push, books: push, secret: push } }
          product: { path: "p/{id}", parameters: { id: int } }
          books: {}
          secret: { path: "s/{id}", signed: true }
        """

    private func links(
        _ rewritings: [String] = [],
        otherwise: String? = nil,
        label: String? = nil
    ) throws -> ImportedLinks {
        let destinations = ShortLinkDestinations(
            catalog: try CatalogLoader.load(Array(Self.catalog.utf8), file: "shop.yaml"),
            keys: LinkSigningKeys()
        )
        return ImportedLinks(
            destinations: destinations,
            rewritings: rewritings.compactMap { HostRewriting(argument: $0) },
            otherwise: try otherwise.map { try destinations.destination(of: $0) },
            label: label.flatMap { ShortLinkLabel($0) }
        )
    }

    private func shortCode(_ text: String) throws -> ShortLinkCode { try #require(ShortLinkCode(text)) }

    private func source(_ text: String, _ links: ImportedLinks, firebase: Bool = false) throws -> ImportSource {
        let table = try CSVTable(InputPieces(Array(text.utf8), named: "links.csv"))
        return .table(table, firebase ? try ImportColumns(firebase: table) : try ImportColumns(plain: table), links)
    }

    private func run(
        _ source: ImportSource,
        into store: InMemoryUserStateStore,
        isServed: Bool = false
    ) async throws -> ImportReport {
        var source = source
        var writer = ImportWriter(store, audit: .none, largestSlice: 700, isServed: { isServed })
        try await writer.write {
            try source.next($0)
        } progress: {
        }
        return writer.report
    }

    @Test func `an export of Firebase is taken, and a second run finds everything there`() async throws {
        let text = """
            short_link,link,apn,afl,amv,ibi,ifl,ius,ipfl,ipbi,isi,imv,efr,ofl,st,sd,si,utm_source,utm_medium,utm_campaign,\
            utm_term,utm_content,at,ct,mt,pt,archived,name,creation_timestamp
            https://shop.page.link/aB1,https://old.example/p/7?x=1,com.example,,,,,,,,,,false,,"A ""title"", of\r
            two lines",,,,,,,,,,,,false,Spring,2021-01-01T00:00:00Z
            https://shop.page.link/Ab1,http://old.example/books,,,,,,,,,,,,,,,,,,,,,,,,,true,,

            """
        let store = InMemoryUserStateStore()
        let links = try links(["http://old.example=https://shop.example", "OLD.example=shop.example"])
        let first = try await run(try source(text, links, firebase: true), into: store)
        #expect([first.madeCount, first.existingCount, first.refusedCount] == [2, 0, 0], "\(first.lines)")
        let second = try await run(try source(text, links, firebase: true), into: store)
        #expect([second.madeCount, second.existingCount, second.refusedCount] == [0, 2, 0], "\(second.lines)")
        let link = try #require(try store.storedLink(for: shortCode("aB1")))
        #expect(link.kind == .imported)
        #expect(link.version == 1)
        #expect(link.contents.target.text == "https://shop.example/p/7")
        #expect(try store.storedLink(for: shortCode("Ab1"))?.contents.target.shape.route == "books")
        #expect(try store.storedLink(for: shortCode("ab1")) == nil)
    }

    @Test func `the names that the guide gives the columns are those of the export`() throws {
        let links = try links()
        var source = try source(
            "Short link,Deep link (link),Link name\nhttps://a.example/x/abc?d=1,https://shop.example/books,b\n",
            links,
            firebase: true
        )
        guard case .link(let link)? = try source.next(10).first else { return #expect(Bool(false)) }
        #expect(link.write.code == .given(try shortCode("abc"), kind: .imported))
    }

    @Test func `every row is made, there already, or refused, and refusals of one form are one group`() async throws {
        var text = "code,link,label\n"
        for number in 0..<1_500 { text += "code\(number),https://shop.example/p/\(number),spring\n" }
        for number in 0..<40 { text += "blog\(number),https://shop.example/blog/title-\(number),\n" }
        for number in 0..<20 { text += "near\(number),https://shop.example/boks,\n" }
        for number in 0..<10 { text += "word\(number),https://shop.example/p/x\(number),\n" }
        for number in 0..<20 { text += "host\(number),https://other.example/p/\(number),\n" }
        text += """
            code7,https://shop.example/p/7,
            code7,https://shop.example/p/8,
            x,https://shop.example/books,
            console,https://shop.example/books,
            sec,https://shop.example/s/1,
            signed_code_of_16,https://shop.example/s/1,
            long,https://shop.example/books,\(String(repeating: "l", count: 65))
            bad1,no link,
            bad2,https://shop.example/books,a,b
            bad3,"https://shop.example/books
            """
        for isServed in [false, true] {
            let store = InMemoryUserStateStore()
            let report = try await run(try source(text, try links()), into: store, isServed: isServed)
            #expect(report.rowCount == 1_600)
            #expect(
                [report.madeCount, report.existingCount, report.refusedCount] == [1_501, 1, 98],
                "\(report.lines)"
            )
            let lines = report.lines
            #expect(lines.contains("40 refused: no-matching-route  https://shop.example/blog/…"), "\(lines)")
            #expect(lines.contains("    such as line 1502: blog0, https://shop.example/blog/title-0"), "\(lines)")
            #expect(lines.contains { $0.contains("Did you mean https://shop.example/books?") }, "\(lines)")
            #expect(lines.contains("10 refused: invalid-parameter  product, parameter id"))
            #expect(lines.contains("20 refused: no-matching-route  https://shop.example/boks"))
            #expect(lines.contains("20 refused: unknown-origin  https://other.example/…"))
            for reason in [
                "code-taken  leads elsewhere", "invalid-code", "reserved-code", "code-too-short", "invalid-label",
                "malformed-link  no-scheme",
            ] {
                #expect(lines.contains("1 refused: \(reason)"), "\(reason)")
            }
            #expect(lines.contains("2 refused: malformed-row"))
            let code = try shortCode("code7")
            #expect(try store.storedLink(for: code)?.contents.target.text == "https://shop.example/p/7")
            #expect(try store.storedLink(for: code)?.contents.label?.text == "spring")
        }
    }

    @Test func `links that lead nowhere get the destination of --otherwise`() async throws {
        let text = "code,link\nabc,https://gone.example/x\ndef,https://shop.example/books\nghi,no link\n"
        let store = InMemoryUserStateStore()
        let links = try links(otherwise: "https://shop.example/", label: "old")
        for isFirst in [true, false] {
            let report = try await run(try source(text, links), into: store)
            #expect(
                [report.madeCount, report.existingCount, report.refusedCount] == (isFirst ? [3, 0, 0] : [0, 3, 0])
            )
            #expect(report.otherwiseCount == 2)
        }
        let link = try store.storedLink(for: shortCode("ghi"))
        #expect(link?.contents.target.shape.route == "home")
        #expect(link?.contents.label?.text == "old")
    }

    @Test func `a code that leads elsewhere, or was withdrawn, is not changed`() async throws {
        let store = InMemoryUserStateStore()
        let links = try links()
        _ = try await run(try source("code,link\nabc,https://shop.example/books\n", links), into: store)
        let other = try await run(try source("code,link\nabc,https://shop.example/p/1\n", links), into: store)
        #expect(other.lines.contains("    The code leads to https://shop.example/books already."), "\(other.lines)")
        let code = try shortCode("abc")
        #expect(try await store.withdraw(ShortLinkRemoval(code: code, time: SystemClock.now(), author: "ann")) != nil)
        let gone = try await run(try source("code,link\nabc,https://shop.example/books\n", links), into: store)
        #expect(gone.refusedCount == 1)
        #expect(gone.lines.contains("    The link was withdrawn, and leads nowhere."), "\(gone.lines)")
    }

    @Test(arguments: [
        ("old.example=new.example", "https://OLD.example/a?b", "https://new.example/a?b"),
        ("old.example=new.example", "http://old.example", "http://new.example"),
        ("old.example=new.example:8443", "https://old.example#f", "https://new.example:8443#f"),
        ("old.example=new.example", "https://old.example:81/a", "https://old.example:81/a"),
        ("old.example=new.example", "https://old.example.evil/a", "https://old.example.evil/a"),
        ("old.example=new.example", "https://x@old.example/a", "https://x@old.example/a"),
        ("http://old.example=https://new.example", "https://old.example/a", "https://old.example/a"),
        ("http://old.example=https://new.example", "http://old.example/a", "https://new.example/a"),
        ("old.example=new.example", "old.example/a", "old.example/a"), ("a=b", "", ""),
    ])
    func `a host stands for another`(_ argument: String, _ link: String, _ rewritten: String) throws {
        let rewriting = try #require(HostRewriting(argument: argument))
        #expect([rewriting].rewritten(link) == rewritten)
    }

    @Test(arguments: ["", "a", "a=", "=b", "a=b=c", "a/b=c", "a=https://", "a=b c", "a?=b"])
    func `other texts are no rewriting of hosts`(_ argument: String) {
        #expect(HostRewriting(argument: argument) == nil)
    }

    @Test(arguments: [
        ("abc", "abc"), ("https://a.page.link/abc", "abc"), ("https://a.example/go/abc/?d=1#x", "abc"),
        ("https://a.example", ""), ("https://a.example/", ""), ("a/abc", "a/abc"),
    ])
    func `a code is the end of a short link`(_ text: String, _ code: String) {
        #expect(String(text.codeOfShortLink) == code)
    }

    @Test func `a file with other columns is refused, with those that it has`() throws {
        #expect {
            try source("id,url\n1,2\n", try links())
        } throws: { error in
            (error as? CommandError)?.message?.contains("has no column `code`: its first row has `id`, `url`.") == true
        }
    }

    @Test func `an export is taken back whole`() async throws {
        let store = InMemoryUserStateStore()
        let stack = [
            Destination(route: "home\n\\", presentation: .root),
            Destination(
                route: "é",
                presentation: .custom("x"),
                parameters: [
                    BoundParameter(name: "a", value: .double(1)), BoundParameter(name: "b", value: .int(-1)),
                    BoundParameter(name: "c", value: .list([.string("\u{0}\u{1F600}"), .bool(true)])),
                    BoundParameter(name: "d", value: .object([BoundParameter(name: "e", value: .double(0.1))])),
                ]
            ),
        ]
        let target = ShortLinkTarget(stack: stack, text: "https://shop.example/é")
        let time = try #require(Timestamp(rfc3339: "2026-01-02T03:04:05.678Z"))
        let full = ShortLinkContents(
            host: "go.example:8443",
            target: target,
            label: ShortLinkLabel("spring"),
            expires: time,
            about: UserID("ann"),
            signature: ShortLinkSignature(end: time)
        )
        let naming = ShortLinkNaming(name: try #require(ShortLinkName("n\"é")), terms: [0, 1, 255])
        for (code, kind, naming, contents, withdrawal) in [
            ("aaa", ShortLinkKind.given, naming, full, ShortLinkWrite.Withdrawal.unspecified),
            ("AAB", .imported, nil, ShortLinkContents(target: target), .unspecified),
            (
                "drawn12345", .drawn, nil, ShortLinkContents(target: target, signature: ShortLinkSignature(end: nil)),
                .withdrawn
            ),
        ] as [(String, ShortLinkKind, ShortLinkNaming?, ShortLinkContents, ShortLinkWrite.Withdrawal)] {
            _ = try await store.save(
                ShortLinkWrite(
                    code: .given(try shortCode(code), kind: kind),
                    naming: naming,
                    contents: contents,
                    withdrawal: withdrawal,
                    time: time,
                    author: "token 7"
                )
            )
        }
        var lines: [UInt8] = []
        try await store.visitShortLinks(ShortLinkFilter()) { links in
            for link in links { lines += ShortLinkRecordBody(link).json + [UInt8(ascii: "\n")] }
        }
        let copy = InMemoryUserStateStore()
        for count in [(3, 0), (0, 3)] {
            let report = try await run(.lines(RecordLines(InputPieces(lines, named: "export"))), into: copy)
            #expect((report.madeCount, report.existingCount) == count, "\(report.lines)")
        }
        // The last line needs no end.
        let open = RecordLines(InputPieces(lines.dropLast(), named: "export"))
        #expect(try await run(.lines(open), into: copy).existingCount == 3)
        for text in ["aaa", "AAB", "drawn12345"] {
            let code = try shortCode(text)
            #expect(try copy.storedLink(for: code) == store.storedLink(for: code))
        }
    }

    @Test(arguments: [
        "{", "{}", "[]", "{\"code\":\"a\"}", "{\"code\":\"abc\",\"kind\":\"wild\"}",
        #"{"code":"abc","kind":"given","target":"https://a/","shape":"root home","values":"!","createdAt":"2026-01-02T03:04:05Z","by":"x"}"#,
        #"{"code":"abc","kind":"given","target":"https://a/","shape":"root home","values":"AQE","createdAt":"2026-01-02T03:04:05Z","by":"x"}"#,
        #"{"code":"abc","kind":"given","target":"https://a/","shape":"","values":"AQ","createdAt":"2026-01-02T03:04:05Z","by":"x"}"#,
        #"{"code":"abc","kind":"given","target":"https://a/","shape":"root home","values":"AQA","createdAt":"now","by":"x"}"#,
    ])
    func `a line that no export has is refused`(_ line: String) async throws {
        let lines = RecordLines(InputPieces(Array((line + "\n").utf8), named: "export"))
        let report = try await run(.lines(lines), into: InMemoryUserStateStore())
        #expect([report.madeCount, report.refusedCount] == [0, 1])
    }
}
