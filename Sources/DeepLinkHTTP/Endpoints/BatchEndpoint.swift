import DeepLinkCore
import HTTPTypes
import Hummingbird
import NIOCore

/// Resolves a stream of questions, one JSON object a line: `POST /v1/resolve/batch`.
///
/// Every line gets the body that `POST /v1/resolve` would give, in order; a bad one gets its problem, and the
/// stream goes on. Lines are answered as they arrive, so the memory does not grow with their number.
struct BatchEndpoint {
    static let path = "/v1/resolve/batch"

    /// How many bytes of answers are gathered before they are sent.
    private static let chunkByteCount = 32 * 1024

    let environment: ServiceEnvironment

    var endpoints: [Endpoint] {
        [
            Endpoint(method: .post, path: Self.path) { request, _ in
                _ = try FormQuery(request.rawQuery, names: [])
                try MediaType.ndjson.require(request.headers[.contentType])
                // A user that is named wrongly is wrong for every line; say so at once.
                _ = try UserNaming.user(nil, request.headers)
                return respond(to: request)
            }
        ]
    }

    private func respond(to request: Request) -> Response {
        let headers = request.headers
        return Response(
            status: .ok,
            headers: [.contentType: MediaType.ndjson.rawValue],
            body: ResponseBody { writer in
                var lines = LineSplitter(maximumByteCount: JSONObjectBody.maximumByteCount)
                var answers = ByteBuffer()
                for try await buffer in request.body {
                    lines.append(buffer.readableBytesView)
                    while let line = lines.next() {
                        answers.writeBytes(answer(line, headers))
                        guard answers.readableBytes >= Self.chunkByteCount else { continue }
                        try await writer.write(answers)
                        answers.clear()
                    }
                    guard answers.readableBytes > 0 else { continue }
                    try await writer.write(answers)
                    answers.clear()
                }
                if let line = lines.last() { try await writer.write(ByteBuffer(bytes: answer(line, headers))) }
                try await writer.finish(nil)
            }
        )
    }

    private func answer(_ line: LineSplitter.Line, _ headers: HTTPFields) -> [UInt8] {
        let json: [UInt8]
        do throws(Problem) {
            guard case .whole(let bytes) = line else { throw JSONObjectBody.tooLarge }
            let body = try JSONObjectBody(bytes, keys: ResolveArguments.names)
            json = try LinkAnswer(environment: environment).plan(for: ResolveArguments(body, headers)).json
        } catch {
            json = error.json
        }
        return json + [UInt8(ascii: "\n")]
    }
}
