/// The one text form of decimal numbers, shared by links and JSON.
package enum DecimalText {
    /// Prints a finite number as the shortest text that reads back: `1`, `0.1`, `1e21`.
    package static func print(_ number: Double) -> String {
        var text = number.description
        if text.utf8.suffix(2).elementsEqual(".0".utf8) { text.removeLast(2) }
        if let plus = text.utf8.firstIndex(of: UInt8(ascii: "+")) { text.remove(at: plus) }
        return text
    }

    /// Reads a finite decimal of the JSON grammar (RFC 8259 §6): no `+1`, `01`, `.5`, `1.`, `inf` or hexadecimal.
    package static func parseDouble(_ bytes: [UInt8]) -> Double? {
        var rest = bytes[...]
        if rest.first == ASCII.minus { rest.removeFirst() }
        guard dropDigits(&rest, canonical: true) else { return nil }
        if rest.first == ASCII.dot {
            rest.removeFirst()
            guard dropDigits(&rest, canonical: false) else { return nil }
        }
        if let byte = rest.first, byte | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            if let sign = rest.first, sign == ASCII.minus || sign == UInt8(ascii: "+") { rest.removeFirst() }
            guard dropDigits(&rest, canonical: false) else { return nil }
        }
        guard rest.isEmpty, let number = Double(String(decoding: bytes, as: UTF8.self)), number.isFinite else {
            return nil
        }
        // Minus zero equals zero, and two spellings of one value would make two links to one destination.
        return number == 0 ? 0 : number
    }

    private static func dropDigits(_ rest: inout ArraySlice<UInt8>, canonical: Bool) -> Bool {
        let digits = rest.prefix(while: ASCII.isDigit)
        guard let first = digits.first, !canonical || first != ASCII.zero || digits.count == 1 else { return false }
        rest.removeFirst(digits.count)
        return true
    }

    /// Reads a canonical whole number, without calls into the generic code of other modules.
    package static func parseInt64(_ bytes: ArraySlice<UInt8>) -> Int64? {
        bytes.withUnsafeBufferPointer { parseInt64($0) }
    }

    /// Reads a canonical whole number that counts something: one in the range of `Int`.
    @inline(__always)
    package static func parseInt(_ bytes: some Sequence<UInt8>) -> Int? {
        parseInt64(bytes).flatMap { Int(exactly: $0) }
    }

    /// Reads a canonical whole number: an optional minus, no leading zero, no `-0`, within 64 bits.
    @inline(__always)
    package static func parseInt64(_ bytes: some Sequence<UInt8>) -> Int64? {
        var magnitude: UInt64 = 0
        var isNegative = false
        var digitCount = 0
        var startsWithZero = false
        for byte in bytes {
            if byte == ASCII.minus, digitCount == 0, !isNegative {
                isNegative = true
                continue
            }
            guard ASCII.isDigit(byte), !startsWithZero else { return nil }
            startsWithZero = digitCount == 0 && byte == ASCII.zero
            let (tenfold, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tenfold.addingReportingOverflow(UInt64(byte &- ASCII.zero))
            guard !overflow, !carry else { return nil }
            magnitude = sum
            digitCount += 1
        }
        guard digitCount > 0, !(isNegative && startsWithZero) else { return nil }
        if isNegative { return magnitude == 1 << 63 ? Int64.min : Int64(exactly: magnitude).map { -$0 } }
        return Int64(exactly: magnitude)
    }
}
