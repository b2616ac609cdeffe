import DeepLinkCatalog
import DeepLinkCore
import Foundation
import WaymarkTestSupport

/// A folder of its own for the files of a catalog.
struct CatalogFolder {
    /// The path of the folder.
    let path: String

    /// Creates a folder with some files, by their names, and removes it after a body.
    static func with<Result>(
        _ files: [String: String],
        _ body: (CatalogFolder) async throws -> Result
    ) async throws -> Result {
        try await TemporaryFolder.with { path in
            let folder = CatalogFolder(path: path)
            for (name, text) in files { try folder.write(text, to: name) }
            return try await body(folder)
        }
    }

    func write(_ text: String, to name: String) throws {
        let url = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// Reads a catalog with the files that it includes.
    func read(_ name: String = "routes.yaml") throws -> CatalogReading {
        try CatalogLoader.read(contentsOf: "\(path)/\(name)")
    }

    /// Returns the issues of a catalog, with files relative to the folder.
    func issues(of name: String = "routes.yaml") -> [CatalogIssue] {
        do {
            return try read(name).outcome.get().warnings
        } catch {
            return ((error as? CatalogError)?.issues ?? [])
                .map { issue in
                    let place = issue.location
                    let file = place.file.replacing(path + "/", with: "")
                    return CatalogIssue(
                        issue.code,
                        at: SourceLocation(file: file, line: place.line, column: place.column),
                        message: issue.message.replacing(path + "/", with: ""),
                        hint: issue.hint
                    )
                }
        }
    }
}
