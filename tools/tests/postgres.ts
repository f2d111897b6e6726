import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { withServer } from '../postgres-server.ts'

const root = join(import.meta.dirname, '..', '..')

/**
 * The tests of the server that open a database once more, on a real PostgreSQL: the one that `DATABASE_URL` names, or a throw-away one.
 * Nothing else can reach a database (the map of imports says so), and the embedded one has nothing to add.
 */
const names = process.argv.slice(2)
process.exitCode = await withServer((url) => {
  console.log(`Tests on ${url.replace(/:[^:@/]*@/, ':…@')}`)
  const tested = spawnSync(
    process.execPath,
    [
      join(root, 'tools', 'launch', 'test.mjs'),
      ...(names.length > 0 ? names : ['packages/server/', '!platform/database/embedded/', '--only-database']),
    ],
    { stdio: 'inherit', env: { ...process.env, DATABASE_URL: url } },
  )
  return tested.status ?? 1
})
