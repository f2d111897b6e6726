import { ensureInstalled } from './install.mjs'
import { become, flags, orSayWhy, pickNode, root } from './node.mjs'

orSayWhy(() => {
  ensureInstalled(root, { dev: false })
  become(pickNode(), [...flags, 'packages/server/src/main.ts', ...process.argv.slice(2)])
})
