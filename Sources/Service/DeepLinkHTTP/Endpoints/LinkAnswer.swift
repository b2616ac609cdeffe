import DeepLinkFormats
import HTTPTypes

/// The answer to a link, written.
enum LinkAnswer {
    /// The plan.
    case plan([UInt8])

    /// The problem of a link that the user may not follow.
    case denial([UInt8])

    /// The answer as JSON.
    var json: [UInt8] {
        switch self {
        case .plan(let json), .denial(let json): json
        }
    }

    /// The response of an endpoint for one link, with further fields.
    func response(fields: HTTPFields = HTTPFields()) -> EndpointResponse {
        switch self {
        case .plan(let json): EndpointResponse(json: json, fields: fields)
        case .denial(let json):
            EndpointResponse(problem: .insufficientAuthorizationLevel, json: json, fields: fields)
        }
    }
}
