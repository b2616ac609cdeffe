import DeepLinkCore
import DeepLinkFormats
import DeepLinkImport
import Foundation

/// A file of links that is read several times: one link a line, or a CSV file with a column `link`.
struct ImportedLinkFile {
    /// The longest line, in bytes.
    private static let maximumLineByteCount = 1 << 16

    /// The largest input that is kept in memory since it cannot be read twice, in bytes.
    private static let maximumKeptByteCount = 1 << 28

    /// The largest number of faults that are named one by one.
    private static let maximumToldCount = 1000

    /// The file's name for messages.
    let name: String

    private let path: String

    /// The contents of standard input or of a pipe, which can be read once.
    private let kept: [UInt8]?

    private let isCSV: Bool

    /// Opens a file, and determines its format by its beginning.
    ///
    /// - Throws: ``CommandError`` of code 69 if it cannot be read, and of code 65 if it has to be kept and is too large.
    init(_ path: String) throws(CommandError) {
        name = InputFile.name(path)
        self.path = path
        var pieces = try InputPieces(path)
        var status = stat()
        let isRegular = path.bytewise != "-" && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        var beginning = try pieces.next()
        if isRegular {
            kept = nil
        } else {
            while case let piece = try pieces.next(), !piece.isEmpty {
                beginning += piece
                guard beginning.count <= Self.maximumKeptByteCount else {
                    throw CommandError(
                        .badData,
                        message:
                            "\(name) has more than \(Self.maximumKeptByteCount) bytes. Write it to a file, and name that."
                    )
                }
            }
            kept = beginning
        }
        isCSV = Self.isCSV(Array(beginning.prefix(Self.maximumLineByteCount)), named: name)
    }

    /// Returns whether a file has a first row with the column `link`, or the name of a table.
    private static func isCSV(_ bytes: [UInt8], named name: String) -> Bool {
        let isNamedSo = [".csv", ".tsv"].contains { name.lowercased().utf8.suffix(4).elementsEqual($0.utf8) }
        var splitter = CSVSplitter()
        splitter.append(bytes)
        guard case .whole(let row)? = splitter.next() ?? splitter.last() else { return false }
        return CSVHeader(row).column(named: "link") != nil || isNamedSo && CSVFile.isCSV(bytes, named: name)
    }

    private func pieces() throws(CommandError) -> InputPieces {
        if let kept { return InputPieces(kept, named: name) }
        return try InputPieces(path)
    }

    /// Reads all links, with a progress bar on terminals, and returns the number of lines that have none.
    ///
    /// - Parameters:
    ///   - tellsFaults: Whether these lines are named on standard error.
    ///   - body: A function that is called with each link and its line.
    /// - Returns: The number of lines that are no link.
    /// - Throws: ``CommandError`` of code 69 if the file cannot be read, of code 65 if a table has no column `link`.
    func forEachLink(tellingFaults tellsFaults: Bool, _ body: (DeepLink, Int) -> Void) throws(CommandError) -> Int {
        var faultCount = 0
        func note(_ line: Int, _ reason: String) {
            faultCount += 1
            guard tellsFaults, faultCount <= Self.maximumToldCount else { return }
            StandardError.print("\(name):\(line): \(reason)")
        }
        let pieces = try pieces()
        var progress = ProgressBar(total: pieces.byteCount)
        if isCSV {
            try readTable(pieces, &progress, body, note)
        } else {
            try readLines(pieces, &progress, body, note)
        }
        progress.finish()
        if tellsFaults, faultCount > Self.maximumToldCount {
            StandardError.print("\(name): \(faultCount - Self.maximumToldCount) more lines are no links")
        }
        return faultCount
    }

    private func readLines(
        _ pieces: InputPieces,
        _ progress: inout ProgressBar,
        _ body: (DeepLink, Int) -> Void,
        _ note: (Int, String) -> Void
    ) throws(CommandError) {
        var lines = InputLines(pieces, maximumByteCount: Self.maximumLineByteCount)
        while let line = try lines.next() {
            switch line {
            case .tooLong: note(lines.lineNumber, "The line has more than \(Self.maximumLineByteCount) bytes.")
            case .whole(let bytes): read(bytes[...], at: lines.lineNumber, body, note)
            }
            if lines.lineNumber % 4096 == 0 {
                progress.update(min(lines.pieces.readByteCount, max(1, pieces.byteCount)))
            }
        }
    }

    private func readTable(
        _ pieces: InputPieces,
        _ progress: inout ProgressBar,
        _ body: (DeepLink, Int) -> Void,
        _ note: (Int, String) -> Void
    ) throws(CommandError) {
        var table = try CSVTable(pieces)
        let column = try table.column("link")
        var count = 0
        while let row = try table.next() {
            switch row {
            case .malformed(let line, let message): note(line, message)
            case .fields(let fields): read(fields[column], at: fields.line, body, note)
            }
            count += 1
            if count % 4096 == 0 { progress.update(min(table.pieces.readByteCount, max(1, pieces.byteCount))) }
        }
    }

    private func read(
        _ line: ArraySlice<UInt8>,
        at number: Int,
        _ body: (DeepLink, Int) -> Void,
        _ note: (Int, String) -> Void
    ) {
        switch LinkLine(line) {
        case .link(let link): body(link, number)
        case .nothing: break
        case .fault(let reason): note(number, reason)
        }
    }
}

/// A folder of an Expo Router app.
enum ExpoFolder {
    /// Reads the names of the files in the folder, and the texts of layouts.
    ///
    /// Links to other folders are not followed.
    ///
    /// - Throws: ``CommandError`` of code 69 if the folder cannot be read, of code 65 if it is too large.
    static func files(in path: String) throws(CommandError) -> [ExpoFile] {
        let root = URL(fileURLWithPath: path)
        let isApp = root.lastPathComponent.bytewise == "app" || hasRoutes(root)
        let candidates = [root.appending(path: "src/app"), root.appending(path: "app")]
        let folder = isApp ? root : candidates.first(where: isFolder) ?? root
        guard isFolder(folder) else {
            throw CommandError(.unavailable, message: "cannot read \(path): it isn't a folder.")
        }
        var files: [ExpoFile] = []
        var budget = 50_000
        try add(folder, below: "", depth: 0, to: &files, budget: &budget)
        return files
    }

    private static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func hasRoutes(_ folder: URL) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.contains {
            ExpoFile.stem(of: $0).map { $0.bytewise == ExpoFile.layoutStem.bytewise || $0.bytewise == "index" } == true
        }
    }

    private static func add(
        _ folder: URL,
        below path: String,
        depth: Int,
        to files: inout [ExpoFile],
        budget: inout Int
    ) throws(CommandError) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch {
            throw CommandError(.unavailable, message: "cannot read the folder \(folder.path).")
        }
        for name in names.sorted(by: { $0.bytewise < $1.bytewise }) where name.utf8.first != UInt8(ascii: ".") {
            budget -= 1
            guard budget > 0, depth < 32 else {
                throw CommandError(.badData, message: "the folder \(folder.path) has too many files, or is too deep.")
            }
            let url = folder.appending(path: name)
            var status = stat()
            guard lstat(url.path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR where name.bytewise != "node_modules":
                try add(url, below: path + name + "/", depth: depth + 1, to: &files, budget: &budget)
            case S_IFREG:
                guard let stem = ExpoFile.stem(of: name) else { continue }
                let isLayout = stem.bytewise == ExpoFile.layoutStem.bytewise
                files.append(ExpoFile(path: path + name, text: isLayout ? try text(of: url) : nil))
            default: continue
            }
        }
    }

    private static func text(of url: URL) throws(CommandError) -> String {
        do {
            let file = try FileHandle(forReadingFrom: url)
            return String(decoding: try file.read(upToCount: ExpoFile.maximumLayoutByteCount) ?? Data(), as: UTF8.self)
        } catch {
            throw CommandError(.unavailable, message: "cannot read \(url.path).")
        }
    }
}
