import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { migrateSchema, migrationsDir } from '../../../packages/server/src/platform/database/migrate.ts'
import { openPostgres } from '../../../packages/server/src/platform/database/postgres.ts'
import { quantile } from '../load/samples.ts'
import {
  checkOrdersAndLedger,
  retryUnanswered,
  waitForDeliveries,
  createOffer,
  findScenes,
  type Offer,
  type OrderPlacement,
} from '../harness/orders.ts'
import { createFolder, closeAtEnd } from '../harness/resources.ts'
import { administrator, grantCredits } from '../harness/server-process.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { startCluster, type Cluster, type ClusterProcess } from './cluster.ts'
import { createKeepAliveAgent, createOperationCall, send } from '../load/sender.ts'

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
  await using cluster = await startCluster()
  const { url, database_url } = cluster
  await using superuser = closeAtEnd(
    await openPostgres({ url: database_url, pool_size: 2, statement_timeout_ms: 60_000 }),
  )
  const client = createClient({ baseUrl: url, token: createTokenSource(url, administrator) })
  await grantCredits(client)
  const load = await startLoad(url, client)
  const kills_ms: number[] = []
  for (let round = 1; round <= (short ? 1 : long_rounds); round++) {
    // The update restarts all of them, too.
    if (!short) await restartAll(cluster)
    await killOne(cluster.apis[round % 2]!, kills_ms)
    await killOne(cluster.workers[round % 2]!, kills_ms)
    console.log(`round ${round}: ${describeCalls(load)}`)
  }
  await update(cluster, superuser, kills_ms)
  await load.stop()
  return await judge(load, { client, superuser, kills_ms })
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
  await using folder = await createFolder('next-version')
  await cp(migrationsDir, folder.path, { recursive: true })
  await writeFile(join(folder.path, nextMigration.name), nextMigration.text)
  await migrateSchema(superuser, folder.path)
  await killOne(cluster.apis[0]!, kills_ms)
  await restartAll(cluster)
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
  violations.push(...(await waitForDeliveries(client, load.placements, delivery_ms)))
  violations.push(...(await checkOrdersAndLedger(superuser, load.placements)))
  return { tried: `${describeCalls(load)}; ${kills_ms.length} kills, which cut ${cut} calls`, violations }
}

/** A call that had no successful response. */
interface FailedCall {
  readonly operation: string
  readonly outcome: string
  /** On the clock of `performance.now()`. */
  readonly begin_ms: number
  readonly end_ms: number
}

interface RollingLoad {
  readonly failed: FailedCall[]
  readonly placements: OrderPlacement[]
  readonly counts: { reads: number; writes: number }
  readonly times_ms: number[]
  /** Ends after the calls in progress. */
  stop(): Promise<void>
}

const reads: readonly (readonly [string, object])[] = [
  ['orders.list', { size: 1 }],
  ['items.search_org', { bbox: [-180, -85, 180, 85], limit: 5 }],
  ['billing.credits.balance', {}],
  ['stac.search', { limit: 5 }],
]
const readers = 3
const between_reads_ms = 60
const between_writes_ms = 500
const statusOk = /^2\d\d$/

/** The offers that the load orders: one free scene, and one priced scene. */
async function findOffers(client: Client): Promise<Offer[]> {
  const offers: Offer[] = []
  for (const host of ['open', 'commercial']) offers.push(await createOffer(client, await findScenes(client, host)))
  return offers
}

/** Reads and placements of orders without a pause in between restarts; nothing is repeated, so that each failure counts. */
async function startLoad(url: string, client: Client): Promise<RollingLoad> {
  const offers = await findOffers(client)
  const takeToken = createTokenSource(url, administrator)
  const agent = createKeepAliveAgent(readers + 1)
  const load = {
    failed: [] as FailedCall[],
    placements: [] as OrderPlacement[],
    counts: { reads: 0, writes: 0 },
    times_ms: [] as number[],
  }
  let isStopped = false
  const call = async (operation: string, input: object, headers: object = {}): Promise<string | null> => {
    // A token is requested by fetch, before the call; a failure of that is one of the sign-in.
    const token = await takeToken().catch(() => null)
    const begin_ms = performance.now()
    const request = createOperationCall(operation, input, token)
    const { outcome, body, took_ms } =
      token === null
        ? { outcome: 'no token', body: '', took_ms: 0 }
        : await send(url, { ...request, headers: { ...request.headers, ...headers } }, agent)
    if (statusOk.test(outcome)) {
      load.times_ms.push(took_ms)
      return body
    }
    load.failed.push({ operation, outcome, begin_ms, end_ms: performance.now() })
    return null
  }
  const read = async (first: number): Promise<void> => {
    for (let turn = first; !isStopped; turn++) {
      await call(...reads[turn % reads.length]!)
      load.counts.reads++
      await pause(between_reads_ms)
    }
  }
  const write = async (): Promise<void> => {
    while (!isStopped) {
      const offer = offers[load.placements.length % offers.length]!
      const placement: OrderPlacement = { ...offer, key: `rolling-${load.placements.length}`, order: null }
      load.placements.push(placement)
      const input = { captures: placement.captures }
      const body = await call('orders.archive.place', input, { 'idempotency-key': placement.key })
      if (body !== null) placement.order = (JSON.parse(body) as { id: string }).id
      load.counts.writes++
      await pause(between_writes_ms)
    }
  }
  const callers = [...Array.from({ length: readers }, (_, index) => read(index)), write()]
  return {
    ...load,
    stop: async () => {
      isStopped = true
      await Promise.all(callers)
      agent.destroy()
    },
  }
}
