/// The version of this program (semver.org), which `waymark --version`, `/healthz` and the log tell.
///
/// A release changes it here, the heading in `CHANGELOG.md` and `info.version` of the API's document; a test holds the
/// three together.
enum Version {
    /// The version as text.
    static let text = "1.0.0-beta"
}
