import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { withPostgresServer } from '../postgres-server.ts'

const root = join(import.meta.dirname, '..', '..')

/**
 * Runs the server tests that open a database, or those of the given names, on a real PostgreSQL: the one of `DATABASE_URL`,
 * or a temporary one.
 */
const names = process.argv.slice(2)
process.exitCode = await withPostgresServer((url) => {
  console.log(`Tests on ${url.replace(/:[^:@/]*@/, ':…@')}`)
  const result = spawnSync(
    process.execPath,
    [join(root, 'tools', 'launch', 'test.mjs'), ...(names.length > 0 ? names : ['packages/server/', '--on-server'])],
    { stdio: 'inherit', env: { ...process.env, DATABASE_URL: url } },
  )
  return result.status ?? 1
})
