import CQRCodeGen

/// A QR code (ISO/IEC 18004) of a text, drawn as an SVG path.
package struct QRCode: Sendable {
    /// The number of modules per side, without the quiet zone.
    package let size: Int

    /// The path of the dark modules (SVG 2 §9.3): a stroke of width 1 along the middle of each row's runs, in units of
    /// modules.
    package let path: [UInt8]

    /// The width of the quiet zone around the modules.
    package static let quietZone = 4

    /// The maximum length of a text in bytes.
    ///
    /// Longer texts make modules too small for a screen.
    private static let maximumByteCount = 1_000

    /// The part of a code that may be damaged or hidden while it stays readable.
    package enum Correction: Sendable {
        /// 7 %: screens don't get stained, and a smaller code has larger modules.
        case screen

        /// 15 %: paper is folded, and gets wet.
        case print
    }

    /// Encodes a text, or returns `nil` if it is too long.
    ///
    /// The mask is fixed. The search for the best one costs ten times as much, and every reader accepts all masks.
    package init?(_ text: String, for correction: Correction = .screen) {
        guard !text.isEmpty, text.utf8.count <= Self.maximumByteCount else { return nil }
        let bufferSize = Self.bufferSize
        var scratch = [UInt8](repeating: 0, count: bufferSize)
        var code = [UInt8](repeating: 0, count: bufferSize)
        let isEncoded = text.withCString { text in
            qrcodegen_encodeText(
                text,
                &scratch,
                &code,
                correction == .screen ? qrcodegen_Ecc_LOW : qrcodegen_Ecc_MEDIUM,
                1,
                Self.maximumVersion,
                qrcodegen_Mask_3,
                false
            )
        }
        guard isEncoded else { return nil }
        size = Int(qrcodegen_getSize(code))
        path = Self.path(of: code.span, size: size)
    }

    /// The maximum version of the standard, large enough for the longest text on a screen.
    private static let maximumVersion: Int32 = 25

    /// The number of bytes that the library needs for the code and as working memory.
    private static let bufferSize: Int = {
        let side = Int(maximumVersion) * 4 + 17
        return (side * side + 7) / 8 + 1
    }()

    /// Returns the runs of dark modules row by row.
    ///
    /// The first run of a row starts from its beginning, other runs from the end of the previous run.
    private static func path(of code: Span<UInt8>, size: Int) -> [UInt8] {
        var rows: [UInt128] = []
        rows.reserveCapacity(size)
        for row in 0..<size { rows.append(modules(of: row, in: code, size)) }
        // A row begins with at most seven bytes. A run takes at most nine, and a light module follows it.
        return [UInt8](capacity: size * (7 + 9 * (size / 2 + 1))) { path in
            for (row, modules) in rows.enumerated() {
                path.append("M0 ")
                path.append(row + quietZone)
                path.append(".5")
                var (rest, column, end) = (modules, 0, -quietZone)
                while rest != 0 {
                    let light = rest.trailingZeroBitCount
                    rest >>= light
                    let dark = (~rest).trailingZeroBitCount
                    rest >>= dark
                    column += light
                    path.append("m")
                    path.append(column - end)
                    path.append(" 0h")
                    path.append(dark)
                    column += dark
                    end = column
                }
            }
        }
    }

    /// Returns the modules of a row from the library's buffer.
    ///
    /// It stores one bit each, row by row, after the size.
    private static func modules(of row: Int, in code: Span<UInt8>, _ size: Int) -> UInt128 {
        let (first, shift) = (row * size).quotientAndRemainder(dividingBy: 8)
        var modules: UInt128 = 0
        for index in (0...(size + shift - 1) / 8).reversed() {
            // The lowest byte is last. Its bits that belong to the previous row are shifted out.
            let byte = UInt128(code[first + 1 + index])
            modules = index == 0 ? modules << (8 - shift) | byte >> shift : modules << 8 | byte
        }
        return modules & ((1 << size) - 1)
    }
}

extension OutputSpan<UInt8> {
    /// Appends ASCII characters.
    fileprivate mutating func append(_ text: StaticString) {
        for index in 0..<text.utf8CodeUnitCount { append(text.utf8Start[index]) }
    }

    /// Appends a number below 1,000.
    fileprivate mutating func append(_ number: Int) {
        if number >= 100 { append(UInt8(ascii: "0") + UInt8(number / 100)) }
        if number >= 10 { append(UInt8(ascii: "0") + UInt8(number / 10 % 10)) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}

extension QRCode {
    /// The code as an SVG 2 image with its quiet zone, black on white regardless of the surrounding page.
    package var picture: [UInt8] {
        let side = String(size + 2 * Self.quietZone)
        var picture = Array("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(side) \(side)\"".utf8)
        picture += " shape-rendering=\"crispEdges\"><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/><path d=\"".utf8
        picture += path
        picture += "\" stroke=\"#000\"/></svg>\n".utf8
        return picture
    }
}
