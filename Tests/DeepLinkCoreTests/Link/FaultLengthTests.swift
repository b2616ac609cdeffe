import DeepLinkCore
import Testing
import WaymarkTestSupport

/// Checks which bytes of a link are said to be at fault.
@Suite struct FaultLengthTests {
    @Test(arguments: [
        ("", ""), ("nav:", ""), ("https:/a", ""), ("/a", "/"), ("é:/a", "é"), ("nav:a/b", "a/b"),
        ("nav://u:p@h/", "@"), ("nav://h%41/", "%41"), ("nav://hé/", "é"), ("nav://[::1]:80/a", "[::1]:80"),
        ("nav://h:8x0/a", "x0"), ("nav:/a\\b", "\\"), ("nav:/a%00b", "%00"), ("nav:/a\u{1}b", "\u{1}"),
        ("nav:/%C2%80", "%C2%80"), ("nav:/\u{85}", "\u{85}"), (" nav:/a", " "), ("nav:/a ", " "),
        ("nav:/a%zz/b", "%zz"), ("nav:/a%/b", "%"), ("nav:/a%2", "%2"), ("nav:/caf%E9/b", "%E9"),
        ("nav:/%E2%82/b", "%E2%82"), ("nav:/a/%2e%2E/b", "%2e%2E"), ("nav:/a/../b", ".."), ("nav:/.", "."),
    ])
    func `the bytes that break a rule are these`(link: String, fault: String) throws {
        let bytes = Array(link.utf8)
        let error = try #require(throws: LinkSyntaxError.self) { try DeepLink(bytes: bytes) }
        let range = error.offset..<error.offset + error.length(in: bytes)
        #expect(String(decoding: bytes[range], as: UTF8.self) == fault, "\(error)")
    }

    @Test(arguments: [
        ("nav:/n/caf%C3%A9", "caf%C3%A9"), ("nav:/n/1?q=%C3%A9x", "%C3%A9x"), ("nav:/n/1?q", ""), ("nav:/n", ""),
        ("nav:/l/%20c/d", "%20c"), ("nav:/n/1?q=1&t=1&t=%62", "%62"),
    ])
    func `the bytes of a value that does not fit are these`(link: String, fault: String) throws {
        let location = SourceLocation(file: "t", line: 1, column: 1)
        func located<Value>(_ value: Value) -> Located<Value> { Located(value, at: location) }
        func parameter(_ name: Identifier, _ type: ParameterType) -> Located<Parameter> {
            located(Parameter(name: name, type: type))
        }
        let int = ScalarType.int(min: nil, max: nil)
        let letters = ScalarType.string(min: nil, max: nil, pattern: try TextPattern("[a-z]"))
        let routes = [
            RouteDefinition(
                name: located("n"),
                address: located(.path(try PathPattern("n/{n}"))),
                parameters: [
                    parameter("n", .scalar(int)), parameter("q", .scalar(int)),
                    parameter("t", .list(of: int, min: nil, max: nil)),
                ]
            ),
            RouteDefinition(
                name: located("l"),
                address: located(.path(try PathPattern("l/{p*}"))),
                parameters: [parameter("p", .scalar(letters))]
            ),
        ]
        let catalog = try RouteCatalog(
            CatalogDefinition(
                version: "t",
                origins: [located(Origin(scheme: "nav", hosts: []))],
                gates: [],
                entry: routes.map { EdgeDefinition(route: $0.name, presentation: .root) },
                routes: routes
            )
        )
        let request = ResolutionRequest(link: try DeepLink(link))
        let explanation = explain(request, permissions: Permissions(level: .none), catalog: catalog)
        let rejected = explanation.steps.filter { $0.outcome == .rejected && $0.offset != nil }
        #expect(!rejected.isEmpty)
        for step in rejected {
            let (offset, length) = (try #require(step.offset), try #require(step.length))
            #expect(String(decoding: Array(link.utf8)[offset..<offset + length], as: UTF8.self) == fault, "\(step)")
        }
    }
}
