import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { withPostgresServer } from '../postgres-server.ts'

const root = join(import.meta.dirname, '..', '..')

/**
 * Runs the server tests that open a database on a real PostgreSQL: the one of `DATABASE_URL`, or a temporary one. No other
 * package can access a database (see tools/tidy/boundaries.ts); tests of the embedded database are excluded.
 */
const names = process.argv.slice(2)
process.exitCode = await withPostgresServer((url) => {
  console.log(`Tests on ${url.replace(/:[^:@/]*@/, ':…@')}`)
  const result = spawnSync(
    process.execPath,
    [
      join(root, 'tools', 'launch', 'test.mjs'),
      ...(names.length > 0 ? names : ['packages/server/', '!platform/database/embedded/', '--only-database']),
    ],
    { stdio: 'inherit', env: { ...process.env, DATABASE_URL: url } },
  )
  return result.status ?? 1
})
