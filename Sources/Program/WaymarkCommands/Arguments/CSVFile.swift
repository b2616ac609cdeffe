import DeepLinkCore

/// A file of comma-separated values, as spreadsheets write.
enum CSVFile {
    private static let separators = Array(",;\t".utf8)

    /// Refuses a CSV file as a whole where no command reads one, with the command that converts each of its rows to a JSON object.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - name: Its name in messages.
    ///   - members: The members of a JSON object after which the columns are to be named, in words.
    /// - Throws: ``CommandError`` of code 65.
    static func refuse(_ bytes: [UInt8], named name: String, members: String) throws(CommandError) {
        guard isCSV(bytes, named: name) else { return }
        throw CommandError(
            .badData,
            message: """
                \(name) is a CSV file; send a JSON object a line. Call its columns \(members), and turn it into one:
                python3 -c 'import csv, json, sys; [print(json.dumps({k: v for k, v in row.items() if v})) for row in \
                csv.DictReader(sys.stdin)]' < file.csv > file.ndjson
                """
        )
    }

    /// Returns whether a file is CSV: its first row has several cells of which the first is neither a link nor JSON; or
    /// the file's name says so, and its first row isn't a single link.
    static func isCSV(_ bytes: [UInt8], named name: String) -> Bool {
        let rows = InputFile.lines(bytes).lazy.map { $0.line.drop { $0 == 0x20 || $0 == 0x09 } }
        guard let row = rows.first(where: { !$0.isEmpty && $0.first != UInt8(ascii: "#") }),
            row.first != UInt8(ascii: "{"), row.first != UInt8(ascii: "["), !row.starts(with: "- ".utf8)
        else { return false }
        let cells = row.split(maxSplits: 1, omittingEmptySubsequences: false) { separators.contains($0) }
        let isLink = cells.first?.contains(UInt8(ascii: ":")) ?? false
        let isCalledSo = [".csv", ".tsv"].contains { name.lowercased().utf8.suffix(4).elementsEqual($0.utf8) }
        return isCalledSo ? cells.count > 1 || !isLink : cells.count > 1 && !isLink
    }
}
