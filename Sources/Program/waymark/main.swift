import WaymarkCommands

await WaymarkCommand.run()
