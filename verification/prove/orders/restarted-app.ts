import { mkdir } from 'node:fs/promises'
import { createClient } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { createApp, type App } from '../../../packages/server/src/app.ts'
import { createLogger } from '../../../packages/server/src/platform/log.ts'
import { readServerConfig, type Config } from '../../../packages/server/src/platform/config.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { createTestCrypto } from '../../../packages/server/test/test-crypto.ts'
import type { TestApp } from '../../../packages/server/test/test-app.ts'
import { checkSandbox } from './check-sandbox.ts'
import { parallel_walks } from './walk.ts'

export interface RestartedAppOptions {
  /** Opens the database of the configuration; absent: as the product does. */
  readonly openDatabase?: (config: Config) => Promise<Database>
  /** Adds routes before the server listens. */
  readonly addRoutes?: (app: App, testApp: () => TestApp) => void
}

/** Starts the application of a process of a proof, on the data that the one before it left. */
export async function startRestartedApp({ openDatabase, addRoutes }: RestartedAppOptions = {}): Promise<TestApp> {
  const config = readServerConfig()
  await mkdir(config.data_dir, { recursive: true, mode: 0o700 })
  const log = createLogger({ level: config.log_level })
  const database = openDatabase ? { database: await openDatabase(config) } : {}
  const app = await createApp({ config, log, ...database, ...createTestCrypto() })
  let started: TestApp | null = null
  addRoutes?.(app, () => started!)
  const url = await app.start()
  const createClientFor: TestApp['createClientFor'] = (username, password) =>
    createClient({ baseUrl: url, token: createTokenSource(url, { username, password }) })
  const admin = createClientFor(config.admin_email, config.admin_password ?? '')
  started = { ...app, url, admin, createClientFor, close: () => app.stop() }
  return started
}

/** The sandboxes that a kill may have interrupted. */
export const listNewestSandboxes = async ({ database }: Pick<TestApp, 'database'>): Promise<string[]> => {
  const rows = await database.unscoped.query<{ organization_id: string }>(sql`
    select organization_id from sandboxes order by organization_id desc limit ${parallel_walks}`)
  return rows.map(({ organization_id }) => organization_id)
}

/** Ends the calls of the killed process, which would be in flight for a quarter of a minute. */
export async function endCallsInFlight({ unscoped }: Database): Promise<void> {
  await unscoped.query(sql`
    update idempotency_claims set locked_at = locked_at - interval '16 seconds' where locked_at is not null`)
}

/**
 * Checks the state that a killed process left, and ends its leases without waiting for them. Returns the violations.
 */
export async function checkInterrupted(app: Pick<TestApp, 'database'>): Promise<string[]> {
  const { unscoped } = app.database
  await unscoped.query(sql`update sandboxes set lease_id = null, lease_until = null`)
  await endCallsInFlight(app.database)
  const violations: string[] = []
  for (const organization of await listNewestSandboxes(app))
    for (const text of await checkSandbox(app.database, organization))
      violations.push(`after a kill, ${organization}: ${text}`)
  return violations
}
