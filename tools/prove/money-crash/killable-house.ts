import { flushCompileCache } from 'node:module'
import { systemClock } from '../../../packages/server/src/platform/clock.ts'
import { createClient } from '@swath/client/client.ts'
import { tokenSource } from '@swath/client/tokens.ts'
import { tasks } from '../../../packages/server/src/domains/domains.ts'
import { buildHouse, type House } from '../../../packages/server/src/house.ts'
import { bodyOf, enter, send, type Doors } from '../../../packages/server/src/http/door.ts'
import { readServerConfig, type Config } from '../../../packages/server/src/platform/config.ts'
import { makeDatabase } from '../../../packages/server/src/platform/database/handles.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { openDatabase } from '../../../packages/server/src/platform/database/open-database.ts'
import { driverOf, ownerOf } from '../../../packages/server/src/platform/database/raw.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { assertBooks } from '../../../packages/server/test/books.ts'
import { spendBackground, spendHosts } from '../../../packages/server/test/contract/examples/spend.ts'
import { atRest } from '../../../packages/server/test/house-money.ts'
import type { TestHouse } from '../../../packages/server/test/setup.ts'
import { jobs } from './jobs.ts'
import { arm, isArmed, killable, lastSteps, watchRequests, watchTasks, type Armed } from './kill-points.ts'
import { keyOf, scripts } from './scripts.ts'
import { faultsOf, stateOf } from './state.ts'

/** The product with a driver at whose statements it can be killed, and with routes for the proof. */
async function main(config: Config): Promise<void> {
  const real = await openDatabase(config)
  const database = await makeDatabase(killable(driverOf(real)), () => {})
  await forgetTheDead(database)
  watchTasks(tasks)
  const house = await buildHouse({ config, database, hosts: await spendHosts(), background: spendBackground })
  jobDoor(house)
  proofDoors(house, config)
  watchRequests(house.app.server)
  const url = await house.start()
  process.once('SIGTERM', () => void house.stop())
  // A killed process would not write its compile cache for the next start.
  flushCompileCache?.()
  process.stdout.write(`The crashable server is ready at ${url}\n`)
}

/** Releases idempotency claims and tasks of the killed process without waiting for their leases to expire. */
async function forgetTheDead(database: Database): Promise<void> {
  if (database.kind === 'embedded') return
  const [table] = await ownerOf(database).query(sql`
    select 1 from information_schema.tables where table_schema = 'boss' and table_name = 'job'`)
  if (!table) return
  await database.across.query(sql`
    update idempotency_claims set locked_at = locked_at - interval '16 seconds' where locked_at is not null`)
  await database.across.query(sql`
    update boss.job set state = 'created', started_on = null, heartbeat_on = null where state = 'active'`)
}

const body_limit_bytes = 1_000_000

/** Adds the job operations of the proof, with the same pipeline as every operation. */
function jobDoor(house: House): void {
  const steps = { ...house.steps, find: (id: string) => jobs.get(id) ?? null }
  const doors: Doors = { steps, baseUrl: null, body_limit_bytes }
  house.app.post('/v1/proof/:id', async (request, reply) => {
    const { id } = request.params as { id: string }
    return send(reply, await enter(doors, request, reply, id, (operation) => bodyOf(doors, operation, request)))
  })
}

type Asked = Readonly<Record<string, unknown>>

/** Adds the routes with which the proof controls and inspects the server. */
function proofDoors(house: House, config: Config): void {
  const doors: Doors = { steps: house.steps, baseUrl: null, body_limit_bytes }
  const url = `http://${config.host}:${config.port}`
  const signedIn: TestHouse['signedIn'] = (username, password) =>
    createClient({ base: url, token: tokenSource(url, { username, password }) })
  const admin = signedIn(config.admin_email, config.admin_password ?? '')
  const grounds: TestHouse = { ...house, url, admin, signedIn, close: () => house.stop() }
  const { database } = house
  const answers: Readonly<Record<string, (asked: Asked) => Promise<unknown>>> = {
    prepare: async ({ script }) => {
      const scene = await scripts[String(script)]!.prepare(grounds)
      await atRest(house)
      return scene
    },
    steps: async () => lastSteps(),
    arm: async (asked) => arm(asked['task'] ? (asked as unknown as Armed) : null),
    armed: async () => isArmed(),
    due: async ({ organization, deadlines }) => {
      await database.across.query(sql`
        update billing_deadlines set due_at = ${systemClock.now()}
        where organization_id = ${organization} and kind = any(${deadlines}::text[])`)
      await database.across.transaction((tx) => house.queue.enqueue(tx, 'billing.sweep-deadlines', {}))
    },
    claimed: async ({ organization }) => {
      const claims = await database.of(String(organization)).query(sql`
        select 1 from idempotency_claims
        where organization_id = ${organization} and key = ${keyOf(String(organization))}`)
      return claims.length > 0
    },
    rest: async () => atRest(house),
    state: async ({ organization }) => ({
      state: await stateOf(database, String(organization)),
      faults: await faultsOf(database, String(organization)),
    }),
    books: async () =>
      assertBooks(house).then(
        () => null,
        (error: Error) => error.message,
      ),
  }
  house.app.post('/proof/:name', async (request, reply) => {
    const { name } = request.params as { name: string }
    const asked = (await bodyOf(doors, { body_limit_bytes: null }, request)) as Asked
    const answer = await answers[name]!(asked)
    return reply.type('application/json').send(JSON.stringify(answer ?? null))
  })
}

await main(readServerConfig())
