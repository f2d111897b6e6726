import { documentsBuild, ensureBuilt, prepareConsoleFolder, startConsoleBuild } from './builds.mjs'
import { ensureInstalled } from './install.mjs'
import { runAsChild, nodeFlags, runOrExit, pickNode, root, serverEnvironment } from './node.mjs'

runOrExit(() => {
  ensureInstalled(root, { dev: false })
  const [node, flags] = [pickNode(), nodeFlags()]
  ensureBuilt(root, documentsBuild, node, flags)
  prepareConsoleFolder(root)
  runAsChild(node, [...flags, 'packages/server/src/main.ts', ...process.argv.slice(2)], {
    extra: serverEnvironment(process.env),
    // It installs packages, and would take one of two cores from the start.
    onReady: () => startConsoleBuild(root),
  })
})
