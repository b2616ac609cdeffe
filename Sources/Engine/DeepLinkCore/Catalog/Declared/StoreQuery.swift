/// The query that the store links of an app carry, such as the tokens of a campaign.
package struct StoreQuery: Hashable, Sendable {
    /// The pairs, in the order of the file.
    package let items: [QueryItem]

    /// The query of an app that declares none.
    package static let none = StoreQuery([])

    /// Creates a query from its pairs.
    package init(_ items: [QueryItem]) {
        self.items = items
    }

    /// Returns an address with the pairs appended, percent-encoded.
    package func appended(to address: String) -> String {
        items.isEmpty ? address : QueryItem.appending(items, to: address)
    }
}
