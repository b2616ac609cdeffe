/// The generator of random codes for short links.
package struct ShortLinkCodeGenerator: Sendable {
    /// Returns a random code of the given length.
    package let draw: @Sendable (_ count: Int) -> ShortLinkCode

    /// Creates a generator from a function.
    package init(_ draw: @escaping @Sendable (_ count: Int) -> ShortLinkCode) {
        self.draw = draw
    }

    /// The generator that uses the system's random numbers.
    package static let system = ShortLinkCodeGenerator { count in
        var generator = SystemRandomNumberGenerator()
        return ShortLinkCode(drawing: count, from: &generator)
    }
}

/// A write of a short link with its code, random or given.
package struct ShortLinkDraft: Sendable {
    /// The write that asks for the link.
    package let write: ShortLinkWrite

    /// The code that the link gets, unless it is taken.
    package let code: ShortLinkCode

    /// The origin of the code.
    package let kind: ShortLinkKind

    /// Whether the code is random, so that another one can replace it.
    package let isRandom: Bool

    /// Creates a draft, with a random code if the write has none.
    package init(_ write: ShortLinkWrite, codeGenerator: ShortLinkCodeGenerator) {
        self.write = write
        switch write.code {
        case .drawn(let count): (code, kind, isRandom) = (codeGenerator.draw(count), .drawn, true)
        case .given(let given, let kind): (code, self.kind, isRandom) = (given, kind, false)
        }
    }
}
