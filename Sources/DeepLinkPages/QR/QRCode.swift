import CQRCodeGen

/// A QR code (ISO/IEC 18004) of a text, as the outline of an SVG picture.
package struct QRCode: Sendable {
    /// The number of modules of a side, without the quiet zone.
    package let size: Int

    /// The path of the dark modules (SVG 2 §9.3), one unit a module.
    package let path: [UInt8]

    /// The width of the quiet zone around the modules.
    package static let quietZone = 4

    /// The most bytes of a text: what is longer makes modules too small for a screen.
    private static let maximumByteCount = 1_000

    /// Encodes a text; `nil` where it is too long.
    ///
    /// The mask is fixed: finding the one that looks best costs ten times as much, and every reader reads all of them.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.maximumByteCount else { return nil }
        let bufferSize = Self.bufferSize
        var scratch = [UInt8](repeating: 0, count: bufferSize)
        var code = [UInt8](repeating: 0, count: bufferSize)
        let isEncoded = text.withCString { text in
            qrcodegen_encodeText(
                text,
                &scratch,
                &code,
                qrcodegen_Ecc_MEDIUM,
                1,
                Self.maximumVersion,
                qrcodegen_Mask_3,
                true
            )
        }
        guard isEncoded else { return nil }
        size = Int(qrcodegen_getSize(code))
        path = Self.path(of: code, size: size)
    }

    /// The largest version of the standard that is made: it holds what is encoded at most.
    private static let maximumVersion: Int32 = 25

    /// The bytes that the library needs for a code of that version, and to make it.
    private static let bufferSize: Int = {
        let side = Int(maximumVersion) * 4 + 17
        return (side * side + 7) / 8 + 1
    }()

    private static func path(of code: [UInt8], size: Int) -> [UInt8] {
        var path: [UInt8] = []
        path.reserveCapacity(size * size * 3)
        for row in 0..<size {
            var column = 0
            while column < size {
                guard isDark(code, column, row, size) else {
                    column += 1
                    continue
                }
                var end = column
                while end < size, isDark(code, end, row, size) { end += 1 }
                path.append(UInt8(ascii: "M"))
                append(column + quietZone, to: &path)
                path.append(UInt8(ascii: " "))
                append(row + quietZone, to: &path)
                path.append(UInt8(ascii: "h"))
                append(end - column, to: &path)
                path += "v1h-".utf8
                append(end - column, to: &path)
                path.append(UInt8(ascii: "z"))
                column = end
            }
        }
        return path
    }

    /// Reads a module where the library keeps it: a bit each, row by row, behind the size.
    private static func isDark(_ code: [UInt8], _ column: Int, _ row: Int, _ size: Int) -> Bool {
        let index = row * size + column
        return code[index >> 3 + 1] >> (index & 7) & 1 == 1
    }

    private static func append(_ number: Int, to path: inout [UInt8]) {
        if number >= 100 { path.append(UInt8(ascii: "0") + UInt8(number / 100)) }
        if number >= 10 { path.append(UInt8(ascii: "0") + UInt8(number / 10 % 10)) }
        path.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
