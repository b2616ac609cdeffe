/// Is a file of links, one a line; blank lines and those that begin with `#` are comments.
struct LinkList {
    /// The links with the number of their line.
    let links: [(line: Int, text: String)]

    /// Reads the bytes of a file.
    ///
    /// - Throws: ``CommandFailure`` of code 65 where they are not UTF-8.
    init(_ bytes: [UInt8], named name: String) throws(CommandFailure) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.badData, "\(name) is not UTF-8.")
        }
        links = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
            .map { (line: $0.offset + 1, text: String($0.element)) }
            .filter { !$0.text.allSatisfy(\.isWhitespace) && !$0.text.hasPrefix("#") }
    }
}
