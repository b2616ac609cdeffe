import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPServer
import HTTPTypes
import NIOCore

/// The endpoint for a stream of requests, one JSON object a line: `POST /v1/resolve/batch`.
///
/// Each line gets the body that `POST /v1/resolve` would give, in order. A malformed line gets its problem, and the
/// stream continues. Lines are answered as they arrive, so that memory doesn't grow with their number.
struct BatchEndpoint {
    /// The number of response bytes to buffer before they are sent.
    private static let chunkByteCount = 32 * 1024

    /// The answers to links.
    let answers: RecentAnswers

    /// The rules for streams of lines.
    let streams: LineStreamRules

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .post,
                "/v1/resolve/batch",
                access: .resolving,
                body: .lines,
                produces: .ndjson,
                handler: .later { call in
                    // An invalid user is invalid for every line, so the whole request is refused immediately.
                    _ = try call.user(named: nil)
                    return respond(to: call)
                }
            )
        ]
    }

    private func respond(to call: EndpointRequest) -> EndpointResponse {
        LineStream(of: call, under: streams)
            .respond(fromLevelsOf: answers.resolver) { next in
                var chunk = ByteBuffer()
                while chunk.readableBytes < Self.chunkByteCount, let line = next() {
                    chunk.writeBytes(await answer(line, of: call))
                }
                return chunk
            }
    }

    private func answer(_ line: LineSplitter.Line, of call: EndpointRequest) async -> [UInt8] {
        let json: [UInt8]
        do throws(Problem) {
            guard case .whole(let bytes) = line else { throw JSONObjectBody.tooLarge }
            let body = try JSONObjectBody(bytes, keys: ResolveArguments.names)
            let named = try ResolveArguments(
                body: body,
                terms: call.head.terms,
                caller: call.caller,
                catalog: call.catalog,
                recent: answers.links
            )
            let arguments = try await answers.followed(named, in: call).get()
            let level = try await answers.resolver.level(for: arguments, in: call).get()
            json = try answers.answer(for: arguments, at: level, in: call).json
        } catch {
            json = error.identified(by: call.head.id).json
        }
        return json + [UInt8(ascii: "\n")]
    }
}
