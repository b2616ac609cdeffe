/// A version of the parser of dynamic rules in Android's StatementService, as phones have it.
package enum AndroidGeneration: CaseIterable, Sendable {
    /// That of 2024, which escapes dots everywhere, so that a literal with a dot never matches.
    case first

    /// The one after, which escapes no dots, so that one in a glob is any character.
    case second

    /// The newest, in which a dot is a dot.
    case third

    /// The generation that counts where one answer is wanted.
    package static let newest = AndroidGeneration.third
}
