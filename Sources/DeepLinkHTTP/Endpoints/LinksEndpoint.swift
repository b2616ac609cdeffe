import DeepLinkCore
import HTTPTypes
import Hummingbird

/// Builds the link that leads to a stack: `POST /v1/links`.
struct LinksEndpoint {
    let environment: ServiceEnvironment

    var endpoints: [Endpoint] {
        [
            Endpoint(method: .post, path: "/v1/links") { request, _ in
                _ = try FormQuery(request.rawQuery, names: [])
                let body = try await JSONObjectBody(request, keys: ["stack", "scheme"])
                return Response(LinkBody(link: try link(for: body)))
            }
        ]
    }

    private func link(for body: JSONObjectBody) throws(Problem) -> String {
        guard let value = body["stack"] else {
            throw .invalidRequest(field: "stack", .missing, "The body has no `stack`.")
        }
        let stack = try value.stack(field: "stack")
        guard !stack.isEmpty else {
            throw .invalidRequest(field: "stack", .invalidValue, "`stack` is empty; name at least its root.")
        }
        let scheme = try body.string("scheme")
        do throws(NoLink) {
            return try DeepLinkCore.link(to: stack, scheme: scheme, catalog: environment.catalog)
        } catch {
            throw Problem(error)
        }
    }
}
