/// The words of an enumeration, in the order of the file, found by a hash of their bytes.
///
/// An enumeration may have many words. The hash of all words and their text in a sentence are used often, and therefore
/// computed once.
package struct EnumerationWords: Sendable {
    private final class Storage: Sendable {
        let list: [String]
        let positions: [ByteText: Int]
        let hash: Int
        let sentence: String

        init(_ list: [String]) {
            self.list = list
            positions = list.count < EnumerationWords.indexedCount ? [:] : Dictionary(positionsOf: list)
            var hasher = Hasher()
            for word in list { hasher.combine(word.bytewise) }
            hash = hasher.finalize()
            sentence = list.joined(separator: ", ")
        }
    }

    /// The minimum number of words for an index: fewer words are found faster by a linear search.
    private static let indexedCount = 9

    private let storage: Storage

    /// Creates the enumeration of a list of words.
    ///
    /// - Complexity: linear in the number of words.
    package init(_ list: [String]) {
        storage = Storage(list)
    }

    /// The words, in order.
    package var list: [String] { storage.list }

    /// The words, separated by commas.
    var sentence: String { storage.sentence }

    /// Returns the word with these bytes, or `nil` if there is none.
    ///
    /// - Complexity: linear in the number of bytes.
    func word(of bytes: some Sequence<UInt8>) -> String? {
        guard !storage.positions.isEmpty else { return list.first { bytes.elementsEqual($0.utf8) } }
        let bytes = Array(bytes)
        // Decoding changes bytes that are not UTF-8.
        guard let position = storage.positions[String(decoding: bytes, as: UTF8.self).bytewise],
            bytes.elementsEqual(list[position].utf8)
        else { return nil }
        return list[position]
    }

    /// Returns whether two enumerations have a word in common.
    ///
    /// - Complexity: linear in the shorter list if the longer one is indexed.
    func overlaps(_ other: EnumerationWords) -> Bool {
        if storage === other.storage { return !isEmpty }
        return count < other.count
            ? contains { other.word(of: $0.utf8) != nil } : other.contains { word(of: $0.utf8) != nil }
    }
}

extension EnumerationWords: RandomAccessCollection {
    /// The position of the first word.
    package var startIndex: Int { 0 }

    /// The position after the last word.
    package var endIndex: Int { storage.list.count }

    /// Returns the word at a position.
    package subscript(position: Int) -> String { storage.list[position] }
}

extension EnumerationWords: Hashable {
    /// Returns whether the words are the same, byte by byte and in the same order.
    package static func == (left: EnumerationWords, right: EnumerationWords) -> Bool {
        left.storage === right.storage
            || left.storage.hash == right.storage.hash && left.count == right.count
                && zip(left, right).allSatisfy { $0.bytewise == $1.bytewise }
    }

    /// Hashes the words byte by byte, in order.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(storage.hash)
    }
}

extension EnumerationWords: ExpressibleByArrayLiteral {
    /// Creates the enumeration of the words of a literal.
    package init(arrayLiteral words: String...) {
        self.init(words)
    }
}
