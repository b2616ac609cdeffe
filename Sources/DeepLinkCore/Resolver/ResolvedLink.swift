/// The meaning of a link before anyone asks who may go there.
struct ResolvedLink {
    let stack: [StackElement]

    /// The number of destinations before the link added any; their levels do not count.
    let currentCount: Int

    var unusedQuery: [QueryItem]

    /// The decoded segments that no route matched.
    var unresolved: [String] = []

    /// The link that it was answered by, where that stands in its query.
    var redirect: Redirect?

    /// The destinations that the link adds.
    var added: ArraySlice<StackElement> { stack[currentCount...] }
}
