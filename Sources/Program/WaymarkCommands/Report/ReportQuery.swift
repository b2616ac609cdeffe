import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import NIOCore

/// The request for a server's resolution report.
struct ReportQuery {
    let address: ServerAddress
    let token: String?

    /// Returns the report.
    ///
    /// - Throws: ``CommandError`` of code 69 if no server answers, and of code 1 if it refuses the request.
    func answer() async throws -> ResolutionReport {
        let (status, body): (Int, [UInt8])
        do {
            (status, body) = try await ServerRequest(
                address: address,
                path: "/v1/report",
                timeout: .seconds(10),
                token: token
            )
            .response()
        } catch let error as CommandError {
            throw error
        } catch {
            // The library's description has names of its source files instead of a reason.
            let message =
                address.trust == nil
                ? "no server answers on \(address.text)."
                : "no server answers over TLS on \(address.text), or its certificate is not accepted. Name a file of your "
                    + "own authorities by --authorities."
            throw CommandError.unavailable(message)
        }
        guard status == 200 else {
            var detail = "status \(status)"
            if case .object(let problem)? = try? JSONParser.parse(body), case .string(let text)? = problem["detail"] {
                detail = text
            }
            throw CommandError.no("\(address.text): \(detail)")
        }
        guard let json = try? JSONParser.parse(body), let report = try? ResolutionReport(json) else {
            throw CommandError.badData("\(address.text) answers with no report.")
        }
        return report
    }
}
