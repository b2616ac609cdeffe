import Foundation
import Testing
import WaymarkTestSupport
import Yams

/// One case of `Cases/issues/*.yaml`: a catalog, the files beside it, and every issue that they have.
struct IssueCase: Sendable, CustomTestStringConvertible {
    /// One issue as a case expects it.
    struct Want: Sendable {
        /// The code, and the line and column after it, behind the name of an included file.
        let place: String

        /// A part of the hint; empty if any will do.
        let hint: String

        /// Reads `code line:column`, or `code line:column: hint`.
        init(_ text: String) {
            let parts = text.split(separator: ": ", maxSplits: 1)
            place = String(parts.first ?? "")
            hint = parts.count > 1 ? String(parts[1]) : ""
        }

        /// The code.
        var code: String { String(place.prefix { $0 != " " }) }
    }

    /// The name of its file.
    let file: String

    /// The issues that the catalog has, in the order in which they are reported.
    let want: [Want]

    /// The catalog.
    let catalog: String

    /// The files of its folder by their names, for a catalog that is loaded from one.
    let files: [String: String]

    /// Whether the issue is of two parts of the catalog that don't fit each other, which no schema compares.
    let comparesParts: Bool

    var testDescription: String { "\(file): \(want.map(\.place).joined(separator: ", "))" }

    /// Every case of every file; a file that cannot be read ends the run.
    static let all: [IssueCase] = {
        do {
            return try Checkout.files(in: "Tests/DeepLinkCatalogTests/Cases/issues", withExtension: "yaml")
                .flatMap(read)
        } catch {
            preconditionFailure("a file of issues cannot be read: \(error)")
        }
    }()

    private static func read(_ url: URL) throws -> [IssueCase] {
        let text = try String(contentsOf: url, encoding: .utf8)
        guard let cases = try Yams.compose(yaml: text)?.mapping?["cases"]?.sequence else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return try cases.map { node in
            guard let want = node["want"]?.sequence, let catalog = node["catalog"]?.scalar else {
                throw CocoaError(.fileReadCorruptFile)
            }
            return IssueCase(
                file: url.lastPathComponent,
                want: want.compactMap(\.string).map(Want.init),
                catalog: catalog.string,
                files: (node["files"]?.mapping ?? [:])
                    .reduce(into: [:]) { files, pair in
                        files[pair.key.string ?? ""] = pair.value.string
                    },
                comparesParts: node["comparesParts"]?.bool ?? false
            )
        }
    }
}
