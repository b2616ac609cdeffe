import Foundation

/// Base64url without padding (RFC 4648 §5).
///
/// Bytes have one spelling: padding, white space and stray bits in the last character are refused.
package enum Base64URL {
    /// The text of bytes.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Returns the bytes of a text, given as ASCII; `nil` if it isn't the output of ``encode(_:)``.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var standard: [UInt8] = []
        standard.reserveCapacity(text.count + 3)
        for byte in text {
            switch byte {
            case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: standard.append(byte)
            }
        }
        while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
        let data = Data(base64Encoded: Data(standard))
        return data.flatMap { $0.base64EncodedData().elementsEqual(standard) ? Array($0) : nil }
    }
}
