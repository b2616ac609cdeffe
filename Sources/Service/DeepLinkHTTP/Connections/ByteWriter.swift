/// A writer of a response into memory that is large enough for all of it.
///
/// Requesting room from a buffer for each piece costs more than the pieces.
struct ByteWriter: ~Copyable {
    /// The maximum number of digits of a number.
    static let maximumDigitCount = 19

    private let place: UnsafeMutableRawBufferPointer

    /// The number of bytes written so far.
    private(set) var count = 0

    /// Creates a writer into memory with room for everything written.
    init(_ place: UnsafeMutableRawBufferPointer) {
        self.place = place
    }

    /// Writes bytes.
    mutating func write(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: place[count...]).copyMemory(from: $0) }
        count += bytes.count
    }

    /// Writes a text.
    mutating func write(_ text: String) { write(text.utf8Span.span) }

    /// Writes a static text.
    mutating func writeStatic(_ text: StaticString) {
        write(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount).span)
    }

    /// Writes a non-negative number in decimal digits.
    mutating func write(_ number: Int) {
        var (digitCount, rest) = (1, number)
        while rest > 9 { (digitCount, rest) = (digitCount + 1, rest / 10) }
        rest = number
        for index in (count..<count + digitCount).reversed() {
            place[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += digitCount
    }

    /// Writes the line of a header field.
    mutating func write(_ name: String, value: String) {
        write(name)
        writeStatic(": ")
        write(value)
        writeStatic("\r\n")
    }
}
