// run.mjs [node flags] <file> [words]: any TypeScript file of the project, on the right Node, with its packages installed.
import { ensureInstalled } from './install.mjs'
import { become, nodeFlags, orSayWhy, pickNode, root } from './node.mjs'

orSayWhy(() => {
  const words = process.argv.slice(2)
  if (!words.some((word) => !word.startsWith('-'))) throw new Error('Which file? For example: run.mjs tools/check.ts')
  ensureInstalled(root, { dev: true })
  become(pickNode(), [...nodeFlags(), ...words])
})
