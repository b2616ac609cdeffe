package import Hummingbird

/// The responder that works on each request that reaches the router in a task of its own.
///
/// A connection is one task, and a task keeps the memory of its deepest call until it ends: for middleware and endpoint
/// that is as much as everything else about a silent connection. A request's own task takes it along when it ends.
package struct TaskPerRequestResponder<Inner: HTTPResponder>: HTTPResponder where Inner.Context: Sendable {
    private let inner: Inner

    /// Wraps what answers.
    package init(_ inner: Inner) {
        self.inner = inner
    }

    package func respond(to request: Request, context: Inner.Context) async throws -> Response {
        let task = Task { [inner] in try await inner.respond(to: request, context: context) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
