import DeepLinkCatalog
import DeepLinkCore
import Foundation
import SystemPackage

/// The values of a settings file.
///
/// A file that exists but cannot be read is an error, never treated as missing. Otherwise a server that was meant to
/// require credentials would start without.
enum SettingsFile {
    /// The maximum size of the file, in bytes.
    private static let maximumByteCount = 1024 * 1024

    /// Reads the values of a file.
    ///
    /// - Throws: ``CommandError`` naming the file and the fix, of code 69 if it cannot be read, and of code 64 if it
    ///   isn't a settings file or has an unknown key.
    static func values(of path: String) throws -> [Setting: String] {
        let bytes = try bytes(of: path)
        let root: YAMLNode?
        do throws(CatalogError) {
            root = try YAMLText.compose(bytes, file: path)
        } catch {
            let faults = error.issues.map { "\($0.location.line):\($0.location.column): \($0.message) \($0.hint)" }
            throw CommandError.usage("the settings file \(path) is refused: \(faults.joined(separator: "\n"))")
        }
        guard let root else { return [:] }
        guard let pairs = root.pairs else {
            throw CommandError.usage("the settings file \(path) isn't a mapping. Write `http: { port: 8080 }`.")
        }
        var values: [Setting: String] = [:]
        for (key, node) in leaves(of: pairs) {
            guard let setting = Setting(bytewise: key) else {
                // A section whose lines are all comments.
                if node.isNull, isSection(key) { continue }
                throw unknown(key, in: path)
            }
            guard let text = node.text ?? list(node, setting: setting) ?? mapping(node, setting: setting), !node.isNull
            else {
                throw CommandError.usage(
                    "`\(key)` in \(path) has no single value. Write one, or remove the key (line \(node.mark.line))."
                )
            }
            guard values.updateValue(text, forKey: setting) == nil else {
                throw CommandError.usage("`\(key)` is in \(path) twice. Remove one of them.")
            }
        }
        return values
    }

    /// Returns whether a key is a section with settings.
    private static func isSection(_ key: String) -> Bool {
        Setting.allCases.contains { $0.rawValue.utf8.starts(with: "\(key).".utf8) }
    }

    /// Returns whether a path exists, even as a dangling link.
    ///
    /// A path relative to a working directory that this user may not enter counts as missing. An absolute path may
    /// exist, and reading it then fails.
    static func exists(_ path: String) -> Bool {
        do throws(Errno) {
            _ = try FilePath(path).stat(followTargetSymlink: false)
            return true
        } catch {
            let isUnreachable = error == .permissionDenied && !FilePath(path).isAbsolute
            return error != .noSuchFileOrDirectory && error != .notDirectory && !isUnreachable
        }
    }

    private static func bytes(of path: String) throws(CommandError) -> [UInt8] {
        func unreadable(_ reason: String) -> CommandError {
            CommandError.unavailable(
                "cannot read the settings file \(path): \(reason). Mend it, or name another by --config or WAYMARK_CONFIG."
            )
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            // A missing file that was named explicitly is a typing error in the command line.
            throw errno == ENOENT
                ? CommandError.usage(
                    "the settings file \(path) does not exist. Name another by --config or WAYMARK_CONFIG."
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

    /// Returns the values that are not mappings or belong to a setting, with their keys as paths separated by dots.
    private static func leaves(of pairs: [YAMLPair], below outer: String = "") -> [(key: String, value: YAMLNode)] {
        pairs.flatMap { pair in
            let key = outer + pair.key
            guard let inner = pair.value.pairs, Setting(bytewise: key) == nil else { return [(key, pair.value)] }
            return leaves(of: inner, below: key + ".")
        }
    }

    /// Returns a list of strings as a JSON array, and an empty list as the empty text, or `nil` for anything else.
    ///
    /// The setting must allow a list.
    private static func list(_ node: YAMLNode, setting: Setting) -> String? {
        guard case .list = setting.definition.values, let items = node.items else { return nil }
        let texts = items.compactMap { $0.isNull ? nil : $0.text }
        guard texts.count == items.count else { return nil }
        var writer = JSONWriter()
        writer.array(texts) { writer, text in writer.string(text) }
        return texts.isEmpty ? "" : String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Returns a mapping of strings as a JSON object, or `nil` for anything else.
    ///
    /// The setting must allow a mapping.
    private static func mapping(_ node: YAMLNode, setting: Setting) -> String? {
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
        let near = SpellingSuggestion.closest(to: key, among: known).map { [$0] } ?? known.filter { ends($0, in: key) }
        let hint =
            near.isEmpty
            ? "there are \(known.joined(separator: ", "))."
            : "did you mean \(near.map { "`\($0)`" }.joined(separator: " or "))?"
        return CommandError.usage("`\(key)` in \(path) isn't a setting; \(hint)")
    }

    /// Returns whether a setting within a section ends like a key outside of it, for example `http.port` and `port`.
    private static func ends(_ setting: String, in key: String) -> Bool {
        let dot = UInt8(ascii: ".")
        let (ending, given) = (setting.utf8.split(separator: dot).last, key.utf8.split(separator: dot).last)
        guard setting.utf8.contains(dot), let ending, let given else { return false }
        return ending.elementsEqual(given)
    }
}
