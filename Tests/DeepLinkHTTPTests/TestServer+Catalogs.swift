/// The catalogs that few circumstances share.
extension TestServer {
    static let twoSheets = """
        version: 1
        origins: [{ scheme: nav }]
        entry: { home: root, order: root }
        routes:
          home: { opens: { help: sheet, tour: popover } }
          help: { query: help }
          tour: { query: tour }
          order: { parameters: { id: { type: int, required: true } } }
        """

    static let appVersions = """
        version: 1
        origins: [{ scheme: shop }, { scheme: https, hosts: [shop.example] }]
        gates: { onboardingCompleted: /hello, signedInUser: /login, premiumUser: /hello }
        apps: { ios: [{ appID: ABCDE12345.com.example.shop, storeID: 123456789 }] }
        entry: { home: root, login: root, hello: root }
        routes:
          home: { path: "", opens: { offers: push, basket: { presentation: sheet, since: { ios: "3.10" } } } }
          hello: {}
          login: { since: { android: 2 } }
          offers: { since: { ios: "3.2", android: "4.0" } }
          basket: { since: { ios: "3.2" }, authorizationLevel: signedInUser }
        """

    static let namedApps = """
        version: 1
        origins: [{ scheme: ride }, { scheme: https, hosts: [ride.example] }]
        gates: { signedInUser: /login }
        apps:
          rider: { was: unnamed, ios: [{ appID: ABCDE12345.com.example.rider, storeID: 111111111 }] }
          driver: { ios: [{ appID: ABCDE12345.com.example.driver, storeID: 222222222 }] }
        entry: { home: { presentation: root, initial: true }, login: root }
        routes:
          home: { path: "", opens: { help: push, trips: push, shifts: sheet } }
          login: {}
          help: {}
          trips: { app: rider, since: { ios: "3.2", rider.android: "7" } }
          shifts: { app: driver, since: { driver.ios: "4.0" }, authorizationLevel: signedInUser }
        """

    static let twoWays = """
        version: 1
        origins: [{ scheme: shop }]
        entry: { tabs: root }
        routes:
          tabs: { path: "", opens: { home: { presentation: tab, initial: true }, search: tab } }
          home: { opens: { product: push, cart: sheet } }
          search: { opens: { product: push } }
          product: { path: "product/{id}", parameters: { id: int }, opens: { review: sheet } }
          review: {}
          cart: {}
        """

    static let shortLinks = """
        version: 1
        origins:
          - { scheme: https, hosts: [shop.example] }
          - { scheme: https, hosts: [go.example, g.example], shortLinks: true }
          - { scheme: shop, authority: segment }
        gates: { signedInUser: /login }
        web: { fallback: "https://www.shop.example/", hosts: [www.shop.example] }
        entry: { login: root, home: root }
        routes:
          login: {}
          home: { path: "", opens: { product: push, offer: push, gift: push, account: sheet } }
          account: { authorizationLevel: signedInUser }
          gift: { path: "gift/{to}", parameters: { to: string }, signed: true }
          offer: { path: "offer/{id}", parameters: { id: int }, shortLink: { length: 16, within: 30d } }
          product: { path: "product/{id}", parameters: { id: int }, web: { title: "Product" } }
        """

    static let prefixed = """
        version: 1
        origins: [{ scheme: https, hosts: [links.example], pathPrefix: /app }]
        entry: { home: root }
        routes: { home: {} }
        """
}
