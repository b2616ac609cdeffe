import DeepLinkStore
import ServiceLifecycle

/// Runs the upkeep of the store beside the server, and ends it with the server.
struct StoreUpkeepService: Service {
    let upkeep: StoreUpkeep

    func run() async {
        await cancelWhenGracefulShutdown { await upkeep.run() }
    }
}
