/// The version of this program (semver.org), in `waymark --version`, `/healthz` and the log.
///
/// A release changes it here, in the heading of `CHANGELOG.md` and in `info.version` of the API's document. A test
/// requires that the three agree.
package enum Version {
    /// The version as text.
    package static let text = "1.1.0"
}
