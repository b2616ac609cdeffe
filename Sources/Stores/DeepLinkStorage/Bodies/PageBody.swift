package import DeepLinkCore
package import DeepLinkFormats

/// A page of a list, and the start of the next one.
package struct PageBody<Item: WireBody>: WireBody {
    private let name: String
    private let items: [Item]

    /// The value after which the next page begins, or `nil` on the last page.
    private let next: JSONValue?

    /// Creates a page of the list with a name.
    package init(_ name: String, _ items: [Item], next: JSONValue? = nil) {
        self.name = name
        self.items = items
        self.next = next
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member(name, array: items) { writer, item in item.write(to: &writer) }
            guard let next else { return }
            writer.key("next")
            writer.json(next)
        }
    }
}
