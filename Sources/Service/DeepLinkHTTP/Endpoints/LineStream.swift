package import DeepLinkAuthentication
package import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
package import HTTPServer
import HummingbirdCore
import NIOCore

/// The rules for streams of lines: their duration, their bytes, and the authorization of their callers.
///
/// The response to a body of lines is written as the lines arrive, so that memory doesn't grow with their number.
/// During the stream, its caller must remain authorized, its duration must stay within the limit, and its bytes must
/// fit into the budget of all connections. Otherwise a line with the problem ends it.
package struct LineStreamRules: Sendable {
    /// The number of response bytes to buffer before they are sent.
    private static let chunkByteCount = 32 * 1024

    /// The server's load, with the maximum duration of a stream and the common byte budget.
    let load: ServerLoad

    let authentication: Authentication
    let now: @Sendable () -> Timestamp

    /// Creates rules from their parts.
    package init(load: ServerLoad, authentication: Authentication, now: @escaping @Sendable () -> Timestamp) {
        self.load = load
        self.authentication = authentication
        self.now = now
    }

    /// Answers lines one by one, from users' levels.
    ///
    /// The head of the response warns if levels may be out of date, since lines cannot have header fields.
    func respond(
        to call: EndpointRequest,
        fromLevelsOf resolver: LinkResolver,
        _ answer: @escaping @Sendable (LineSplitter.Line) async -> [UInt8]
    ) -> EndpointResponse {
        let response = respond(to: call) { next in
            var chunk = ByteBuffer()
            while chunk.readableBytes < Self.chunkByteCount, let line = next() {
                chunk.writeLine(await answer(line))
            }
            return chunk
        }
        return resolver.levels.mayBeStale ? response.adding(UserLevel.staleFields) : response
    }

    /// Answers lines in batches, so that other writers can run in between.
    func respond(
        toBatchesOf call: EndpointRequest,
        _ answer: @escaping @Sendable ([LineSplitter.Line]) async -> ByteBuffer
    ) -> EndpointResponse {
        respond(to: call) { next in
            var batch: [LineSplitter.Line] = []
            while batch.count < BatchLimits.size, let line = next() { batch.append(line) }
            return await answer(batch)
        }
    }

    /// Answers lines of the body.
    ///
    /// - Parameters:
    ///   - call: the request.
    ///   - answer: consumes some of the lines that have arrived, one by one, and returns their responses, or nothing if
    ///     no line is left. It is called repeatedly until then, whenever lines have arrived and at the end.
    /// - Returns: the stream of these responses.
    private func respond(
        to call: EndpointRequest,
        _ answer: @escaping @Sendable (_ next: () -> LineSplitter.Line?) async throws -> ByteBuffer
    ) -> EndpointResponse {
        EndpointResponse(
            stream: ResponseBody { writer in
                var lines = LineSplitter(maximumByteCount: JSONObjectBody.maximumByteCount)
                var kept = ReservedBytes(of: load.arriving)
                let lifetime = load.maximumStreamDuration
                let end = ContinuousClock.now + lifetime
                guard let body = call.lines else { return try await writer.finish(nil) }
                for try await buffer in body {
                    do {
                        try await checkCaller(of: call)
                        guard ContinuousClock.now < end else { throw Problem.streamTooLong(lifetime) }
                        guard kept.become(lines.pendingByteCount + buffer.readableBytes) else {
                            throw Problem.tooManyBytes
                        }
                    } catch let problem as Problem {
                        var line = ByteBuffer()
                        line.writeLine(problem.identified(by: call.head.id).json)
                        try await writer.write(line)
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

    /// Checks that a caller is still authorized, since a stream may outlast a token, or the time when the server was
    /// open.
    ///
    /// - Throws: `Problem` with the code `authentication-required`.
    func checkCaller(of call: EndpointRequest) async throws(Problem) {
        _ = try await authentication.caller(AuthorizationField(call.head.fields.authorization), at: now())
    }
}

extension ByteBuffer {
    /// Writes JSON as a line.
    mutating func writeLine(_ json: [UInt8]) {
        writeBytes(json)
        writeInteger(UInt8(ascii: "\n"))
    }
}
