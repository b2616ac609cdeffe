package import DeepLinkCore

/// The destination of a short link: a stack of the catalog, and beside it the link that led to it when it was stored.
///
/// The stack is split into its ``shape``, which many links share, and its values, in a few bytes. Neither depends on a
/// catalog.
package struct ShortLinkTarget: Hashable, Sendable {
    /// The most bytes of the link.
    package static let maximumTextByteCount = 8192

    /// The routes and presentations.
    package let shape: ShortLinkShape

    /// The parameters of all destinations (``StackValues``).
    package let values: [UInt8]

    /// The canonical link of the stack in the catalog that it was made for.
    package let text: String

    /// Takes a stack apart.
    ///
    /// - Parameters:
    ///   - stack: The destinations, root first.
    ///   - text: The canonical link.
    /// - Complexity: linear in the destinations and their values.
    package init(stack: [Destination], text: String) {
        shape = ShortLinkShape(stack)
        values = StackValues.bytes(of: stack)
        self.text = text
    }

    /// Takes the parts that a store holds.
    package init(shape: ShortLinkShape, values: [UInt8], text: String) {
        self.shape = shape
        self.values = values
        self.text = text
    }

    /// The destinations, root first; `nil` if the bytes are no values of the shape, as after damage.
    ///
    /// - Complexity: linear in the bytes.
    package var stack: [Destination]? {
        guard let destinations = shape.destinations else { return nil }
        return StackValues.stack(destinations, having: values)
    }

    /// Compares the bytes.
    package static func == (left: ShortLinkTarget, right: ShortLinkTarget) -> Bool {
        left.values == right.values && left.text.bytewise == right.text.bytewise && left.shape == right.shape
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(shape)
        hasher.combine(values)
        hasher.combine(text.bytewise)
    }
}
