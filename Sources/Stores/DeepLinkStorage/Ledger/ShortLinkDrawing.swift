/// The source of the codes that a store draws.
package struct ShortLinkDrawing: Sendable {
    /// The function that draws a code of so many characters.
    package let draw: @Sendable (_ count: Int) -> ShortLinkCode

    /// Creates a source from a function.
    package init(_ draw: @escaping @Sendable (_ count: Int) -> ShortLinkCode) {
        self.draw = draw
    }

    /// The system's random numbers.
    package static let system = ShortLinkDrawing { count in
        var generator = SystemRandomNumberGenerator()
        return ShortLinkCode(drawing: count, from: &generator)
    }
}

/// A write of a short link with the code that was drawn or given.
package struct ShortLinkDraft: Sendable {
    /// The write.
    package let write: ShortLinkWrite

    /// The code.
    package let code: ShortLinkCode

    /// The origin of the code.
    package let kind: ShortLinkKind

    /// Whether the code was drawn, and another one will do.
    package let isDrawn: Bool

    /// Creates a draft, and draws the code if the write has none.
    package init(_ write: ShortLinkWrite, drawing: ShortLinkDrawing) {
        self.write = write
        switch write.code {
        case .drawn(let count): (code, kind, isDrawn) = (drawing.draw(count), .drawn, true)
        case .given(let given, let kind): (code, self.kind, isDrawn) = (given, kind, false)
        }
    }
}
