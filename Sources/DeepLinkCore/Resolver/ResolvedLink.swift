/// Holds what a link means before anyone asks who may go there.
struct ResolvedLink {
    let stack: [StackElement]
    let unusedQuery: [QueryItem]
}
