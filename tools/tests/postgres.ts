import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const script = join(root, '.ci', 'postgres.sh')

/** Starts a throw-away server; the last line that the script prints is its address. */
function startServer(): string {
  const said = spawnSync(script, [], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  const url = said.stdout?.trim().split('\n').at(-1) ?? ''
  if (said.status !== 0 || !url.startsWith('postgres')) {
    throw new Error('no PostgreSQL could be started; name one by DATABASE_URL')
  }
  return url
}

/**
 * The tests of the server once more, on a real PostgreSQL: the one that `DATABASE_URL` names, or a throw-away one. Only the
 * server can reach a database (the map of imports says so), so the other packages have nothing to add.
 */
const names = process.argv.slice(2)
const given = process.env['DATABASE_URL']
const url = given ?? startServer()
console.log(`Tests on ${url.replace(/:[^:@/]*@/, ':…@')}`)
const tested = spawnSync(
  process.execPath,
  [join(root, 'tools', 'launch', 'test.mjs'), ...(names.length > 0 ? names : ['packages/server/'])],
  { stdio: 'inherit', env: { ...process.env, DATABASE_URL: url } },
)
if (!given) spawnSync(script, ['stop', url], { stdio: 'inherit' })
process.exitCode = tested.status ?? 1
