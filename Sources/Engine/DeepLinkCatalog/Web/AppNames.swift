import DeepLinkCore

/// The formats of the identifiers that platforms give to apps.
enum AppNames {
    /// Returns whether a text is an Apple application identifier: a prefix of ten capital letters and digits, a dot,
    /// and a bundle identifier of letters, digits, hyphens and dots.
    static func isAppID(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: dot, maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].count == 10
            && parts[0].allSatisfy { ASCII.isDigit($0) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            && parts[1].split(separator: dot, omittingEmptySubsequences: false)
                .allSatisfy { part in
                    !part.isEmpty && part.allSatisfy { isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") }
                }
    }

    /// Returns whether a text is an App Store ID.
    static func isStoreID(_ text: String) -> Bool {
        (1...20).contains(text.utf8.count) && text.utf8.allSatisfy(ASCII.isDigit)
    }

    /// Returns whether a text is a scheme that an app can register for itself.
    static func isCustomScheme(_ text: String) -> Bool {
        guard let scheme = (try? DeepLink("\(text):/"))?.scheme, scheme.bytewise == text.lowercased().bytewise else {
            return false
        }
        return !["http", "https", "javascript", "data", "file", "intent"].contains { $0.bytewise == scheme.bytewise }
    }

    /// Returns whether a text is an Android application identifier: at least two words of letters, digits and
    /// underscores, each beginning with a letter.
    static func isPackage(_ text: String) -> Bool {
        let words = text.utf8.split(separator: dot, omittingEmptySubsequences: false)
        return words.count > 1
            && words.allSatisfy { word in
                word.first.map(isLetter) == true
                    && word.allSatisfy { isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") }
            }
    }

    /// Returns whether a text is 32 bytes in hexadecimal digits with colons between them.
    static func isFingerprint(_ text: String) -> Bool {
        let bytes = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return bytes.count == 32
            && bytes.allSatisfy { byte in byte.count == 2 && byte.allSatisfy { ASCII.hexValue($0) != nil } }
    }

    private static let dot = UInt8(ascii: ".")

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
}
