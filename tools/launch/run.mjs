// run.mjs [node flags] <file> [arguments]: runs a TypeScript file of the project with the right Node and installed packages.
import { ensureInstalled } from './install.mjs'
import { runAsChild, nodeFlags, runOrExit, pickNode, root } from './node.mjs'

runOrExit(() => {
  const args = process.argv.slice(2)
  if (!args.some((word) => !word.startsWith('-'))) throw new Error('Which file? For example: run.mjs tools/check.ts')
  ensureInstalled(root, { dev: true })
  runAsChild(pickNode(), [...nodeFlags(), ...args])
})
