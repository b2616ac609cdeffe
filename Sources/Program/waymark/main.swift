import WaymarkServer

await WaymarkCommand.run()
