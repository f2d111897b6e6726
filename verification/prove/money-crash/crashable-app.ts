import { flushCompileCache } from 'node:module'
import { systemClock } from '../../../packages/server/src/platform/clock.ts'
import { createClient } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { backgroundTasks } from '../../../packages/server/src/domains/domains.ts'
import { createApp, type App } from '../../../packages/server/src/app.ts'
import {
  readJsonBody,
  dispatchHttpCall,
  sendCallResult,
  type HttpRouteContext,
} from '../../../packages/server/src/http/http-call.ts'
import { readServerConfig, type Config } from '../../../packages/server/src/platform/config.ts'
import { createDatabase } from '../../../packages/server/src/platform/database/connections.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { openDatabase } from '../../../packages/server/src/platform/database/open-database.ts'
import { getDatabaseDriver, getOwnerConnection } from '../../../packages/server/src/platform/database/raw.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { assertLedgerConsistent } from '../../../packages/server/test/ledger-assertions.ts'
import { noRetries, createSpendHosts } from '../../../packages/server/test/contract/examples/spend.ts'
import { waitUntilIdle } from '../../../packages/server/test/billing-helpers.ts'
import type { TestApp } from '../../../packages/server/test/test-app.ts'
import { jobOperations } from './job-operations.ts'
import {
  armTask,
  isArmed,
  createKillableDriver,
  getLastStatements,
  watchRequests,
  watchTasks,
  type ArmedTask,
} from './kill-points.ts'
import { idempotencyKeyOf, scripts } from './scripts.ts'
import { findMoneyProblems, readMoneyState } from './money-state.ts'
import { taskTypes } from '../../../packages/server/src/engine/task-types.ts'

/** The product with a driver at whose statements it can be killed, and with routes for the proof. */
async function main(config: Config): Promise<void> {
  const openedDatabase = await openDatabase(config)
  const database = await createDatabase(createKillableDriver(getDatabaseDriver(openedDatabase)), () => {})
  await releaseDeadClaims(database)
  watchTasks(backgroundTasks)
  const app = await createApp({ config, database, hosts: await createSpendHosts(), background: noRetries })
  addJobRoute(app)
  addProofRoutes(app, config)
  watchRequests(app.fastify.server)
  const url = await app.start()
  process.once('SIGTERM', () => void app.stop())
  // A killed process would not write its compile cache for the next start.
  flushCompileCache?.()
  process.stdout.write(`The crashable server is ready at ${url}\n`)
}

/**
 * Releases idempotency claims, tasks and jobs of the killed process without waiting for their leases to expire. On the embedded
 * database the server does so itself.
 */
async function releaseDeadClaims(database: Database): Promise<void> {
  if (database.kind === 'embedded') return
  const [table] = await getOwnerConnection(database).query(sql`
    select 1 from information_schema.tables where table_schema = 'boss' and table_name = 'job'`)
  if (!table) return
  await database.unscoped.query(sql`
    update idempotency_claims set locked_at = locked_at - interval '16 seconds' where locked_at is not null`)
  await database.unscoped.query(sql`
    update boss.job set state = 'created', started_on = null, heartbeat_on = null where state = 'active'`)
  await database.unscoped.query(sql`
    update processing_jobs set lease_until = started_at where status = 'running' and worker = 'server'`)
}

const body_limit_bytes = 1_000_000

/** Adds the job operations of the proof, with the same pipeline as every operation. */
function addJobRoute(app: App): void {
  const pipelineDependencies = { ...app.pipeline, find: (id: string) => jobOperations.get(id) ?? null }
  const httpContext: HttpRouteContext = { pipeline: pipelineDependencies, baseUrl: null, body_limit_bytes }
  app.fastify.post('/v1/proof/:id', async (request, reply) => {
    const { id } = request.params as { id: string }
    return sendCallResult(
      reply,
      await dispatchHttpCall(httpContext, {
        request,
        reply,
        operation: id,
        readBody: (operation) => readJsonBody(httpContext, operation, request),
      }),
    )
  })
}

type ProofInput = Readonly<Record<string, unknown>>

/** Adds the routes with which the proof controls and inspects the server. */
function addProofRoutes(app: App, config: Config): void {
  const httpContext: HttpRouteContext = { pipeline: app.pipeline, baseUrl: null, body_limit_bytes }
  const url = `http://${config.host}:${config.port}`
  const signedIn: TestApp['createClientFor'] = (username, password) =>
    createClient({ baseUrl: url, token: createTokenSource(url, { username, password }) })
  const admin = signedIn(config.admin_email, config.admin_password ?? '')
  const testApp: TestApp = { ...app, url, admin, createClientFor: signedIn, close: () => app.stop() }
  const { database } = app
  const proofHandlers: Readonly<Record<string, (input: ProofInput) => Promise<unknown>>> = {
    prepare: async ({ script }) => {
      const scene = await scripts[String(script)]!.prepare(testApp)
      await waitUntilIdle(app)
      return scene
    },
    steps: async () => getLastStatements(),
    arm: async (input) => armTask(input['task'] ? (input as unknown as ArmedTask) : null),
    armed: async () => isArmed(),
    due: async ({ organization, deadlines }) => {
      await database.unscoped.query(sql`
        update billing_deadlines set due_at = ${systemClock.now()}
        where organization_id = ${organization} and kind = any(${deadlines}::text[])`)
      await database.unscoped.transaction((tx) => app.queue.enqueue(tx, taskTypes.sweepBillingDeadlines, {}))
    },
    claimed: async ({ organization }) => {
      const claims = await database.forOrganization(String(organization)).query(sql`
        select 1 from idempotency_claims
        where organization_id = ${organization} and key = ${idempotencyKeyOf(String(organization))}`)
      return claims.length > 0
    },
    rest: () => waitUntilIdle(app),
    state: async ({ organization }) => ({
      state: await readMoneyState(database, String(organization)),
      faults: await findMoneyProblems(database, String(organization)),
    }),
    ledger: async () =>
      assertLedgerConsistent(app).then(
        () => null,
        (error: Error) => error.message,
      ),
  }
  app.fastify.post('/proof/:name', async (request, reply) => {
    const { name } = request.params as { name: string }
    const input = (await readJsonBody(httpContext, { body_limit_bytes: null }, request)) as ProofInput
    const result = await proofHandlers[name]!(input)
    return reply.type('application/json').send(JSON.stringify(result ?? null))
  })
}

await main(readServerConfig())
