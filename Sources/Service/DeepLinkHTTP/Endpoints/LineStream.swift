package import DeepLinkAuthentication
package import DeepLinkCore
import DeepLinkFormats
package import HTTPServer
import HummingbirdCore
import NIOCore

/// The response to a body of lines, written as the lines arrive, so that memory doesn't grow with their number.
///
/// During the stream, its caller must remain authorized, its duration must stay within the limit, and its bytes must
/// fit into the budget of all connections. Otherwise a line with the problem ends it.
struct LineStream {
    private let call: EndpointRequest
    private let rules: LineStreamRules

    /// Creates the stream of a call's response.
    init(of call: EndpointRequest, under rules: LineStreamRules) {
        self.call = call
        self.rules = rules
    }

    /// Answers lines from users' levels.
    ///
    /// The head of the response warns if levels may be out of date, since lines cannot have header fields.
    func respond(
        fromLevelsOf resolver: LinkResolver,
        _ answer: @escaping @Sendable (_ next: () -> LineSplitter.Line?) async throws -> ByteBuffer
    ) -> EndpointResponse {
        let response = respond(answer)
        return resolver.levels.mayBeStale ? response.adding(UserLevel.staleFields) : response
    }

    /// Answers lines of the body.
    ///
    /// - Parameter answer: consumes some of the lines that have arrived, one by one, and returns their responses, or
    ///   nothing if no line is left. It is called repeatedly until then, whenever lines have arrived and at the end.
    /// - Returns: the stream of these responses.
    func respond(
        _ answer: @escaping @Sendable (_ next: () -> LineSplitter.Line?) async throws -> ByteBuffer
    ) -> EndpointResponse {
        EndpointResponse(
            stream: ResponseBody { writer in
                var lines = LineSplitter(maximumByteCount: JSONObjectBody.maximumByteCount)
                var kept = ReservedBytes(of: rules.load.arriving)
                let lifetime = rules.load.maximumStreamDuration
                let end = ContinuousClock.now + lifetime
                guard let body = call.lines else { return try await writer.finish(nil) }
                for try await buffer in body {
                    do {
                        try await rules.checkCaller(of: call)
                        guard ContinuousClock.now < end else { throw Problem.streamTooLong(lifetime) }
                        guard kept.become(lines.pendingByteCount + buffer.readableBytes) else {
                            throw Problem.tooManyBytes
                        }
                    } catch let problem as Problem {
                        let line = problem.identified(by: call.head.id).json + [UInt8(ascii: "\n")]
                        try await writer.write(ByteBuffer(bytes: line))
                        return try await writer.finish(nil)
                    }
                    lines.append(buffer.readableBytesView)
                    while case let chunk = try await answer({ lines.next() }), chunk.readableBytes > 0 {
                        try await writer.write(chunk)
                    }
                }
                var last = lines.last()
                if last != nil { try await writer.write(try await answer { last.take() }) }
                try await writer.finish(nil)
            },
            .ndjson
        )
    }
}

/// The rules for streams of lines: their duration, their bytes, and the authorization of their callers.
package struct LineStreamRules: Sendable {
    /// The server's load, with the maximum duration of a stream and the common byte budget.
    let load: ServerLoad

    /// The authentication of callers.
    let authentication: Authentication

    /// Returns the current time.
    let now: @Sendable () -> Timestamp

    /// Creates rules from their parts.
    package init(load: ServerLoad, authentication: Authentication, now: @escaping @Sendable () -> Timestamp) {
        self.load = load
        self.authentication = authentication
        self.now = now
    }

    /// Checks that a caller is still authorized, since a stream may outlast a token, or the time when the server was
    /// open.
    ///
    /// - Throws: `Problem` with the code `authentication-required`.
    func checkCaller(of call: EndpointRequest) async throws(Problem) {
        _ = try await authentication.caller(AuthorizationField(call.head.fields.authorization), at: now())
    }
}
