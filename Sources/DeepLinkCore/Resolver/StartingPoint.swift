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
