// run.mjs [--dev] [node flags] <file> [arguments]: runs a TypeScript file of the project with the right Node and installed packages,
// with --dev those of development, too.
import { commandsBuild, documentsBuild, ensureBuilt } from './builds.mjs'
import { ensureInstalled } from './install.mjs'
import { runAsChild, nodeFlags, runOrExit, pickNode, root } from './node.mjs'

runOrExit(() => {
  const words = process.argv.slice(2)
  const dev = words[0] === '--dev'
  const args = dev ? words.slice(1) : words
  if (!args.some((word) => !word.startsWith('-'))) throw new Error('Which file? For example: run.mjs tools/check.ts')
  ensureInstalled(root, { dev })
  const [node, flags] = [pickNode(), nodeFlags()]
  for (const build of [documentsBuild, commandsBuild]) ensureBuilt(root, build, node, flags)
  runAsChild(node, [...flags, ...args])
})
