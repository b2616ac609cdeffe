/// A file of links, one a line; blank lines and those that begin with `#` are comments.
struct LinkList {
    /// The links with the number of their line.
    let links: [(line: Int, text: String)]

    /// Reads the bytes of a file.
    ///
    /// - Throws: ``CommandFailure`` of code 65 where they are not UTF-8.
    init(_ bytes: [UInt8], named name: String) throws(CommandFailure) {
        var links: [(line: Int, text: String)] = []
        for (number, line) in InputFile.lines(bytes) {
            guard let text = String(validating: line, as: UTF8.self) else {
                throw CommandFailure(.badData, "\(name):\(number) is not UTF-8.")
            }
            if !text.allSatisfy(\.isWhitespace), text.utf8.first != UInt8(ascii: "#") { links.append((number, text)) }
        }
        self.links = links
    }
}
