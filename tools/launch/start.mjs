import { ensureConsole } from './console.mjs'
import { ensureInstalled } from './install.mjs'
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
  if (ensureInstalled(root, { dev: false })) prepareDatabaseTemplate(pickNode())
  const node = pickNode()
  const flags = nodeFlags()
  ensureConsole(root, node, flags)
  runAsChild(node, [...flags, 'packages/server/src/main.ts', ...process.argv.slice(2)], serverEnvironment(process.env))
})
