import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import DeepLinkStorage

extension LinkResolver {
    /// Follows the code that a request names, without waiting.
    ///
    /// - Parameters:
    ///   - arguments: the arguments, which get the target of a code. Those of any other link stay as they are, and are not
    ///     copied, since most requests have one.
    ///   - call: the request.
    /// - Returns: whether that is done; `false` if the store of short links has to be waited for.
    /// - Throws: `Problem` of a code that leads nowhere, or of a store that fails.
    func followAtHand(_ arguments: inout ResolveArguments, in call: EndpointRequest) throws(Problem) -> Bool {
        guard call.catalog.hasShortLinks else { return true }
        if case .known(let known) = arguments.memory {
            guard let followed = known.followed else { return true }
            if shortLinks?.isCurrent(followed) == true {
                arguments.lead(to: followed)
                return true
            }
        }
        guard let place = call.catalog.shortLinkPlace(in: arguments.request.link) else { return true }
        do throws(Problem) {
            guard let shortLinks else { throw .unknownShortLink() }
            guard let followed = try shortLinks.followedAtHand(place, by: call.caller, in: call.catalog) else {
                return false
            }
            arguments.lead(to: followed)
            return true
        } catch {
            throw failed(error, following: place, of: arguments, in: call)
        }
    }

    /// Follows the code that a request names, and waits for the store of short links if it has to.
    ///
    /// - Returns: the arguments with the target of the code, those of any other link as they are.
    /// - Throws: `Problem` of a code that leads nowhere, or of a store that fails.
    func followed(_ arguments: ResolveArguments, in call: EndpointRequest) async throws(Problem) -> ResolveArguments {
        var arguments = arguments
        if try followAtHand(&arguments, in: call) { return arguments }
        guard let shortLinks, let place = call.catalog.shortLinkPlace(in: arguments.request.link) else {
            return arguments
        }
        do throws(Problem) {
            arguments.lead(to: try await shortLinks.followed(place, by: call.caller, in: call.catalog))
            return arguments
        } catch {
            throw failed(error, following: place, of: arguments, in: call)
        }
    }

    /// Counts a code that leads nowhere, under its label and itself if it was ever made, and returns its problem.
    private func failed(
        _ problem: Problem,
        following place: ShortLinkPlace,
        of arguments: ResolveArguments,
        in call: EndpointRequest
    ) -> Problem {
        var marked = arguments
        marked.shortLink = shortLinks?.markAtHand(place)
        return failed(problem, resolving: marked, in: call)
    }

    /// Follows the code of an earlier request again, whose target may have changed since; while the store is away, it
    /// keeps its former target.
    ///
    /// - Throws: `Problem` of a code that leads nowhere by now.
    func followedAgain(_ request: ResolutionRequest, in call: EndpointRequest) async throws(Problem)
        -> ResolutionRequest
    {
        guard request.target != nil, let shortLinks, let place = call.catalog.shortLinkPlace(in: request.link) else {
            return request
        }
        do throws(Problem) {
            return request.leading(to: try await shortLinks.followed(place, by: call.caller, in: call.catalog).target)
        } catch {
            guard error.code == .userStateUnavailable else { throw error }
            return request
        }
    }
}
