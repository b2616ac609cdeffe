# The sample app's catalog, where a route and a gate take newer apps.
s/^  step2: {/& since: { ios: "3.2", android: "4.0" },/
s/^  profile: {/& since: { ios: "9" },/
$a\
apps: { ios: [{ appID: ABCDE12345.com.example.app, storeID: 123456789 }] }
