import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const script = join(import.meta.dirname, '..', '.ci', 'postgres.sh')

/** Thrown where no server was named and none could be started. */
export class NoServer extends Error {}

/** Starts a throw-away server; the last line that the script prints is its address. */
function startServer(): string {
  const said = spawnSync(script, [], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  const url = said.stdout?.trim().split('\n').at(-1) ?? ''
  if (said.status !== 0 || !url.startsWith('postgres')) {
    throw new NoServer('no PostgreSQL could be started; name one by DATABASE_URL')
  }
  return url
}

/** Works with the PostgreSQL that `DATABASE_URL` names, or with a throw-away one that ends with the work. */
export async function withServer<T>(work: (url: string) => T | Promise<T>): Promise<T> {
  const given = process.env['DATABASE_URL']
  const url = given || startServer()
  try {
    return await work(url)
  } finally {
    if (!given) spawnSync(script, ['stop', url], { stdio: ['ignore', 'ignore', 'inherit'] })
  }
}
