import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const script = join(import.meta.dirname, '..', '.ci', 'postgres.sh')

/** Thrown if DATABASE_URL is not set and no server could be started. */
export class PostgresUnavailable extends Error {}

/** Starts a temporary server; the last line that the script prints is its URL. */
function startServer(): string {
  const result = spawnSync(script, [], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  const url = result.stdout?.trim().split('\n').at(-1) ?? ''
  if (result.status !== 0 || !url.startsWith('postgres')) {
    throw new PostgresUnavailable('PostgreSQL could not be started; set DATABASE_URL to use a running server')
  }
  return url
}

/** Runs the work with the coordinator of `SWATH_TEST_CITUS` or the PostgreSQL of `DATABASE_URL`, or with a temporary one that is stopped afterwards. */
export async function withPostgresServer<T>(work: (url: string) => T | Promise<T>): Promise<T> {
  const configuredUrl = process.env['SWATH_TEST_CITUS']?.split(',')[0] || process.env['DATABASE_URL']
  return configuredUrl ? work(configuredUrl) : withTemporaryPostgres(work)
}

/** Runs the work with a temporary server, whatever is configured. */
export async function withTemporaryPostgres<T>(work: (url: string) => T | Promise<T>): Promise<T> {
  const url = startServer()
  try {
    return await work(url)
  } finally {
    spawnSync(script, ['stop', url], { stdio: ['ignore', 'ignore', 'inherit'] })
  }
}
