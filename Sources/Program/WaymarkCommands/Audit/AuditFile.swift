import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import Foundation

/// A file with lines of an audit log, read in pieces.
///
/// Other lines are skipped.
struct AuditFile {
    private var lines: InputLines

    /// The number of lines that begin like lines of the log, but are damaged.
    private(set) var damagedCount = 0

    /// The number of other lines that contain a line of the log after a prefix, which another program has added.
    private(set) var prefixedCount = 0

    /// Opens a file, where `-` is standard input.
    ///
    /// - Throws: ``CommandError`` of code 69 if it cannot be read.
    init(_ path: String) throws(CommandError) {
        lines = InputLines(try InputPieces(path), maximumByteCount: AuditRecord.maximumByteCount)
    }

    /// Reads the next line of the log, or returns `nil` at the end.
    ///
    /// - Throws: ``CommandError`` of code 69 if the file cannot be read.
    mutating func next() throws(CommandError) -> AuditRecord? {
        while let line = try lines.next() {
            guard case .whole(let bytes) = line else { continue }
            guard bytes.starts(with: AuditEntry.beginning) else {
                if bytes.firstRange(of: AuditEntry.beginning) != nil { prefixedCount += 1 }
                continue
            }
            if let record = AuditRecord(bytes) { return record }
            damagedCount += 1
        }
        return nil
    }
}

/// The lines of several audit log files, sorted by time.
///
/// Each file is sorted itself, except for concurrent changes.
struct AuditLines {
    private var files: [AuditFile] = []

    /// The next line of each file, or `nil` at its end.
    private var heads: [AuditRecord?] = []

    /// Opens the files.
    ///
    /// - Throws: ``CommandError`` of code 69 if one cannot be read.
    init(_ paths: [String]) throws(CommandError) {
        for path in paths {
            var file = try AuditFile(path)
            heads.append(try file.next())
            files.append(file)
        }
    }

    /// Reads the next line, or returns `nil` at the end of all files.
    ///
    /// - Throws: ``CommandError`` of code 69 if a file cannot be read.
    mutating func next() throws(CommandError) -> AuditRecord? {
        var earliest: (index: Int, record: AuditRecord)?
        for (index, head) in heads.enumerated() {
            if let head, earliest.map({ head.time < $0.record.time }) ?? true { earliest = (index, head) }
        }
        guard let (index, record) = earliest else { return nil }
        heads[index] = try files[index].next()
        return record
    }

    /// Messages about skipped lines that belong to a log.
    var warnings: [String] {
        let (damaged, prefixed) = (files.map(\.damagedCount).reduce(0, +), files.map(\.prefixedCount).reduce(0, +))
        return (damaged == 0 ? [] : ["\(Self.count(damaged)) damaged, and passed over"])
            + (prefixed == 0
                ? []
                : [
                    "\(Self.count(prefixed)) passed over, since something stands before it; `journalctl -o cat` adds nothing"
                ])
    }

    private static func count(_ number: Int) -> String { number == 1 ? "a line is" : "\(number) lines are" }
}

/// The files of an audit log.
enum AuditFiles {
    /// Returns the file of the setting, after its rotated files, which end in `.1` and so on, the oldest first.
    ///
    /// - Throws: ``CommandError`` of code 64 unless the setting is a file.
    static func ofSetting(_ place: AuditLocation) throws(CommandError) -> [String] {
        guard case .file(let path) = place else {
            throw CommandError.usage(
                "\(Setting.auditPath.rawValue) names no file. Name the files to read, or - for standard input, or set "
                    + "\(Setting.auditPath.variable)."
            )
        }
        var former: [String] = []
        while FileManager.default.fileExists(atPath: "\(path).\(former.count + 1)") {
            former.append("\(path).\(former.count + 1)")
        }
        let paths = former.reversed() + [path]
        warn(ofOthersBeside: paths, path)
        return paths
    }

    /// Warns of files that were renamed differently or compressed, since the command doesn't read them by itself.
    private static func warn(ofOthersBeside paths: [String], _ path: String) {
        let (folder, name) = (
            URL(fileURLWithPath: path).deletingLastPathComponent(), (path as NSString).lastPathComponent
        )
        let known = Set(paths.map { ($0 as NSString).lastPathComponent })
        let found = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let beginnings = [name + ".", name + "-"]
        let others =
            found.filter { other in
                !known.contains(other) && beginnings.contains { other.utf8.starts(with: $0.utf8) }
            }
            .sorted()
        guard let first = others.first else { return }
        StandardError.print(
            "waymark: warning: \(first)\(others.count == 1 ? " is" : " and \(others.count - 1) more are") not read. "
                + "`zcat -f \(path)* | waymark audit -` reads all"
        )
    }
}
