import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes
import Hummingbird
import NIOCore

/// A stream of questions, one JSON object a line: `POST /v1/resolve/batch`.
///
/// Every line gets the body that `POST /v1/resolve` would give, in order; a bad one gets its problem, and the
/// stream goes on. Lines are answered as they arrive, so the memory does not grow with their number.
enum BatchEndpoint {
    /// How many bytes of answers are gathered before they are sent.
    private static let chunkByteCount = 32 * 1024

    static let endpoints = [
        Endpoint(
            .post,
            "/v1/resolve/batch",
            access: .resolving,
            body: .lines,
            produces: .ndjson,
            .later { call in
                // A user that is named wrongly is wrong for every line; say so at once.
                _ = try call.user(named: nil)
                return respond(to: call)
            }
        )
    ]

    private static func respond(to call: EndpointRequest) -> EndpointResponse {
        EndpointResponse(
            stream: ResponseBody { writer in
                var lines = LineSplitter(maximumByteCount: JSONObjectBody.maximumByteCount)
                var answers = ByteBuffer()
                var kept = KeptBytes(of: call.environment.load.arriving)
                let lifetime = call.environment.load.maximumStreamDuration
                let end = ContinuousClock.now + lifetime
                guard let body = call.lines else { return try await writer.finish(nil) }
                for try await buffer in body {
                    do {
                        try await call.checkCaller()
                        guard ContinuousClock.now < end else { throw Problem.streamTooLong(lifetime) }
                        guard kept.become(lines.pendingByteCount + buffer.readableBytes) else {
                            throw Problem.tooManyBytes
                        }
                    } catch let problem as Problem {
                        try await writer.write(ByteBuffer(bytes: problem.json + [UInt8(ascii: "\n")]))
                        try await writer.finish(nil)
                        return
                    }
                    lines.append(buffer.readableBytesView)
                    while let line = lines.next() {
                        answers.writeBytes(answer(line, call))
                        guard answers.readableBytes >= chunkByteCount else { continue }
                        try await writer.write(answers)
                        answers.clear()
                    }
                    guard answers.readableBytes > 0 else { continue }
                    try await writer.write(answers)
                    answers.clear()
                }
                if let line = lines.last() { try await writer.write(ByteBuffer(bytes: answer(line, call))) }
                try await writer.finish(nil)
            },
            .ndjson
        )
    }

    private static func answer(_ line: LineSplitter.Line, _ call: EndpointRequest) -> [UInt8] {
        let json: [UInt8]
        do throws(Problem) {
            guard case .whole(let bytes) = line else { throw JSONObjectBody.tooLarge }
            let body = try JSONObjectBody(bytes, keys: ResolveArguments.names)
            json = try LinkResolver(call).plan(for: ResolveArguments(body, call.head.fields.user, call.caller)).json
        } catch {
            json = error.json
        }
        return json + [UInt8(ascii: "\n")]
    }
}
