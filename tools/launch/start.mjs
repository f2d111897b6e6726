import { ensureInstalled } from './install.mjs'
import { become, nodeFlags, orSayWhy, pickNode, prepare, root, serverEnvironment } from './node.mjs'

orSayWhy(() => {
  if (ensureInstalled(root, { dev: false })) prepare(pickNode())
  become(
    pickNode(),
    [...nodeFlags(), 'packages/server/src/main.ts', ...process.argv.slice(2)],
    serverEnvironment(process.env),
  )
})
