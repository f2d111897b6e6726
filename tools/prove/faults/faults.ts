import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client } from '@swath/client/client.ts'
import { tokenSource } from '@swath/client/tokens.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { openPostgres } from '../../../packages/server/src/platform/database/postgres.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { cogBytes, scene } from '../../../packages/server/test/rasters.ts'
import { checkShop, type Placement } from '../crash-books.ts'
import { callOf, keptConnections, send } from '../load/sender.ts'
import { describeTally, total } from '../load/samples.ts'
import { administrator, withAdministrator } from '../load/tenants.ts'
import type { ProofOptions, Verdict } from '../proof.ts'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import { postgresSettings, startServer } from '../server-process.ts'
import { orderOf, startCallers } from './callers.ts'
import { faults, type Fault } from './fault-table.ts'
import { startPostgres, startStore, type FaultyPostgres, type FaultyStore } from './services.ts'
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts'
import { addressOf, urlOf, type Shop, type World } from './world.ts'

const processes_at_once = 4
const processes_kept = 2
const statement_ms = 3000
/** Maximum time of a call: waiting for a connection, a statement timeout, and the rest of the call. */
const longest_ms = 10_000 + statement_ms + 5000 + 5000
/** `/readyz` must respond within two seconds whatever hangs; it is polled every 100 ms. */
const told_ms = 2300
const normal_ms = 60_000
const end_ms = 300_000
const senders = 4

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Two processes of the product with a real PostgreSQL and a real S3 server handle orders, uploads and searches while each
 * dependency fails in turn. Every acknowledged order and upload must exist in the end, nothing may be charged twice or
 * without delivery, no call may end with an internal error, and none may hang.
 */
export async function proveFaults({ short, only = '' }: ProofOptions): Promise<Verdict> {
  const chosen = faults.filter(({ name, brief }) => name.includes(only) && (brief || !short || only !== ''))
  if (chosen.length === 0) throw new Error(`no fault has "${only}" in its name`)
  const folder = await mkdtemp(join(tmpdir(), 'swath-faults-'))
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  const close = async (): Promise<void> => {
    for (const one of closing.splice(0).toReversed()) {
      await one().catch((error: unknown) => console.log('closing failed:', error))
    }
  }
  process.once('SIGTERM', () => void close().then(() => process.exit(1)))
  try {
    const [postgres, store] = await Promise.all([startPostgres(), startStore()])
    closing.push(
      () => postgres.stop(),
      () => store.stop(),
    )
    const [to_postgres, to_store] = [await openTcpProxy(postgres.port), await openTcpProxy(store.port)]
    closing.push(
      () => to_postgres.close(),
      () => to_store.close(),
    )
    const parts = { postgres, store, to_postgres, to_store }
    const { servers, violations } = await startAtOnce(folder, parts)
    const world: World = { ...parts, servers, shop: await openShop(addressOf(servers[0]!.environment)) }
    closing.push(() => Promise.all(servers.map(({ process: server }) => server.kill())))
    for (const fault of chosen) violations.push(...(await tryFault(world, fault, short)))
    violations.push(...(await settle(world, short)))
    const { placements, uploads } = world.shop
    const tried = `${chosen.length} faults, ${placements.length} orders and ${uploads.length} uploads`
    return { tried, violations }
  } finally {
    await close()
  }
}

interface Parts {
  readonly postgres: FaultyPostgres
  readonly store: FaultyStore
  readonly to_postgres: TcpProxy
  readonly to_store: TcpProxy
}

/** Starts four processes on an empty database at once; two of them keep running. */
async function startAtOnce(
  folder: string,
  { postgres, store, to_postgres, to_store }: Parts,
): Promise<{ servers: World['servers']; violations: string[] }> {
  const start = performance.now()
  // All processes of one installation share a base URL, which is the issuer of their tokens.
  const shared = await postgresSettings(postgres.urlBy(to_postgres.port))
  const starting = Array.from({ length: processes_at_once }, async (_, index) => {
    const environment = withAdministrator({
      ...shared,
      PORT: String(await freePort()),
      ...store.settingsBy(to_store.port),
      SWATH_DATA_DIR: join(folder, String(index)),
      SWATH_SECRET: 'the secret that all processes of this proof share',
      STATEMENT_TIMEOUT_MS: String(statement_ms),
      RASTER_THREADS: '1',
      MAX_WAIT_MS: '',
    })
    return { environment, process: await startServer(environment) }
  })
  const started = await Promise.allSettled(starting)
  const servers = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const dead = started.length - servers.length
  const took_s = ((performance.now() - start) / 1000).toFixed(1)
  console.log(
    `${dead === 0 ? 'passed' : 'FAILED'}  four processes start at once: ${servers.length} ready after ${took_s} s`,
  )
  for (const { process: server } of servers.slice(processes_kept)) await server.kill()
  if (servers.length < processes_kept) throw new Error('too few processes started')
  return {
    servers: servers.slice(0, processes_kept),
    violations: dead === 0 ? [] : [`${dead} of ${processes_at_once} processes did not start on an empty database`],
  }
}

async function openShop(base: string): Promise<Shop> {
  const admin = createClient({ base, token: tokenSource(base, administrator) })
  const me = await admin.call<{ organization: { id: string } }>('users.me')
  const credit = { organization_id: me.organization.id, amount_credits: 100_000_000, reason: 'faults proof' }
  await admin.call('admin.orgs.credit_adjust', credit)
  const { projects } = await admin.call<{ projects: { id: string }[] }>('projects.list', {})
  const offers = await Promise.all(['open', 'commercial'].map((host) => offerOf(admin, host)))
  const image = new Uint8Array(await cogBytes(scene))
  return { token: await signIn(base), project: projects[0]!.id, image, offers, placements: [], uploads: [] }
}

/** A token that outlives a fault: signing in is impossible without the database. */
const signIn = (base: string): Promise<string> => tokenSource(base, administrator)()

async function offerOf(client: Client, host: string): Promise<Shop['offers'][number]> {
  const search = { host_name: host, limit: 1 }
  const { features } = await client.call<{ features: { id: string; geometry: object }[] }>('catalog.search', search)
  const captures = features.map(({ id, geometry }) => ({ id, geometry, host }))
  const { total_credits } = await client.call<{ total_credits: number }>('orders.archive.estimate', { captures })
  return { captures, credits: total_credits }
}

async function tryFault(world: World, fault: Fault, short: boolean): Promise<string[]> {
  const hindrance = fault.impossible?.(world) ?? null
  if (hindrance !== null) {
    console.log(`skipped  ${fault.name}: ${hindrance}`)
    return []
  }
  const found: string[] = []
  world.shop.token = await signIn(urlOf(world, 0))
  const callers = startCallers(world)
  await pause(300)
  await fault.begin(world)
  const last_ms = short ? fault.last_ms.short : fault.last_ms.full
  const [told, ended] = await Promise.all([fault.told ? timeUntilTold(world, last_ms) : null, pause(last_ms)])
  void ended
  await fault.end(world)
  const normal = await timeUntilNormal(world)
  await callers.stop()
  const { tally, longest, internal } = callers.heard
  const allowed_ms = longest_ms + (fault.name.includes('frozen') ? last_ms : 0)
  if (fault.told && (told === null || told > told_ms)) {
    found.push(told === null ? '/readyz never failed' : `/readyz failed after ${Math.round(told)} ms`)
  }
  if (normal === null) found.push(`calls did not succeed again within ${normal_ms / 1000} s`)
  if (longest.ms > allowed_ms) found.push(`${longest.call} took ${Math.round(longest.ms)} ms`)
  if (internal.length > 0) found.push(`${internal.length} internal errors, such as ${internal[0]}`)
  const answers = `${total(tally)} calls (${describeTally(tally)}), longest ${Math.round(longest.ms)} ms (${longest.call})`
  const telling = fault.told
    ? `/readyz ${told === null ? 'never failed' : `failed after ${Math.round(told)} ms`}`
    : '/readyz not checked'
  const normality = normal === null ? 'no recovery' : `recovered after ${Math.round(normal)} ms`
  console.log(`${found.length === 0 ? 'passed' : 'FAILED'}  ${fault.name}: ${answers}; ${telling}; ${normality}`)
  return found.map((sentence) => `${fault.name}: ${sentence}`)
}

/** Time from the start of the fault until `/readyz` of the first process fails. */
async function timeUntilTold(world: World, limit_ms: number): Promise<number | null> {
  const start = performance.now()
  while (performance.now() - start < limit_ms) {
    const answer = await fetch(`${urlOf(world, 0)}/readyz`, { signal: AbortSignal.timeout(10_000) }).catch(() => null)
    if (answer !== null && !answer.ok) return performance.now() - start
    await pause(100)
  }
  return null
}

/** Time until every process is ready, searches and estimates orders successfully again. */
async function timeUntilNormal(world: World): Promise<number | null> {
  const start = performance.now()
  const agent = keptConnections(4)
  const { token, offers } = world.shop
  const requests = [
    { method: 'GET', path: '/readyz' } as const,
    callOf('stac.search', { limit: 1 }, token),
    callOf('orders.archive.estimate', { captures: offers[0]!.captures }, token),
  ]
  try {
    while (performance.now() - start < normal_ms) {
      const wanted = world.servers.flatMap((_, index) => requests.map((request) => ({ index, request })))
      const answers = await Promise.all(
        wanted.map(({ index, request }) => send(urlOf(world, index), request, agent, normal_ms)),
      )
      if (answers.every(({ outcome }) => outcome === '200')) return performance.now() - start
      await pause(50)
    }
    return null
  } finally {
    agent.destroy()
  }
}

/** Retries unanswered orders, waits for all deliveries, and checks orders and ledger. */
async function settle(world: World, short: boolean): Promise<string[]> {
  const { shop, postgres } = world
  shop.token = await signIn(urlOf(world, 0))
  const start = performance.now()
  const violations = await sendAgain(world)
  if (shop.uploads.length === 0) violations.push('no upload was ever completed')
  console.log(`every order had a response after ${Math.round(performance.now() - start)} ms`)
  const database = await openPostgres({
    url: postgres.urlBy(postgres.port),
    pool_size: 2,
    statement_timeout_ms: 60_000,
  })
  if (short) await hurryTasks(database)
  const client = createClient({ base: urlOf(world, 0), token: shop.token })
  const until = performance.now() + end_ms
  const wait = async (
    what: string,
    read: () => Promise<string>,
    good: string,
    open: readonly string[],
  ): Promise<void> => {
    let status = await read()
    while (open.includes(status) && performance.now() < until) {
      await pause(250)
      if (short) await hurryTasks(database)
      status = await read()
    }
    if (status !== good) violations.push(`${what} is ${status}`)
  }
  for (const { order } of shop.placements.filter((placement) => placement.order !== null)) {
    const read = async () => (await client.call<{ status: string }>('orders.get', { order_id: order })).status
    await wait(`order ${order}`, read, 'FULFILLED', ['CREATED', 'BEING_PLACED', 'PLACED', 'BEING_FULFILLED'])
  }
  for (const upload_id of shop.uploads) {
    const read = async () =>
      (await client.call<{ upload: { status: string } }>('uploads.get', { upload_id })).upload.status
    await wait(`upload ${upload_id}`, read, 'completed', ['ingesting'])
  }
  const { totalElements } = await client.call<{ totalElements: number }>('orders.list', { size: 1 })
  if (totalElements !== shop.placements.length) {
    violations.push(`${shop.placements.length} idempotency keys created ${totalElements} orders`)
  }
  try {
    violations.push(...(await checkShop(database, shop.placements)))
  } finally {
    await database.close()
  }
  const sentence = violations.length === 0 ? 'nothing was lost, no hold is open, the ledger balances' : 'FAILED'
  console.log(`final state: ${sentence}`)
  return violations
}

/** Makes retries due at once, and releases tasks whose worker has died. */
async function hurryTasks({ across }: Database): Promise<void> {
  await across.query(
    sql`update boss.job set start_after = now() where state in ('created', 'retry') and start_after > now()`,
  )
  await across.query(sql`
    update boss.job set state = 'created', started_on = null, heartbeat_on = null
    where state = 'active' and heartbeat_on < now() - interval '25 seconds'`)
}

/** Sends every order again with its key: a completed one must return the same order id. */
async function sendAgain(world: World): Promise<string[]> {
  const agent = keptConnections(senders)
  const violations: string[] = []
  const again = async (placement: Placement): Promise<void> => {
    let outcome = ''
    for (let tries = 0; tries < 40 && outcome !== '202'; tries++) {
      if (tries > 0) await pause(500)
      const answer = await send(urlOf(world, tries), orderOf(world, placement), agent)
      outcome = answer.outcome
      if (outcome !== '202') continue
      const { id } = JSON.parse(answer.body) as { id: string }
      if (placement.order !== null && placement.order !== id) {
        violations.push(`the key ${placement.key} returned order ${placement.order} and then ${id}`)
      }
      placement.order = id
    }
    if (placement.order === null) violations.push(`${placement.key} gets no successful response: ${outcome}`)
  }
  try {
    const left = [...world.shop.placements]
    const sender = async (): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) await again(next)
    }
    await Promise.all(Array.from({ length: senders }, sender))
    return violations
  } finally {
    agent.destroy()
  }
}
