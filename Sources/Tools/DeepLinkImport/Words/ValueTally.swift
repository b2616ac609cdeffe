import DeepLinkCore

/// The values of a parameter, by their forms.
struct ValueTally {
    /// The number of words in an enumeration.
    static let enumerationWords = 3...12

    /// The smallest number of links with each word of an enumeration.
    static let enumerationLinks = 10

    /// The largest number of words that are kept.
    private static let maximumWordCount = Self.enumerationWords.upperBound

    /// The number of values of each form.
    private(set) var forms = [Int](repeating: 0, count: ValueForm.allCases.count)

    /// The number of values that are `true` or `false`.
    private(set) var truths = 0

    /// The number of keys without a value.
    private(set) var bare = 0

    /// The number of empty values.
    private(set) var empty = 0

    /// The number of values with a plus.
    private(set) var pluses = 0

    /// The number of links in which the key occurs more than once.
    private(set) var repeated = 0

    /// The words with their numbers, or `nil` if there are too many.
    private var words: [ByteText: Int]? = [:]

    /// The number of values.
    var count: Int { forms.reduce(0, +) + empty }

    /// Counts a value.
    mutating func note(_ value: String) {
        guard !value.isEmpty else {
            empty += 1
            return
        }
        let form = ValueForm(value)
        forms[form.rawValue] += 1
        if form == .word {
            if value.bytewise == "true" || value.bytewise == "false" { truths += 1 }
        }
        if value.utf8.contains(UInt8(ascii: "+")) { pluses += 1 }
        guard words != nil else { return }
        if form == .word { words?[value.bytewise, default: 0] += 1 } else { words = nil }
        if words?.count ?? 0 > Self.maximumWordCount { words = nil }
    }

    /// Counts a pair of a query.
    mutating func note(_ value: String?, isRepeated: Bool) {
        if let value { note(value) } else { bare += 1 }
        if isRepeated { repeated += 1 }
    }

    /// Counts values of one form.
    mutating func add(_ count: Int, of form: ValueForm) {
        forms[form.rawValue] += count
        if count > 0 { words = nil }
    }

    /// Adds the values of another tally.
    mutating func add(_ other: ValueTally) {
        for place in forms.indices { forms[place] += other.forms[place] }
        truths += other.truths
        bare += other.bare
        empty += other.empty
        pluses += other.pluses
        repeated += other.repeated
        guard let own = words, let others = other.words else {
            words = nil
            return
        }
        let all = own.merging(others, uniquingKeysWith: +)
        words = all.count > Self.maximumWordCount ? nil : all
    }

    /// Returns whether values have the forms of others, and are texts.
    func looksLike(_ other: ValueTally) -> Bool {
        let (own, others) = (Double(max(1, count)), Double(max(1, other.count)))
        let distance = forms.indices.reduce(0) { $0 + abs(Double(forms[$1]) / own - Double(other.forms[$1]) / others) }
        return distance <= 0.6 && (forms[ValueForm.word.rawValue] + forms[ValueForm.opaque.rawValue]) * 2 >= count
    }

    /// The words of an enumeration, if all values are some few words, each seen often.
    var enumeration: [String]? {
        guard let words, empty == 0, bare == 0, Self.enumerationWords.contains(words.count),
            words.values.allSatisfy({ $0 >= Self.enumerationLinks })
        else { return nil }
        return words.keys.sorted().map(\.string)
    }

    /// The form of all values, with the number of values that have the most frequent one.
    var form: (form: ValueForm, name: String, fitting: Int, likeliest: String) {
        let count = count
        if truths > 0, truths == count { return (.word, "bool", truths, "bool") }
        for form in ValueForm.allCases where form != .word && form != .opaque && forms[form.rawValue] > 0 {
            var fitting = forms[form.rawValue]
            if form == .double { fitting += forms[ValueForm.int.rawValue] }
            if fitting == count { return (form, form.name, fitting, form.name) }
        }
        let typed = ValueForm.allCases.filter { $0 != .word && $0 != .opaque }
            .max { (forms[$0.rawValue], $1.rawValue) < (forms[$1.rawValue], $0.rawValue) }
        let most = typed.map { forms[$0.rawValue] } ?? 0
        return (.word, "string", most, typed?.name ?? "string")
    }
}
