import ArgumentParser
import DeepLinkAuthentication
import DeepLinkCore
import Foundation
import WaymarkOffline

/// The command that signs a catalog for apps that resolve links on the device.
struct CatalogBundleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle",
        abstract: "Signs a catalog for apps that resolve links on the device.",
        discussion: """
            Writes the bundle, and next to it its signature with the file name extension `.sig`. Prints the public key \
            that the app has to trust. Run it where the private key is safe, such as CI. A server needs only the \
            output.

            openssl genpkey -algorithm ed25519 -out bundle.key
            waymark catalog bundle Config/routes.yaml --key bundle.key --sequence 7 --output catalog.bundle

            The number has to increase with every bundle, since apps refuse a lower one than their own.

            Apps with an engine of 1.0 refuse a bundle of several apps. --app writes a bundle for one app, with its \
            routes and those of every app.
            """
    )

    @Argument(help: "The catalog. Default: the catalog of the settings.")
    var file: String?

    @Option(help: ArgumentHelp("The private key, Ed25519 in PEM.", valueName: "file"))
    var key: String

    @Option(help: "The number of the bundle.")
    var sequence: Int

    @Option(help: ArgumentHelp("The bundle to write.", valueName: "file"))
    var output: String = "catalog.bundle"

    @Option(help: ArgumentHelp("The app to write the bundle for, by its name in the catalog.", valueName: "name"))
    var app: AppArgument?

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        guard sequence >= 0 else { throw ValidationError("--sequence is a number from 0 on.") }
    }

    func run() async throws {
        let whole = try shared.workspace(overriding: [.catalog: file]).catalog()
        let catalog = try app?.catalog(of: whole) ?? whole
        let pem = try InputFile.read(key)
        if let fault = KeyFileRights.fault(ofFileAt: key) { throw CommandError.badData(fault) }
        guard let signer = BundleSigningKey(pem: pem) else {
            throw CommandError.badData(
                "\(key) isn't an Ed25519 key in PEM. `openssl genpkey -algorithm ed25519 -out \(key)` makes one."
            )
        }
        let bytes = CatalogBundle.bytes(of: catalog, sequence: sequence, issuedAt: SystemClock.now())
        let signature = try signer.signature(of: bytes)
        do {
            // A server that sees the new bundle already has the new signature. Until then it refuses the mismatch.
            try Data(signature.json).write(to: URL(fileURLWithPath: output + ".sig"), options: .atomic)
            try Data(bytes).write(to: URL(fileURLWithPath: output), options: .atomic)
        } catch {
            throw CommandError.unavailable("cannot write \(output).")
        }
        print("\(output): catalog \(catalog.version), sequence \(sequence)")
        print("key \(signer.publicKey.id): \(signer.publicKey.text)")
        StandardError.print("waymark: \(output) has \(bytes.count) bytes, which each app loads.")
        let refused = FirstEngineKeys.refused(by: bytes)
        guard !refused.isEmpty else { return }
        let advice = catalog.apps.named.isEmpty ? "" : " Write one for each app with --app."
        StandardError.print(
            "waymark: engines of 1.0 refuse this bundle because of \(refused.map { "`\($0)`" }.joined(separator: ", "))."
                + advice
        )
    }
}
