import DeepLinkCore
import DeepLinkFormats
import Foundation
import WaymarkOffline
import WaymarkTestSupport

extension EngineRecording {
    /// Adds every golden case.
    mutating func goldenCases() {
        begin("golden cases")
        for (_, cases) in Dictionary(grouping: GoldenCase.all, by: \.file).sorted(by: { $0.key < $1.key }) {
            guard let catalog = cases.first?.catalog else { continue }
            load(catalog)
            for one in cases { resolve(EngineBody.of(one)) }
        }
    }

    /// Adds the bodies of the recorded exchanges of the server, for the sample app's catalog.
    mutating func recordedExchanges() throws {
        begin("recorded exchanges")
        load(try SampleApp.catalog())
        for file in try Checkout.files(in: "Tests/DeepLinkHTTPTests/Exchanges", withExtension: "http") {
            let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: ">>>\n")
            for part in parts.dropFirst() {
                let request = part.components(separatedBy: "<<<\n")[0]
                guard let end = request.range(of: "\n\n") else { continue }
                let body = Array(request[end.upperBound...].trimmingCharacters(in: .newlines).utf8)
                if request.hasPrefix("POST /v1/resolve") { resolve(body) }
                if request.hasPrefix("POST /v1/links") { link(body) }
            }
        }
    }

    /// Adds the links of a folder of vectors, at each level of their catalogs.
    mutating func vectors(in folder: URL) throws {
        begin("links of \(folder.lastPathComponent)")
        for vectors in try EngineVectors.all(in: folder) {
            load(vectors.catalog)
            for body in vectors.bodies { resolve(body) }
        }
    }

    /// Adds requests for generated links of generated catalogs.
    mutating func generated(_ catalogs: [GeneratedCatalog], count: Int) {
        begin("generated requests")
        let each = max(1, count / max(1, catalogs.count) + 1)
        var left = count
        for generated in catalogs where left > 0 {
            load(generated.catalog)
            var links = LinkGenerator(seed: generated.seed, in: generated.catalog)
            var generator = SeededGenerator(seed: generated.seed)
            for _ in 0..<min(each, left) {
                let body = EngineBody.of(links.link(), in: generated.catalog, &generator)
                resolve(body)
                if generator.oneIn(3) { link(EngineBody.linking(toTheAnswerTo: body, in: generated.catalog)) }
            }
            left -= each
        }
    }
}
