import Foundation
import Testing
import WaymarkTestSupport

@Suite struct CatalogCheckTests {
    private static let questionable = """
        version: 1
        origins: [{ scheme: shop }]
        entry: { home: root }
        routes:
          home: { opens: { product: push } }
          product: { path: "product/{id}", parameters: { productId: int } }
        """

    private func check(_ arguments: String...) async throws -> Waymark.Outcome {
        try await TemporaryFolder.with { folder in
            let file = folder + "/routes.yaml"
            try Self.questionable.write(toFile: file, atomically: true, encoding: .utf8)
            return try await Waymark.run(["catalog", "check", file] + arguments)
        }
    }

    @Test func `warnings are told, and change no exit code`() async throws {
        let outcome = try await check()
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("sound; version"))
        #expect(outcome.errors.contains("the catalog has 2 warnings"), "\(outcome.errors)")
        #expect(outcome.errors.contains("routes.yaml:3:10: warning: No route answers a link with an empty path"))
        #expect(outcome.errors.contains(": warning: `product` declares `productId`"), "\(outcome.errors)")
        let json = try await check("--format", "json")
        #expect(json.code == 0)
        #expect(json.output.contains("\"severity\":\"warning\",\"code\":\"misnamed-parameter\""), "\(json.output)")
    }

    @Test func `strict refuses a catalog with warnings`() async throws {
        let outcome = try await check("--strict")
        #expect(outcome.code == 65)
        #expect(outcome.output.isEmpty, "\(outcome.output)")
        #expect(outcome.errors.contains("warning: `product` declares `productId`"))
        let json = try await check("--strict", "--format", "json")
        #expect(json.code == 65)
        #expect(json.output.contains("\"severity\":\"warning\""))
        #expect(try await Waymark.run(["catalog", "check", "--strict"]).code == 0)
    }

    @Test func `a fault in an included file is named with its file, as an editor opens it`() async throws {
        try await TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(atPath: folder + "/app/teams", withIntermediateDirectories: true)
            let own = """
                version: 1
                include: [teams/*.yaml]
                origins: [{ scheme: shop }]
                entry: { home: { presentation: root, initial: true } }
                routes: { home: { opens: { orders: push } } }

                """
            let team = "routes:\n  orders: { opens: { ordr: push } }\n  order: {}\n"
            try own.write(toFile: folder + "/app/routes.yaml", atomically: true, encoding: .utf8)
            try team.write(toFile: folder + "/app/teams/orders.yaml", atomically: true, encoding: .utf8)
            let check = ["catalog", "check", "app/routes.yaml"]
            let outcome = try await Waymark.run(check, in: folder)
            #expect(outcome.code == 65)
            #expect(outcome.errors.contains("app/teams/orders.yaml:2:22: error: There is no route `ordr`."))
            let json = try await Waymark.run(check + ["--format", "json"], in: folder)
            #expect(json.code == 65)
            #expect(json.output.contains(#""file":"app/teams/orders.yaml","line":2,"column":22,"#), "\(json.output)")
            try team.replacing("ordr", with: "order")
                .write(toFile: folder + "/app/teams/orders.yaml", atomically: true, encoding: .utf8)
            #expect(try await Waymark.run(check, in: folder).output.contains("3 routes, 3 edges"))
            let shown = try await Waymark.run(["catalog", "show", "app/routes.yaml", "--format", "json"], in: folder)
            #expect(shown.output.contains(#""location":{"file":"teams/orders.yaml","line":3,"column":3}"#))
            let explained = try await Waymark.run(
                ["resolve", "shop:///home/orders", "--explain", "--catalog", "app/routes.yaml"],
                in: folder
            )
            #expect(explained.output.contains("(teams/orders.yaml:2)"), "\(explained.output)")
        }
    }
}
