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
}
