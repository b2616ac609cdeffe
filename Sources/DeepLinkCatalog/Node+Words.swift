import Yams

extension Node {
    /// Whether nothing is written where a value could stand, as in `login:`.
    var isNull: Bool {
        guard case .scalar(let scalar) = self, scalar.style == .plain || scalar.style == .any else { return false }
        return ["", "~", "null"].contains(scalar.string)
    }

    /// Says what kind of value this is, for messages.
    var kindInWords: String {
        switch self {
        case .mapping: "a mapping"
        case .sequence: "a list"
        default: isNull ? "empty" : "a single value"
        }
    }
}

extension String {
    /// The text as it begins a sentence.
    var firstLetterUppercased: String { prefix(1).uppercased() + dropFirst() }
}
