package import DeepLinkCore

/// The destination of a short link: a stack of the catalog, with the link that resolved to it when it was stored.
///
/// The stack is split into its ``shape``, which many links share, and its values, in a few bytes. Neither depends on a
/// catalog.
package struct ShortLinkTarget: Hashable, Sendable {
    /// The maximum length of the link, in bytes.
    package static let maximumTextByteCount = 8192

    /// The routes and presentations.
    package let shape: ShortLinkShape

    /// The parameters of all destinations (``StackValues``).
    package let values: [UInt8]

    /// The canonical link of the stack in the catalog for which it was made.
    package let text: String

    /// Splits a stack, root first, into its shape and values.
    ///
    /// - Complexity: Linear in the destinations and their values.
    package init(stack: [Destination], text: String) {
        shape = ShortLinkShape(stack)
        values = StackValues.bytes(of: stack)
        self.text = text
    }

    /// Creates a target from its stored parts.
    package init(shape: ShortLinkShape, values: [UInt8], text: String) {
        self.shape = shape
        self.values = values
        self.text = text
    }

    /// The destinations, root first, or `nil` if the values don't match the shape, which means they are damaged.
    ///
    /// - Complexity: Linear in the bytes.
    package var stack: [Destination]? {
        guard let destinations = shape.destinations else { return nil }
        return StackValues.stack(destinations, having: values)
    }
    package static func == (left: ShortLinkTarget, right: ShortLinkTarget) -> Bool {
        left.values == right.values && left.text.bytewise == right.text.bytewise && left.shape == right.shape
    }
    package func hash(into hasher: inout Hasher) {
        hasher.combine(shape)
        hasher.combine(values)
        hasher.combine(text.bytewise)
    }
}
