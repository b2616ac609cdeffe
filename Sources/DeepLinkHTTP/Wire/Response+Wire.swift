import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// Answers with a JSON body.
    init(_ body: some WireBody, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) {
        self.init(json: body.json, status: status, headers: headers)
    }

    /// Answers with a problem.
    init(_ problem: Problem) {
        self.init(
            json: problem.json,
            mediaType: "application/problem+json",
            status: problem.code.status,
            headers: problem.headers
        )
    }

    /// Answers with JSON that is written already.
    init(
        json: [UInt8],
        mediaType: String = "application/json",
        status: HTTPResponse.Status = .ok,
        headers: HTTPFields = [:]
    ) {
        var headers = headers
        headers[.contentType] = mediaType
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }
}
