import DeepLinkCore

/// Unique names of routes and parameters, made of the words of paths.
struct DraftNames {
    private var taken: Set<ByteText> = []

    /// Marks a name as taken, and returns it, with a number behind it if it is taken already.
    mutating func unique(_ candidates: [String]) -> String {
        let names = candidates.filter { !$0.isEmpty }
        if let free = names.first(where: { taken.insert($0.bytewise).inserted }) { return free }
        let base = names.last ?? "page"
        var number = 2
        while !taken.insert(ByteText("\(base)\(number)")).inserted { number += 1 }
        return "\(base)\(number)"
    }

    /// Returns words in one name: `muted-accounts` is `mutedAccounts`.
    static func camelCase(_ words: [String]) -> String {
        var name: [UInt8] = []
        var beginsPart = false
        for byte in words.joined(separator: "-").utf8 {
            guard ASCII.isLetter(byte) || ASCII.isDigit(byte) else {
                beginsPart = !name.isEmpty
                continue
            }
            name.append(name.isEmpty ? ASCII.lowercased(byte) : beginsPart && byte >= 0x61 ? byte & ~0x20 : byte)
            beginsPart = false
        }
        if let first = name.first, ASCII.isDigit(first) { name = Array("page".utf8) + name }
        return String(decoding: name.prefix(48), as: UTF8.self)
    }

    /// Returns the singular of an English noun: `categories` is `category`, `artists` is `artist`.
    static func singular(_ word: String) -> String {
        let bytes = Array(word.utf8)
        func ends(_ ending: String) -> Bool { bytes.suffix(ending.utf8.count).elementsEqual(ending.utf8) }
        if bytes.count > 4, ends("ies") { return String(decoding: bytes.dropLast(3) + Array("y".utf8), as: UTF8.self) }
        if ends("sses") || ends("ches") || ends("shes") || ends("xes") {
            return String(decoding: bytes.dropLast(2), as: UTF8.self)
        }
        if bytes.count > 3, ends("s"), !ends("ss"), !ends("us"), !ends("is"), !ends("news") {
            return String(decoding: bytes.dropLast(), as: UTF8.self)
        }
        return word
    }

    /// Returns a name with a word behind it.
    static func joined(_ first: String, _ second: String) -> String { camelCase([first, second]) }
}
