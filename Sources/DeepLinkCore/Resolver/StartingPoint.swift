/// What is to be matched, and from where.
struct StartingPoint {
    /// Whether the path begins at `entry` or at the top of the current stack.
    let mode: ResolutionRequest.Mode

    /// The part of the link that routes are matched against.
    let path: RoutedPath

    /// The stack that the path continues; empty where it begins at `entry`.
    let current: [StackElement]

    /// What the client shows now, where the request names it.
    let shown: ShownStack?

    /// Under what the resulting stack is printed.
    let base: LinkPrefix
}

extension StartingPoint {
    /// The same question about the link that stands in the query of this one.
    func following(_ redirect: Redirect) -> StartingPoint {
        StartingPoint(mode: mode, path: redirect.path, current: current, shown: shown, base: redirect.base)
    }
}
