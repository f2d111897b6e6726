import { everyScope } from '@swath/client/every-scope.ts'
import { mkdir } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { createClient } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { moveTime } from '../../../packages/server/test/citus/statements.ts'
import { createApp, type App, type AppOptions } from '../../../packages/server/src/app.ts'
import { readJsonBody, type HttpRouteContext } from '../../../packages/server/src/http/http-call.ts'
import { initialDatabaseContent } from '../../../packages/server/src/initial-content.ts'
import { readServerConfig } from '../../../packages/server/src/platform/config.ts'
import { createDatabaseFromDriver } from '../../../packages/server/src/platform/database/connections.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import type { DatabaseDriver } from '../../../packages/server/src/platform/database/driver.ts'
import { openDatabase } from '../../../packages/server/src/platform/database/open-database.ts'
import { getDatabaseDriver } from '../../../packages/server/src/platform/database/raw.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { requeueActiveTasks } from '../../../packages/server/src/platform/queue/open-queue.ts'
import { createTestCrypto } from '../../../packages/server/test/test-crypto.ts'
import type { TestApp } from '../../../packages/server/test/test-app.ts'
import { killAtSteps, type StepKiller, type StepKillMoment, type WatchedSteps } from './kill-points.ts'

export const body_limit_bytes = 1_000_000

/** Calls of the proof beside those of the product, by name. */
export type ProofHandlers = Readonly<Record<string, (input: never) => Promise<unknown> | unknown>>

interface ProofAppOptions extends Partial<AppOptions> {
  /** Wraps the driver, so that the process can be killed at its statements. */
  readonly wrapDriver?: (driver: DatabaseDriver) => DatabaseDriver
  readonly addRoutes?: (app: App) => void
  readonly createHandlers?: (app: TestApp) => ProofHandlers
}

/**
 * The product in a process of a proof, on the data that the killed process before it left: its claims, tasks and leases are
 * ended without waiting for them.
 */
export async function startProofApp(options: ProofAppOptions = {}): Promise<TestApp> {
  const { wrapDriver = (driver) => driver, addRoutes, createHandlers, ...parts } = options
  const config = readServerConfig()
  await mkdir(config.data_dir, { recursive: true, mode: 0o700 })
  const opened = await openDatabase(config, undefined, initialDatabaseContent)
  await endLeases(opened)
  const database = await createDatabaseFromDriver(wrapDriver(getDatabaseDriver(opened)), () => {})
  const app = await createApp({ config, database, ...createTestCrypto(), ...parts })
  const url = `http://${config.host}:${config.port}`
  const createClientFor: TestApp['createClientFor'] = (username, password) =>
    createClient({ baseUrl: url, token: createTokenSource(url, { username, password, scope: everyScope }) })
  const admin = createClientFor(config.admin_email, config.admin_password ?? '')
  const close = async (): Promise<void> => {
    await app.stop()
    await opened.close()
  }
  const testApp: TestApp = { ...app, url, admin, createClientFor, close }
  addRoutes?.(app)
  addHandlers(app, createHandlers?.(testApp) ?? {})
  await app.start()
  process.once('SIGTERM', () => void close())
  // A killed process would not write its compile cache for the next start.
  flushCompileCache?.()
  return testApp
}

/** Tells the parent that the application is ready. */
export const announceReady = ({ url }: TestApp): void =>
  void process.stdout.write(`The application is ready at ${url}\n`)

function addHandlers({ fastify, pipeline }: App, handlers: ProofHandlers): void {
  const http: HttpRouteContext = { pipeline, baseUrl: null, body_limit_bytes }
  for (const [name, handle] of Object.entries(handlers))
    fastify.post(`/proof/${name}`, async (request, reply) => {
      const result = await handle((await readJsonBody(http, { body_limit_bytes: null }, request)) as never)
      return reply.type('application/json').send(JSON.stringify(result ?? null))
    })
}

async function endLeases(database: Database): Promise<void> {
  const { unscoped } = database
  const [row] = await unscoped.query<{ hasQueue: boolean }>(sql`
    select to_regclass('boss.job') is not null as "hasQueue"`)
  // A new database has no tables yet.
  if (!row!.hasQueue) return
  await moveTime(unscoped, { table: 'idempotency_claims', column: 'locked_at', where: sql`true` }, -16_000)
  await unscoped.query(
    sql`update processing_jobs set lease_until = now() where lease_until > now() and worker is distinct from 'external'`,
  )
  await unscoped.query(sql`update sandboxes set lease_id = null, lease_until = null`)
  await requeueActiveTasks(database)
}

/** An application that dies at the steps that its parent arms. */
export async function startKillableApp(
  steps: WatchedSteps,
  { killer = createStepKiller(), createHandlers, ...options }: ProofAppOptions & { readonly killer?: StepKiller } = {},
): Promise<TestApp> {
  return startProofApp({
    ...options,
    wrapDriver: (driver) => killAtSteps(driver, killer, steps),
    createHandlers: (app) => ({
      arm: ({ moment, passed }: { moment: StepKillMoment | null; passed: readonly string[] }) => {
        Object.assign(killer, { moment, passed: new Set(passed) })
      },
      ...createHandlers?.(app),
    }),
  })
}

export const createStepKiller = (): StepKiller => ({ moment: null, passed: new Set() })
