import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// Answers with a JSON body.
    init(_ body: some WireBody, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) {
        self.init(json: body.json, mediaType: "application/json", status: status, headers: headers)
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

    private init(json: [UInt8], mediaType: String, status: HTTPResponse.Status, headers: HTTPFields) {
        var headers = headers
        headers[.contentType] = mediaType
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }
}
