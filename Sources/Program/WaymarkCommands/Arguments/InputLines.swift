import DeepLinkCore
import DeepLinkFormats

/// The lines of a file, read piece by piece; empty ones are passed over.
struct InputLines {
    /// The file.
    private(set) var pieces: InputPieces

    private var splitter: LineSplitter
    private var isAtEnd = false

    /// Reads a file whose lines have at most so many bytes.
    init(_ pieces: InputPieces, maximumByteCount: Int) {
        self.pieces = pieces
        splitter = LineSplitter(maximumByteCount: maximumByteCount)
    }

    /// The number of the line that was read last, from 1.
    var lineNumber: Int { splitter.lineNumber }

    /// Reads the next line; `nil` at the end.
    ///
    /// - Throws: ``CommandError`` of code 69 if the file cannot be read.
    mutating func next() throws(CommandError) -> LineSplitter.Line? {
        while !isAtEnd {
            if let line = splitter.next() { return line }
            let piece = try pieces.next()
            isAtEnd = piece.isEmpty
            if isAtEnd { return splitter.last() }
            splitter.append(piece)
        }
        return nil
    }
}
