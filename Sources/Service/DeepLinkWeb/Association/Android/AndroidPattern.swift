import DeepLinkCore

/// A matching expression of a dynamic rule, converted into a pattern by one of the generations of Android.
///
/// Characters are UTF-16 units, as in Java's strings. The kinds of patterns are the kinds of
/// `android.os.PatternMatcher`.
struct AndroidPattern {
    private enum Kind {
        case literal, prefix, glob, advanced
    }

    private let kind: Kind
    private let text: [UInt16]

    private static let star = UInt16(UInt8(ascii: "*"))
    private static let mark = UInt16(UInt8(ascii: "?"))
    private static let dot = UInt16(UInt8(ascii: "."))
    private static let plus = UInt16(UInt8(ascii: "+"))
    private static let backslash = UInt16(UInt8(ascii: "\\"))

    /// Reads an expression, or returns `nil` if it is empty.
    ///
    /// An empty one invalidates all rules of its list.
    ///
    /// The prefix, a query's name with its equals sign, is taken literally.
    init?(_ expression: String, after prefix: String = "", generation: AndroidGeneration) {
        let units = Array(expression.utf16)
        guard !units.isEmpty else { return nil }
        let front = Array(prefix.utf16)
        let (kind, text) =
            generation == .third ? Self.plain(units) : Self.advanced(units, escapesDots: generation == .first)
        self.kind = kind
        self.text = front + text
    }

    /// Reads an expression as the third generation does.
    private static func plain(_ units: [UInt16]) -> (Kind, [UInt16]) {
        let count = units.count { $0 == star || $0 == mark }
        if count == 0 { return (.literal, units) }
        if count == 1, units.last == star { return (.prefix, units.dropLast()) }
        var text: [UInt16] = []
        for unit in units {
            switch unit {
            case star: text += [dot, star]
            case mark: text.append(dot)
            case dot, backslash: text += [backslash, unit]
            default: text.append(unit)
            }
        }
        return (.glob, text)
    }

    /// Reads an expression as the first two generations do, in which `?*` selects another kind of pattern.
    private static func advanced(_ units: [UInt16], escapesDots: Bool) -> (Kind, [UInt16]) {
        let isAdvanced = zip(units, units.dropFirst()).contains { $0 == mark && $1 == star }
        var count = 0
        var text: [UInt16] = []
        for unit in units {
            switch unit {
            case star:
                if text.last == dot, text.dropLast().last != backslash {
                    text.append(plus)
                } else {
                    count += 1
                    text += [dot, star]
                }
            case mark:
                count += 1
                text.append(dot)
            case dot: text += escapesDots ? [backslash, dot] : [dot]
            case UInt16(UInt8(ascii: "[")), UInt16(UInt8(ascii: "]")), UInt16(UInt8(ascii: "{")),
                UInt16(UInt8(ascii: "}")):
                text += isAdvanced ? [backslash, unit] : [unit]
            default: text.append(unit)
            }
        }
        if count == 0 { return (.literal, text) }
        if count == 1, text.suffix(2).elementsEqual([dot, star]) { return (.prefix, text.dropLast(2)) }
        return (isAdvanced ? .advanced : .glob, text)
    }

    /// Returns whether the pattern matches the whole of a text.
    ///
    /// - Complexity: linear in the text and the pattern.
    /// - Throws: ``MatchingEffortError``.
    func matches(_ units: [UInt16], spending effort: inout MatchingEffort) throws(MatchingEffortError) -> Bool {
        // Globs may read each character of both. Other kinds stop at the first difference, and compare whole words.
        switch kind {
        case .literal, .prefix: try effort.spend(1 + min(text.count, units.count) / 8)
        case .glob, .advanced: try effort.spend(1 + text.count + units.count)
        }
        return switch kind {
        case .literal: units == text
        case .prefix: units.starts(with: text)
        case .glob: Self.matchGlob(text, text: units)
        case .advanced: AndroidAdvancedGlob(text)?.matches(units) ?? false
        }
    }

    /// Matches as `PatternMatcher.matchGlobPattern` does, without backtracking: `.*` ends at the first character equal
    /// to the one after it.
    private static func matchGlob(_ pattern: [UInt16], text: [UInt16]) -> Bool {
        guard !pattern.isEmpty else { return text.isEmpty }
        func unit(_ index: Int) -> UInt16 { index < pattern.count ? pattern[index] : 0 }
        var place = 0
        var position = 0
        while place < pattern.count, position < text.count {
            var own = unit(place)
            place += 1
            let isEscaped = own == backslash
            if isEscaped {
                own = unit(place)
                place += 1
            }
            guard unit(place) == star else {
                if own != dot, text[position] != own { return false }
                position += 1
                continue
            }
            if !isEscaped, own == dot {
                if place >= pattern.count - 1 { return true }
                place += 1
                if unit(place) == backslash { place += 1 }
                let next = unit(place)
                while position < text.count, text[position] != next { position += 1 }
                if position == text.count { return false }
                place += 1
                position += 1
            } else {
                while position < text.count, text[position] == own { position += 1 }
                place += 1
            }
        }
        if place >= pattern.count, position >= text.count { return true }
        return place == pattern.count - 2 && pattern[place] == dot && pattern[place + 1] == star
    }
}
