import DeepLinkCatalog
import DeepLinkCore
import Foundation
import SystemPackage

/// A settings file: what it sets, and every reason why it cannot be used.
///
/// A file that is there and cannot be read is never taken for none: a server that was meant to ask for credentials would
/// start without.
enum SettingsFile {
    /// The largest file that is read, in bytes.
    private static let maximumByteCount = 1024 * 1024

    /// Reads what a file sets; nothing where it is not there and nobody named it.
    ///
    /// - Throws: ``CommandError`` naming the file and the fix: of code 69 where it cannot be read, 64 where it is none, or
    ///   has a key that is no setting.
    static func values(of path: String, isNamed: Bool) throws -> [Setting: String] {
        guard isNamed || exists(path) else { return [:] }
        let bytes = try bytes(of: path)
        let root: YAMLNode?
        do throws(CatalogError) {
            root = try YAMLText.compose(bytes, file: path)
        } catch {
            let faults = error.issues.map { "\($0.location.line):\($0.location.column): \($0.message) \($0.hint)" }
            throw CommandError(.usage, "the settings file \(path) is refused: \(faults.joined(separator: "\n"))")
        }
        guard let root else { return [:] }
        guard let pairs = root.pairs else {
            throw CommandError(.usage, "the settings file \(path) is no mapping; write `http: { port: 8080 }`.")
        }
        var values: [Setting: String] = [:]
        for (key, node) in leaves(of: pairs) {
            guard let setting = Setting(bytewise: key) else {
                // A section of which every line is a comment.
                if node.isNull, isSection(key) { continue }
                throw unknown(key, in: path)
            }
            guard let text = node.text ?? mapping(node, setting), !node.isNull else {
                throw CommandError(
                    .usage,
                    "`\(key)` in \(path) has no single value; write one, or remove the key (line \(node.mark.line))."
                )
            }
            guard values.updateValue(text, forKey: setting) == nil else {
                throw CommandError(.usage, "`\(key)` stands in \(path) twice; remove one of the two.")
            }
        }
        return values
    }

    /// Returns whether settings stand below a key.
    private static func isSection(_ key: String) -> Bool {
        Setting.allCases.contains { $0.rawValue.utf8.starts(with: "\(key).".utf8) }
    }

    /// Returns whether something has the path, be it a link that leads nowhere.
    private static func exists(_ path: String) -> Bool {
        do throws(Errno) {
            _ = try FilePath(path).stat(followTargetSymlink: false)
            return true
        } catch {
            return error != .noSuchFileOrDirectory
        }
    }

    private static func bytes(of path: String) throws(CommandError) -> [UInt8] {
        func unreadable(_ reason: String) -> CommandError {
            CommandError(
                .unavailable,
                "cannot read the settings file \(path): \(reason). Mend it, or name another by --config or WAYMARK_CONFIG."
            )
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            // A file that somebody named and that is not there is a slip in the command line.
            throw errno == ENOENT
                ? CommandError(
                    .usage,
                    "there is no settings file \(path). Name another by --config or WAYMARK_CONFIG."
                )
                : unreadable(reason)
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let status = try? FileDescriptor(rawValue: descriptor).stat(), status.type != .directory else {
            throw unreadable("it is a folder")
        }
        do {
            let data = try file.read(upToCount: maximumByteCount + 1) ?? Data()
            guard data.count <= maximumByteCount else {
                throw unreadable("it has more than \(maximumByteCount) bytes")
            }
            return Array(data)
        } catch let failure as CommandError {
            throw failure
        } catch {
            throw unreadable("\(error)")
        }
    }

    /// Returns the values that are no mappings, or are those of a setting, their keys with the outer ones before a dot.
    private static func leaves(of pairs: [YAMLPair], below outer: String = "") -> [(key: String, value: YAMLNode)] {
        pairs.flatMap { pair in
            let key = outer + pair.key
            guard let inner = pair.value.pairs, Setting(bytewise: key) == nil else { return [(key, pair.value)] }
            return leaves(of: inner, below: key + ".")
        }
    }

    /// Returns a mapping of texts as a JSON object, where a setting takes one; `nil` for anything else.
    private static func mapping(_ node: YAMLNode, _ setting: Setting) -> String? {
        guard case .pairs = setting.definition.values, let pairs = node.pairs, !pairs.isEmpty else { return nil }
        var writer = JSONWriter()
        writer.object { writer in
            for pair in pairs {
                writer.key(pair.key)
                writer.string(pair.value.text)
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func unknown(_ key: String, in path: String) -> CommandError {
        let known = Setting.allCases.map(\.rawValue)
        let hint =
            SpellingSuggestion.closest(to: key, among: known).map { "did you mean `\($0)`?" }
            ?? "there are \(known.joined(separator: ", "))."
        return CommandError(.usage, "`\(key)` in \(path) is no setting; \(hint)")
    }
}
