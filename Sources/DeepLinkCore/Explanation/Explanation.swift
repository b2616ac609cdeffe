/// The answer to a request together with how it came about.
public struct Explanation: Equatable, Sendable {
    /// The answer, as ``resolve(_:userLevel:catalog:)`` gives it.
    public let resolution: Resolution

    /// What the engine tried, in order.
    public let steps: [ExplanationStep]
}
