/// Marks one query pair of a link: its name, and its value unless the pair has no equals sign.
struct LinkPair: Hashable, Sendable {
    let name: LinkRange
    let value: LinkRange?
}
