import DeepLinkCore
import Foundation
import Yams

/// Checks the keys of a settings file, so that a mistyped one is not silently without effect.
enum SettingsFile {
    /// Requires every key of a file to be a setting.
    ///
    /// - Returns: whether the file sets anything; one that is not there, or holds comments alone, does not.
    /// - Throws: ``CommandFailure`` naming the key and the nearest setting.
    static func checkKeys(of path: String) throws -> Bool {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return false }
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            throw CommandFailure(.usage, "the settings file \(path) is not YAML: \(error)")
        }
        guard let root, root.scalar?.string.isEmpty != true else { return false }
        guard case .mapping(let mapping) = root else {
            throw CommandFailure(.usage, "the settings file \(path) is no mapping; write `http: { port: 8080 }`.")
        }
        let known = SettingKey.allCases.map(\.rawValue)
        for key in keys(of: mapping) where !known.contains(key) {
            let hint =
                Spelling.closest(to: key, among: known).map { "did you mean `\($0)`?" }
                ?? "there are \(known.joined(separator: ", "))."
            throw CommandFailure(.usage, "`\(key)` in \(path) is no setting; \(hint)")
        }
        return true
    }

    /// The keys of the values, the outer ones before a dot.
    private static func keys(of mapping: Node.Mapping) -> [String] {
        mapping.flatMap { key, value in
            let name = key.string ?? ""
            guard case .mapping(let inner) = value else { return [name] }
            return keys(of: inner).map { "\(name).\($0)" }
        }
    }
}
