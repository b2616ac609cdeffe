/// A version of the parser of dynamic rules in Android's StatementService, as installed on phones.
package enum AndroidGeneration: CaseIterable, Sendable {
    /// The parser of 2024, which escapes dots everywhere, so that a literal with a dot never matches.
    case first

    /// The next parser, which escapes no dots, so that one in a glob is any character.
    case second

    /// The newest parser, in which a dot is a dot.
    case third

    /// The generation to use for a single answer.
    package static let newest = AndroidGeneration.third
}
