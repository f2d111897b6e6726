import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { migrateSchema, migrationsDir } from '../../../packages/server/src/platform/database/migrate.ts'
import { openPostgres } from '../../../packages/server/src/platform/database/postgres.ts'
import { quantile } from '../load/samples.ts'
import { checkOrdersAndLedger, type OrderPlacement } from '../order-checks.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { login, startCluster, type Cluster, type ClusterProcess } from './cluster.ts'
import { startLoad, type FailedCall, type RollingLoad } from './rolling-load.ts'

const long_rounds = 5
const calm_ms = 2000
const delivery_ms = 240_000
/** The balancer learns of a killed process by the first failing connection. */
const cut_margin_ms = 250

/** The migration of the next version, which only adds: nothing that the previous version uses is changed. */
const nextMigration = {
  name: '9000_next_version.sql',
  text: `
    alter table orders add column next_version text;
    alter table items add column next_version integer default 0 not null;
    create table next_versions (id integer primary key);`,
}

/**
 * Restarts, kills and updates the processes of an installation under load. A call may fail only if it was in progress on a
 * process when that was killed; every order that was acknowledged is delivered and paid once.
 */
export async function proveRolling({ short }: ProofOptions): Promise<ProofResult> {
  const cluster = await startCluster()
  const superuser = await openPostgres({ url: cluster.database_url, pool_size: 2, statement_timeout_ms: 60_000 })
  try {
    const client = createClient({ baseUrl: cluster.url, token: createTokenSource(cluster.url, login) })
    await grantCredits(client)
    const load = await startLoad(cluster.url, client)
    const kills_ms: number[] = []
    for (let round = 1; round <= (short ? 1 : long_rounds); round++) {
      await restartAll(cluster)
      await killOne(cluster.apis[round % 2]!, kills_ms)
      await killOne(cluster.workers[round % 2]!, kills_ms)
      console.log(`round ${round}: ${describeCalls(load)}`)
    }
    await update(cluster, superuser, kills_ms)
    await load.stop()
    return await judge(load, { client, superuser, kills_ms })
  } finally {
    await superuser.close()
    await cluster.stop()
  }
}

async function grantCredits(client: Client): Promise<void> {
  const me = await client.call<{ organization: { id: string } }>('users.me')
  await client.call('admin.orgs.credit_adjust', {
    organization_id: me.organization.id,
    amount_credits: 100_000_000,
    reason: 'rolling proof',
  })
}

/** One after another, as an update does. */
async function restartAll({ apis, workers }: Cluster): Promise<void> {
  for (const process of [...workers, ...apis]) {
    await process.stop()
    await process.start()
    console.log(`${process.name} restarted`)
  }
}

async function killOne(process: ClusterProcess, kills_ms: number[]): Promise<void> {
  kills_ms.push(performance.now())
  process.kill()
  await pause(calm_ms)
  await process.start()
  console.log(`${process.name} killed and started`)
}

/** The schema of the next version first; then a process of this version dies and starts on it; then all are replaced. */
async function update(cluster: Cluster, superuser: Database, kills_ms: number[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-next-version-'))
  try {
    await cp(migrationsDir, folder, { recursive: true })
    await writeFile(join(folder, nextMigration.name), nextMigration.text)
    await migrateSchema(superuser, folder)
    await killOne(cluster.apis[0]!, kills_ms)
    await restartAll(cluster)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const describeCalls = ({ counts, failed, times_ms }: RollingLoad): string =>
  `${counts.reads} reads, ${counts.writes} placements, ${failed.length} without a successful response; median ${Math.round(quantile(times_ms, 0.5))} ms, p99 ${Math.round(quantile(times_ms, 0.99))} ms`

interface Evidence {
  readonly client: Client
  readonly superuser: Database
  readonly kills_ms: readonly number[]
}

async function judge(load: RollingLoad, { client, superuser, kills_ms }: Evidence): Promise<ProofResult> {
  const wasCut = ({ begin_ms, end_ms }: FailedCall): boolean =>
    kills_ms.some((kill_ms) => begin_ms < kill_ms + cut_margin_ms && end_ms > kill_ms)
  const violations = load.failed
    .filter((call) => !wasCut(call))
    .map(({ operation, outcome }) => `${operation} ended with ${outcome} while no process was killed`)
  const cut = load.failed.length - violations.length
  await retryUnanswered(client, load.placements)
  violations.push(...(await waitForDeliveries(client, load.placements)))
  violations.push(...(await checkOrdersAndLedger(superuser, load.placements)))
  const { totalElements } = await client.call<{ totalElements: number }>('orders.list', { size: 1 })
  if (totalElements !== load.placements.length)
    violations.push(`${load.placements.length} placements created ${totalElements} orders`)
  return { tried: `${describeCalls(load)}; ${kills_ms.length} kills, which cut ${cut} calls`, violations }
}

/** A placement that was cut gets its response by its idempotency key. */
async function retryUnanswered(client: Client, placements: readonly OrderPlacement[]): Promise<void> {
  for (const placement of placements.filter(({ order }) => order === null)) {
    for (let tries = 0; placement.order === null; tries++) {
      try {
        const input = { captures: placement.captures }
        const options = { idempotencyKey: placement.key }
        placement.order = (await client.call<{ id: string }>('orders.archive.place', input, options)).id
      } catch (error) {
        if (tries === 60) throw error
        await pause(500)
      }
    }
  }
}

async function waitForDeliveries(client: Client, placements: readonly OrderPlacement[]): Promise<string[]> {
  const until_ms = performance.now() + delivery_ms
  const violations: string[] = []
  for (const { order } of placements) {
    let status = ''
    while (status !== 'FULFILLED' && performance.now() < until_ms) {
      status = (await client.call<{ status: string }>('orders.get', { order_id: order })).status
      if (status !== 'FULFILLED') await pause(250)
    }
    if (status !== 'FULFILLED') violations.push(`order ${order} is ${status}`)
  }
  return violations
}
