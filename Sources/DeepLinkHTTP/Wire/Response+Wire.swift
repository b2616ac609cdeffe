import DeepLinkFormats
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// Answers with a JSON body.
    init(_ body: some WireBody, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) {
        self.init(json: ByteBuffer(bytes: body.json), status: status, headers: headers)
    }

    /// Answers with a problem.
    init(_ problem: Problem) {
        self.init(
            json: ByteBuffer(bytes: problem.json),
            mediaType: "application/problem+json",
            status: problem.code.status,
            headers: problem.headers
        )
    }

    /// Answers with JSON that is written already.
    init(
        json: ByteBuffer,
        mediaType: String = "application/json",
        status: HTTPResponse.Status = .ok,
        headers: HTTPFields = [:]
    ) {
        var headers = headers
        headers[.contentType] = mediaType
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: json))
    }
}
