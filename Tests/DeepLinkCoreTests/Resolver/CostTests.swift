import DeepLinkCatalog
import Foundation
import Testing
import WaymarkTestSupport

@testable import DeepLinkCore

/// Checks that no input costs more than fifty times a plain one of its size, whatever the catalog.
///
/// ``CostRatio`` measures both by turns, in processor time.
@Suite(.serialized) struct CostTests {
    /// Expects that one thing costs at most fifty times another.
    private func expect(
        _ hostile: () -> Void,
        costsLike plain: () -> Void,
        _ name: String,
        at place: Testing.SourceLocation = #_sourceLocation
    ) {
        let ratio = CostRatio(count: 7, of: hostile, over: plain)
        print("cost: \(name): \(ratio)")
        #expect(ratio.isWithinLimit, "\(name): \(ratio)", sourceLocation: place)
    }

    private static func catalog(_ routes: String, entry: String = "app: root") throws -> RouteCatalog {
        let text = "version: 1\norigins: [{ scheme: x }]\nentry: { \(entry) }\nroutes:\n\(routes)\n"
        return try CatalogLoader.load(Array(text.utf8), file: "cost.yaml")
    }

    private func answer(_ link: String, _ catalog: RouteCatalog, explaining: Bool = false) throws -> () -> Void {
        let bytes = Array(link.utf8)
        _ = try DeepLink(bytes: bytes)
        return {
            guard let link = try? DeepLink(bytes: bytes) else { return }
            let request = ResolutionRequest(link: link, acceptsPart: true)
            let resolution: Resolution
            if explaining {
                resolution =
                    explain(request, permissions: Permissions(level: .premiumUser), catalog: catalog).resolution
            } else {
                resolution = resolve(request, userLevel: .premiumUser, catalog: catalog)
            }
            guard case .plan(let plan) = resolution else { return }
            var writer = JSONWriter()
            writer.plan(plan)
        }
    }

    /// Returns the reading of a link of some length by one plain pattern.
    private func plainPattern(_ count: Int) throws -> () -> Void {
        let catalog = try Self.catalog(
            "  app: { path: \"{id}\", parameters: { id: { type: string, pattern: \"[a-z]+\" } } }"
        )
        return try answer("x:///" + String(repeating: "a", count: count), catalog)
    }

    /// Returns the reading of a link of some length that leads to one route by its path or query.
    private func plain(_ count: Int, explaining: Bool = false) throws -> () -> Void {
        let catalog = try Self.catalog("  app: { path: \"{id}\", parameters: { q: string } }")
        let text = String(repeating: "a", count: count / 2)
        return try answer("x:///\(text)?q=\(text)", catalog, explaining: explaining)
    }

    // MARK: Patterns

    @Test(arguments: [false, true])
    func `sixty siblings with long patterns cost little`(_ isExplained: Bool) throws {
        // Each begins with a letter of its own, and none of them fits.
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01234567")
        let routes = letters.map { letter in
            "  r\(letter): { path: \"{id}\", parameters: { id: { type: string, pattern: \"\(letter)[-a-z]*[0-9]?!\" } } }"
        }
        let opens = letters.map { "r\($0): push" }.joined(separator: ", ")
        let catalog = try Self.catalog("  app: { path: \"\", opens: { \(opens) } }\n" + routes.joined(separator: "\n"))
        let text = String(repeating: "-", count: 8_000)
        for first in ["-", "a"] {
            expect(
                try answer("x:///\(first)\(text)", catalog, explaining: isExplained),
                costsLike: try plain(8_000, explaining: isExplained),
                "60 patterns\(isExplained ? ", explained" : "")"
            )
        }
    }

    @Test func `patterns that all read to the end are read at once, or refused`() throws {
        /// Patterns that differ in their last letters only.
        func catalog(_ count: Int, _ pattern: (Int) -> String) throws -> RouteCatalog {
            let routes = (0..<count)
                .map { index in
                    "  r\(index): { path: \"{id}\", parameters: { id: { type: string, pattern: \"\(pattern(index))\" } } }"
                }
            let opens = (0..<count).map { "r\($0): push" }.joined(separator: ", ")
            return try Self.catalog("  app: { path: \"\", opens: { \(opens) } }\n" + routes.joined(separator: "\n"))
        }
        expect(
            try answer("x:///" + String(repeating: "a", count: 8_000), try catalog(60) { "[a-z]*[a-y]+_\($0)" }),
            costsLike: try plainPattern(8_000),
            "60 patterns to the end"
        )
        let issues = #expect(throws: CatalogError.self) {
            _ = try catalog(60) { "_\($0)_" + String(repeating: "[a-z]*", count: 20) }
        }?
        .issues
        #expect(issues?.map(\.code) == [.tooLarge])
        #expect(issues?.first?.message.contains("at most 1024 are read at once") == true)
        #expect(throws: PatternError.self) { try TextPattern(String(repeating: "[a-z]{1,64}", count: 17)) }
    }

    @Test func `long repetitions are counted, and cost little`() throws {
        let pattern = String(repeating: "[a-z]{129,8000}", count: 7) + "!"
        let catalog = try Self.catalog(
            "  app: { path: \"{id}\", parameters: { id: { type: string, pattern: \"\(pattern)\" } } }"
        )
        expect(
            try answer("x:///" + String(repeating: "a", count: 8_000), catalog),
            costsLike: try plainPattern(8_000),
            "7 counted parts"
        )
    }

    @Test(arguments: [
        ("{a}-{id}", "id: int", "-"), ("{a}-{b}-{c}-{id}", "id: int", "-"), ("{d}-{a}", "d: date", "-"),
        ("{a}-{b}", "a: &p { type: string, pattern: \"[a-z-]+\" }, b: *p", "a-"),
        ("{a}-{b}-{c}", "a: &p { type: string, pattern: \"[a-z-]+\" }, b: *p, c: *p", "a-"),
        ("{a}1{b}1{c}", "a: double, b: double, c: double", "1"),
        ("{a}a{b}a{c}", "b: { type: enum, values: [aaaaaaaaaaaaaaaa] }", "a"),
        ("{a}-{b}-{c}", "b: { type: string, min: 5, max: 9 }", "-"), ("{a}-{t}", "t: dateTime", "2024-05-01T10:00:00-"),
    ])
    func `a segment of several parameters is split in one pass`(_ path: String, _ types: String, _ part: String) throws
    {
        let catalog = try Self.catalog("  app: { path: \"\(path)\", parameters: { \(types) } }")
        let text = String(repeating: part, count: 7_900 / part.utf8.count)
        for end in ["", "7", "!"] {
            expect(
                try answer("x:///" + text + end, catalog),
                costsLike: try types.contains("pattern") ? plainPattern(8_000) : plain(8_000),
                "\(path) of \(part)…\(end)"
            )
        }
    }

    @Test func `a rest that fits nowhere is read once`() throws {
        let catalog = try Self.catalog(
            """
              app: { path: "", opens: { step: push, rest: push } }
              step: { path: "{id}", opens: { step: push, rest: push } }
              rest: { path: "{all*}", parameters: { all: { type: string, pattern: "[a-z]+" } } }
            """
        )
        let path = String(repeating: "/" + String(repeating: "a", count: 30), count: 255) + "/1"
        expect(try answer("x://" + path, catalog), costsLike: try plain(8_000), "a rest at each segment")
    }

    // MARK: The query

    @Test(arguments: ["next", "shared"])
    func `lists in a deep stack cost little`(_ take: String) throws {
        let parameters = (0..<30).map { "p\($0): { type: [string], take: \(take) }" }.joined(separator: ", ")
        let catalog = try Self.catalog("  app: { path: a, opens: { app: push }, parameters: { \(parameters) } }")
        let path = String(repeating: "/a", count: 64)
        let value = String(repeating: "v", count: 55)
        let query = (0..<128).map { "p\($0 % 30)=\(value)" }.joined(separator: "&")
        let depth = try Self.catalog("  app: { path: a, opens: { app: push }, parameters: { q: string } }")
        let plain = try answer("x://\(path)?q=" + String(repeating: "v", count: 7_800), depth)
        if take == "next" {
            expect(try answer("x://\(path)?\(query)", catalog), costsLike: plain, "30 lists, 64 deep")
        } else {
            // A shared list makes an answer 64 times as long; thirty lists cost no more than one then.
            let single = try Self.catalog(
                "  app: { path: a, opens: { app: push }, parameters: { p: { type: [string], take: shared } } }"
            )
            let values = (0..<128).map { _ in "p=\(value)" }.joined(separator: "&")
            expect(
                try answer("x://\(path)?\(query)", catalog),
                costsLike: try answer("x://\(path)?\(values)", single),
                "30 shared lists, 64 deep"
            )
        }
        let unused = (0..<128).map { "u\($0)=\(String(repeating: "%61", count: 18))" }.joined(separator: "&")
        expect(try answer("x://\(path)?\(unused)", catalog), costsLike: plain, "30 lists, 64 deep, nothing to read")
    }

    @Test func `many query routes of one screen cost little`() throws {
        let names = (0..<1_000).map { "q\($0)" }
        let opens = names.map { "\($0): sheet" }.joined(separator: ", ")
        let catalog = try Self.catalog(
            "  app: { path: a, opens: { \(opens) } }\n"
                + names.map { "  \($0): { query: \($0) }" }.joined(separator: "\n")
        )
        let unused = (0..<128).map { "u\($0)=\(String(repeating: "v", count: 50))" }.joined(separator: "&")
        expect(try answer("x:///a?\(unused)", catalog), costsLike: try plain(7_000), "1,000 query routes")
    }

    // MARK: Enumerations

    @Test(arguments: [false, true])
    func `a word is found among many as soon as among few`(_ isExplained: Bool) throws {
        func link(_ count: Int) throws -> () -> Void {
            let words = (0..<count).map { "w\(100_000 + $0)" }
            let catalog = try Self.catalog(
                "  app: { path: \"r/{e}\", parameters: { e: { type: enum, values: [\(words.joined(separator: ", "))] } }, "
                    + "opens: { app: push } }"
            )
            let path = String(repeating: "/r/\(words[count - 1])", count: 60)
            return try answer("x://\(path)", catalog, explaining: isExplained)
        }
        expect(try link(60_000), costsLike: try link(20), "60,000 words\(isExplained ? ", explained" : "")")
    }

    // MARK: Mistakes

    @Test func `a misspelt segment costs little beside a thousand siblings`() throws {
        let names = (0..<1_000).map { "a\(String(repeating: "bc", count: 25))\(1_000 + $0)z" }
        let opens = names.map { "\($0): push" }.joined(separator: ", ")
        let catalog = try Self.catalog(
            "  app: { path: \"\", opens: { \(opens) } }\n" + names.map { "  \($0): {}" }.joined(separator: "\n")
        )
        let text = "a\(String(repeating: "cb", count: 25))9999z"
        expect(try answer("x:///\(text)", catalog), costsLike: try plain(text.utf8.count), "1,000 near siblings")
    }

    @Test func `an unknown scheme costs little beside thousands`() throws {
        func catalog(_ count: Int) throws -> RouteCatalog {
            let origins = (0..<count).map { "  - { scheme: s\($0) }\n" }.joined()
            let text = "version: 1\norigins:\n\(origins)entry: { app: root }\nroutes: { app: {} }\n"
            return try CatalogLoader.load(Array(text.utf8), file: "schemes.yaml")
        }
        let (few, many) = (try answer("y:/app", catalog(200)), try answer("y:/app", catalog(3_200)))
        // Sixteen times as many take 16 times as long, and where each is compared with each, 256 times.
        let ratio = CostRatio(limit: 64, count: 7, of: many, over: few)
        print("cost: an unknown scheme: \(ratio)")
        #expect(ratio.isWithinLimit, "\(ratio)")
    }

    // MARK: Stacks

    private func read(_ stack: [Destination], _ catalog: RouteCatalog) throws -> () -> Void {
        let link = try DeepLink("x:///a")
        return {
            let request = ResolutionRequest(link: link, current: .stack(stack))
            _ = resolve(request, userLevel: .premiumUser, catalog: catalog)
            _ = try? DeepLinkCore.link(to: stack, catalog: catalog)
        }
    }

    @Test func `stacks of hostile names and values cost little`() throws {
        let names = (0..<30).map { "p\($0): string" }.joined(separator: ", ")
        let catalog = try Self.catalog("  app: { path: a, opens: { app: push }, parameters: { \(names) } }")
        // Combining marks of two classes in turn: comparing them as characters sorts them.
        let marks = "a" + String(repeating: "\u{301}\u{323}", count: 32_000)
        let plainText = String(repeating: "a", count: marks.utf8.count)
        func stack(_ route: String, _ parameters: [BoundParameter]) -> [Destination] {
            [Destination(route: route, presentation: .root, parameters: parameters)]
        }
        func value(_ text: String) -> [BoundParameter] { [BoundParameter(name: "p0", value: .string(text))] }
        let plain = try read(stack("app", value(plainText)), catalog)
        expect(try read(stack(marks, []), catalog), costsLike: plain, "a route of combining marks")
        expect(try read(stack("app", value(marks)), catalog), costsLike: plain, "a value of combining marks")
        let named = [BoundParameter(name: marks, value: .int(1))]
        expect(try read(stack("app", named), catalog), costsLike: plain, "a parameter of combining marks")
        let many = (0..<10_000).map { BoundParameter(name: "q\($0)", value: .int(Int64($0))) }
        expect(try read(stack("app", many), catalog), costsLike: plain, "10,000 parameters")
        let long = (0..<10_000).map { Destination(route: "app", presentation: $0 == 0 ? .root : .push) }
        expect(try read(long, catalog), costsLike: plain, "10,000 destinations")
        #expect(
            resolve(
                ResolutionRequest(link: try DeepLink("x:///a"), mode: .append, current: .stack(long)),
                userLevel: .none,
                catalog: catalog
            )
                == .failure(
                    .invalidCurrentStack(
                        CurrentStackError(
                            message: "The current stack, at destination 64: "
                                + "No stack of this catalog has more than 64 destinations."
                        )
                    )
                )
        )
    }

    @Test func `a deep stack without a link costs little`() throws {
        let catalog = try Self.catalog(
            """
              app: { path: a, opens: { app: push, b: push, hidden: { presentation: push, linkable: false } } }
              b: { path: b, opens: { app: push, c: push } }
              c: { path: "c/{id}", parameters: { id: string }, opens: { app: push } }
              hidden: { path: h }
            """
        )
        var stack = [Destination(route: "app", presentation: .root)]
        for _ in 0..<40 {
            stack.append(Destination(route: "b", presentation: .push))
            stack.append(Destination(route: "app", presentation: .push))
        }
        let plain = try read(stack, catalog)
        // A value that no path can hold is found when the link is read again.
        stack.insert(Destination(route: "hidden", presentation: .push), at: stack.count)
        expect(try read(stack, catalog), costsLike: plain, "a deep stack whose last has no link")
    }

    @Test func `names that differ in their bytes are two, in equality and in hashing`() throws {
        let (one, other) = ("\u{E9}", "e\u{301}")
        #expect(Destination(route: one, presentation: .push) != Destination(route: other, presentation: .push))
        #expect(BoundParameter(name: one, value: .int(1)) != BoundParameter(name: other, value: .int(1)))
        #expect(ScalarType.enumeration([one]) != .enumeration([other]))
        #expect(QueryItem(name: one, value: nil) != QueryItem(name: other, value: nil))
        #expect(PathPattern.Segment.literal(one) != .literal(other))
        #expect(Identifier(one) == nil && Identifier(other) == nil)
        #expect(
            Set([BoundParameter(name: one, value: .int(1)), BoundParameter(name: other, value: .int(1))]).count == 2
        )
        let catalog = try Self.catalog("  app: { path: a, opens: { \(one): push } }\n  \(one): {}")
        let stack = [Destination(route: "app", presentation: .root), Destination(route: other, presentation: .push)]
        #expect(throws: LinkBuildingError.self) { try DeepLinkCore.link(to: stack, catalog: catalog) }
        #expect(AuthorizationLevel(name: "none\u{200B}") == nil)
        #expect(Presentation(name: "custom:\u{301}") == nil)
    }
}
