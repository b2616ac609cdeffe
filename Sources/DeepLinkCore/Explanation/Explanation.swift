/// Answers a request together with how the answer came about.
public struct Explanation: Equatable, Sendable {
    /// The answer, as ``resolve(_:userLevel:catalog:)`` gives it.
    public let resolution: Resolution

    /// What the engine tried, in order.
    public let steps: [ExplanationStep]
}
