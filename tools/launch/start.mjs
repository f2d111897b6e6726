import { documentsBuild, ensureBuilt, startConsoleBuild } from './builds.mjs'
import { ensureInstalled, runStep } from './install.mjs'
import {
  runAsChild,
  nodeFlags,
  runOrExit,
  pickNode,
  prepareDatabaseTemplate,
  root,
  serverEnvironment,
} from './node.mjs'

runOrExit(() => {
  if (ensureInstalled(root, { dev: false }))
    runStep('Preparing the embedded database (once)', () => prepareDatabaseTemplate(pickNode()))
  const [node, flags] = [pickNode(), nodeFlags()]
  ensureBuilt(root, documentsBuild, node, flags)
  runAsChild(node, [...flags, 'packages/server/src/main.ts', ...process.argv.slice(2)], serverEnvironment(process.env))
  startConsoleBuild(root)
})
