// run.mjs [node flags] <file> [arguments]: runs a TypeScript file of the project with the right Node and installed packages.
import { ensureInstalled } from './install.mjs'
import { become, nodeFlags, orSayWhy, pickNode, root } from './node.mjs'

orSayWhy(() => {
  const words = process.argv.slice(2)
  if (!words.some((word) => !word.startsWith('-'))) throw new Error('Which file? For example: run.mjs tools/check.ts')
  ensureInstalled(root, { dev: true })
  become(pickNode(), [...nodeFlags(), ...words])
})
