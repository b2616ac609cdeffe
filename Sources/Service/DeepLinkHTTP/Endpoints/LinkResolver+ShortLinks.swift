import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import DeepLinkStorage

extension LinkResolver {
    /// Follows the code that a request names.
    ///
    /// - Returns: The arguments with the target of the code. The arguments of any other link stay as they are.
    /// - Throws: `Problem` of a code without a link, or of a store that fails.
    func followed(
        _ arguments: consuming ResolveArguments,
        in call: EndpointRequest
    ) throws(Problem) -> Answer<ResolveArguments> {
        guard call.catalog.hasShortLinks else { return .ready(arguments) }
        guard let place = call.catalog.shortLinkPlace(in: arguments.request.link) else { return .ready(arguments) }
        let named = arguments
        do throws(Problem) {
            guard let shortLinks else { throw .unknownShortLink() }
            switch try shortLinks.followed(place, by: call.caller, in: call.catalog) {
            case .ready(let followed): return .ready(named.leading(to: followed))
            case .waiting(let wait):
                return .waiting { [self] in
                    do {
                        return named.leading(to: try await wait())
                    } catch {
                        throw failed(.ofWait(error), following: place, of: named, in: call)
                    }
                }
            }
        } catch {
            throw failed(error, following: place, of: named, in: call)
        }
    }

    /// Counts a code that does not resolve, under its label and itself if it was ever created, and returns its problem.
    private func failed(
        _ problem: Problem,
        following place: ShortLinkPlace,
        of arguments: ResolveArguments,
        in call: EndpointRequest
    ) -> Problem {
        var marked = arguments
        marked.shortLink = shortLinks?.cachedMark(place)
        // A link without a target has not arrived.
        marked.arrival = nil
        return failed(problem, resolving: marked, in: call)
    }

    /// Follows the code of an earlier request again, since its target may have changed.
    ///
    /// While the store is unavailable, it keeps its former target.
    ///
    /// - Throws: `Problem` if the code no longer resolves.
    func followedAgain(_ request: ResolutionRequest, in call: EndpointRequest) async throws(Problem)
        -> ResolutionRequest
    {
        guard request.target != nil, let shortLinks, let place = call.catalog.shortLinkPlace(in: request.link) else {
            return request
        }
        do throws(Problem) {
            return request.leading(
                to: try await shortLinks.followed(place, by: call.caller, in: call.catalog).get().target
            )
        } catch {
            guard error.code == .userStateUnavailable else { throw error }
            return request
        }
    }
}
