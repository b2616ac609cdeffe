package import DeepLinkCore
package import DeepLinkFormats

/// A page of a list, and the start of the next one.
package struct PageBody<Item: WireBody>: WireBody {
    private let name: String
    private let items: [Item]
    private let next: JSONValue?

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - name: The name of the list.
    ///   - items: The items, in the order of the list.
    ///   - next: What the next page begins after, or `nil` on the last page.
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
