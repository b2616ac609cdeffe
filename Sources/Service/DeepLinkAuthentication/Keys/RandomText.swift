/// Unpredictable texts, drawn from a source of secure randomness.
enum RandomText {
    /// Draws characters of an alphabet that has some, each as likely as any other.
    ///
    /// Each word of the generator is cut into parts of as many bits as the alphabet needs, since every word of the
    /// system's is a call of its own.
    static func draw(
        _ count: Int,
        of alphabet: [UInt8],
        using generator: inout some RandomNumberGenerator
    ) -> String {
        let last = UInt64(alphabet.count - 1)
        let bitCount = max(UInt64.bitWidth - last.leadingZeroBitCount, 1)
        var text: [UInt8] = []
        text.reserveCapacity(count)
        while text.count < count {
            var word = generator.next()
            for _ in 0..<UInt64.bitWidth / bitCount where text.count < count {
                let part = word & ((1 << bitCount) - 1)
                word >>= bitCount
                // A part that numbers no character is dropped: folding it back would make some likelier than others.
                if part <= last { text.append(alphabet[Int(part)]) }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
