import DeepLinkCore
import DeepLinkFormats

/// The hosts at which the console is answered: all but those of https origins.
///
/// Their web links may be made by anyone: a stranger's page and an admin's token never share an origin.
struct ConsoleHosts {
    /// The catalog in force, whose hosts have no console.
    let catalog: LiveCatalog

    /// The hosts at which the server answers.
    let hosts: HostSettings

    /// The hosts of https origins, with their ports, at which the console is answered all the same.
    let added: [String]

    /// Requires the host of a request to be one of those.
    ///
    /// - Throws: `Problem` of code `not-found`.
    func check(_ head: RequestHead) throws(Problem) {
        guard isAnswered(at: head.fields.host.first ?? "") else { throw nothing(for: head) }
    }

    /// Returns the problem for a file that is not there, at the host of a request.
    func nothing(for head: RequestHead) -> Problem {
        let authority = head.fields.host.first ?? ""
        return Problem(.notFound, detail: "There is no such file of the console at the host `\(authority)`.")
    }

    private func isAnswered(at authority: String) -> Bool {
        guard let host = hosts.policy(for: catalog.current).originHost(authority) else { return true }
        return added.contains { Origin.host($0, ofScheme: "https").bytewise == host.bytewise }
    }
}
