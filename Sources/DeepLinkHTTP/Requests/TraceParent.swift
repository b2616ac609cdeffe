import DeepLinkCore

/// The field by which a request says which trace it is a part of (w3.org/TR/trace-context §3.2).
enum TraceParent {
    /// Returns whether a value is one.
    ///
    /// It is version, trace, parent and flags, in small hexadecimal digits, neither trace nor parent all zeros. Later versions may go on behind a dash.
    static func isSound(_ value: String) -> Bool {
        let parts = value.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count >= 4, value.utf8.count <= 512 else { return false }
        let isHexadecimal = parts.prefix(4)
            .allSatisfy { part in
                part.allSatisfy { ASCII.isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
            }
        let hasZeros = [parts[1], parts[2]].contains { part in part.allSatisfy { $0 == UInt8(ascii: "0") } }
        let isFirst = parts[0].elementsEqual("00".utf8)
        return isHexadecimal && !hasZeros && parts.prefix(4).map(\.count) == [2, 32, 16, 2]
            && !parts[0].elementsEqual("ff".utf8) && (!isFirst || parts.count == 4)
    }
}
