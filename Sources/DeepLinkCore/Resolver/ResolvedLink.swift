/// The meaning of a link before anyone asks who may go there.
struct ResolvedLink {
    let stack: [StackElement]

    /// The number of destinations before the link added any; their levels do not count.
    let currentCount: Int

    let unusedQuery: [QueryItem]

    /// The decoded segments that no route matched.
    var unresolved: [String] = []

    /// The destinations that the link adds.
    var added: ArraySlice<StackElement> { stack[currentCount...] }
}
