import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createTokenSource } from '@swath/client/tokens.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { openPostgres } from '../../../packages/server/src/platform/database/postgres.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { encodeCog, sceneInput } from '../../../packages/server/test/rasters.ts'
import {
  checkOrdersAndLedger,
  createOffer,
  findScenes,
  placeOrder,
  repeatCall,
  waitForDeliveries,
  type OrderPlacement,
} from '../harness/orders.ts'
import { createFolder, closeAtEnd, waitFor } from '../harness/resources.ts'
import { administrator, grantCredits, postgresSettings, ServerProcess } from '../harness/server-process.ts'
import { createOperationCall, createKeepAliveAgent, send } from '../load/sender.ts'
import { describeTally, totalCount } from '../load/samples.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import { startCallers } from './callers.ts'
import { faults, type InjectedFault } from './fault-table.ts'
import { startPostgres, startStore } from './services.ts'
import { openTcpProxy } from './tcp-proxy.ts'
import { pickServer, type FaultsWorkload, type FaultsFixture } from './fixture.ts'

const processes_at_once = 4
const kept_processes = 2
const statement_ms = 3000
/** Maximum time of a call: waiting for a connection, a statement timeout, and the rest of the call. */
const max_response_ms = 10_000 + statement_ms + 5000 + 5000
/** `/readyz` must respond within two seconds whatever hangs; it is polled every 100 ms. */
const max_unready_ms = 2300
const max_recovery_ms = 60_000
const max_settle_ms = 300_000
const senders = 4

/**
 * Two processes of the product with a real PostgreSQL and a real S3 server handle orders, uploads and searches while each
 * dependency fails in turn. Every acknowledged order and upload must exist in the end, nothing may be charged twice or
 * without delivery, no call may end with an internal error, and none may hang.
 */
export async function proveFaults({ short, only = '' }: ProofOptions): Promise<ProofResult> {
  const chosen = faults.filter(
    ({ name, isInShortForm }) => name.includes(only) && (isInShortForm || !short || only !== ''),
  )
  if (chosen.length === 0) throw new Error(`no fault has "${only}" in its name`)
  await using resources = new AsyncDisposableStack()
  process.once('SIGTERM', () => void resources.disposeAsync().then(() => process.exit(1)))
  const folder = resources.use(await createFolder('faults'))
  const [postgres, store] = await Promise.all([startPostgres(), startStore()])
  resources.use(postgres)
  resources.use(store)
  const to_postgres = resources.use(closeAtEnd(await openTcpProxy(postgres.port)))
  const to_store = resources.use(closeAtEnd(await openTcpProxy(store.port)))
  const services = { postgres, store, to_postgres, to_store }
  const { servers, violations } = await startAtOnce(folder.path, services)
  for (const server of servers) resources.use(server)
  const fixture: FaultsFixture = { ...services, servers, workload: await openWorkload(servers[0]!) }
  for (const fault of chosen) violations.push(...(await tryFault(fixture, fault, short)))
  violations.push(...(await checkFinalState(fixture, short)))
  const { placements, uploads } = fixture.workload
  const tried = `${chosen.length} faults, ${placements.length} orders and ${uploads.length} uploads`
  return { tried, violations }
}

type FaultServices = Pick<FaultsFixture, 'postgres' | 'store' | 'to_postgres' | 'to_store'>

/** Starts four processes on an empty database at once; two of them keep running. */
async function startAtOnce(
  folder: string,
  { postgres, store, to_postgres, to_store }: FaultServices,
): Promise<{ servers: FaultsFixture['servers']; violations: string[] }> {
  const start = performance.now()
  // All processes of one installation share a base URL, which is the issuer of their tokens.
  const shared = await postgresSettings(postgres.urlWithPort(to_postgres.port))
  const starting = Array.from({ length: processes_at_once }, async (_, index) => {
    const server = new ServerProcess({
      ...shared,
      PORT: String(await freePort()),
      ...store.settingsWithPort(to_store.port),
      SWATH_DATA_DIR: join(folder, String(index)),
      SWATH_SECRET: 'the secret that all processes of this proof share',
      STATEMENT_TIMEOUT_MS: String(statement_ms),
      RASTER_THREADS: '1',
      MAX_WAIT_MS: '',
    })
    await server.start()
    return server
  })
  const started = await Promise.allSettled(starting)
  const servers = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const dead = started.length - servers.length
  const took_s = ((performance.now() - start) / 1000).toFixed(1)
  console.log(
    `${dead === 0 ? 'passed' : 'FAILED'}  four processes start at once: ${servers.length} ready after ${took_s} s`,
  )
  for (const server of servers.slice(kept_processes)) await server.kill()
  if (servers.length < kept_processes) throw new Error('too few processes started')
  return {
    servers: servers.slice(0, kept_processes),
    violations: dead === 0 ? [] : [`${dead} of ${processes_at_once} processes did not start on an empty database`],
  }
}

async function openWorkload({ client, token }: ServerProcess): Promise<FaultsWorkload> {
  await grantCredits(client)
  const { projects } = await client.call<{ projects: { id: string }[] }>('projects.list', {})
  const createHostOffer = async (host: string) => createOffer(client, await findScenes(client, host))
  const offers = await Promise.all(['open', 'commercial'].map(createHostOffer))
  const image = new Uint8Array(await encodeCog(sceneInput))
  return { token: await token(), project: projects[0]!.id, image, offers, placements: [], uploads: [] }
}

async function tryFault(fixture: FaultsFixture, fault: InjectedFault, short: boolean): Promise<string[]> {
  const impossibleReason = fault.whyImpossible?.(fixture) ?? null
  if (impossibleReason !== null) {
    console.log(`skipped  ${fault.name}: ${impossibleReason}`)
    return []
  }
  const violations: string[] = []
  // A token that outlives the fault: signing in is impossible without the database.
  fixture.workload.token = await createTokenSource(pickServer(fixture, 0).url, administrator)()
  const callers = startCallers(fixture, short ? 2 : 1)
  await pause(300)
  await fault.begin(fixture)
  const duration_ms = short ? fault.duration_ms.short : fault.duration_ms.full
  const [unready_ms, ended] = await Promise.all([
    fault.makesUnready ? timeUntilUnready(fixture, duration_ms) : null,
    pause(duration_ms),
  ])
  void ended
  await fault.end(fixture)
  const recovery_ms = await timeUntilRecovered(fixture)
  await callers.stop()
  const { tally, slowest, internal } = callers.log
  const limit_ms = max_response_ms + (fault.name.includes('frozen') ? duration_ms : 0)
  if (fault.makesUnready && (unready_ms === null || unready_ms > max_unready_ms)) {
    violations.push(unready_ms === null ? '/readyz never failed' : `/readyz failed after ${Math.round(unready_ms)} ms`)
  }
  if (recovery_ms === null) violations.push(`calls did not succeed again within ${max_recovery_ms / 1000} s`)
  if (slowest.ms > limit_ms) violations.push(`${slowest.call} took ${Math.round(slowest.ms)} ms`)
  if (internal.length > 0) violations.push(`${internal.length} internal errors, such as ${internal[0]}`)
  const summary = `${totalCount(tally)} calls (${describeTally(tally)}), longest ${Math.round(slowest.ms)} ms (${slowest.call})`
  const unreadyText = fault.makesUnready
    ? `/readyz ${unready_ms === null ? 'never failed' : `failed after ${Math.round(unready_ms)} ms`}`
    : '/readyz not checked'
  const recoveryText = recovery_ms === null ? 'no recovery' : `recovered after ${Math.round(recovery_ms)} ms`
  console.log(
    `${violations.length === 0 ? 'passed' : 'FAILED'}  ${fault.name}: ${summary}; ${unreadyText}; ${recoveryText}`,
  )
  return violations.map((sentence) => `${fault.name}: ${sentence}`)
}

/** Time from the start of the fault until `/readyz` of the first process fails. */
async function timeUntilUnready(fixture: FaultsFixture, limit_ms: number): Promise<number | null> {
  const start = performance.now()
  const find = async (): Promise<number | false> => {
    const request = fetch(`${pickServer(fixture, 0).url}/readyz`, { signal: AbortSignal.timeout(10_000) })
    const answer = await request.catch(() => null)
    return answer !== null && !answer.ok && performance.now() - start
  }
  return waitFor(find, { timeout_ms: limit_ms })
}

/** Time until every process is ready, searches and estimates orders successfully again. */
async function timeUntilRecovered(fixture: FaultsFixture): Promise<number | null> {
  const start = performance.now()
  const agent = createKeepAliveAgent(4)
  const { token, offers } = fixture.workload
  const requests = [
    { method: 'GET', path: '/readyz' } as const,
    createOperationCall('stac.search', { limit: 1 }, token),
    createOperationCall('orders.archive.estimate', { captures: offers[0]!.captures }, token),
  ]
  const calls = fixture.servers.flatMap(({ url }) => requests.map((request) => ({ url, request })))
  const find = async (): Promise<number | false> => {
    const answers = await Promise.all(calls.map(({ url, request }) => send(url, request, agent, max_recovery_ms)))
    return answers.every(({ outcome }) => outcome === '200') && performance.now() - start
  }
  return waitFor(find, { timeout_ms: max_recovery_ms, poll_ms: 50 }).finally(() => agent.destroy())
}

/** Retries unanswered orders, waits for all deliveries, and checks orders and ledger. */
async function checkFinalState(fixture: FaultsFixture, short: boolean): Promise<string[]> {
  const { workload, postgres } = fixture
  const { client } = pickServer(fixture, 0)
  const start = performance.now()
  const violations = await retryPlacements(fixture)
  if (workload.uploads.length === 0) violations.push('no upload was ever completed')
  console.log(`every order had a response after ${Math.round(performance.now() - start)} ms`)
  const url = postgres.urlWithPort(postgres.port)
  await using database = closeAtEnd(await openPostgres({ url, pool_size: 2, statement_timeout_ms: 60_000 }))
  const expediting = short ? setInterval(() => void expediteTasks(database).catch(() => {}), 250) : undefined
  violations.push(...(await waitForDeliveries(client, workload.placements, max_settle_ms)))
  for (const upload_id of workload.uploads) {
    const find = async (): Promise<string | false> => {
      const { upload } = await client.call<{ upload: { status: string } }>('uploads.get', { upload_id })
      return upload.status !== 'ingesting' && upload.status
    }
    const status = (await waitFor(find, { timeout_ms: max_settle_ms })) ?? 'ingesting'
    if (status !== 'completed') violations.push(`upload ${upload_id} is ${status}`)
  }
  clearInterval(expediting)
  violations.push(...(await checkOrdersAndLedger(database, workload.placements)))
  const sentence = violations.length === 0 ? 'nothing was lost, no hold is open, the ledger balances' : 'FAILED'
  console.log(`final state: ${sentence}`)
  return violations
}

/** Makes retries due at once, and releases tasks whose worker has died. */
async function expediteTasks({ unscoped }: Database): Promise<void> {
  await unscoped.query(
    sql`update boss.job set start_after = now() where state in ('created', 'retry') and start_after > now()`,
  )
  await unscoped.query(sql`
    update boss.job set state = 'created', started_on = null, heartbeat_on = null
    where state = 'active' and heartbeat_on < now() - interval '25 seconds'`)
}

/** Sends every order again with its key: a completed one must return the same order id. */
async function retryPlacements(fixture: FaultsFixture): Promise<string[]> {
  const violations: string[] = []
  const retry = async (placement: OrderPlacement): Promise<void> => {
    const { order: before, key } = placement
    placement.order = null
    let turn = 0
    const place = () => placeOrder(pickServer(fixture, turn++).client, placement)
    await repeatCall(key, place).catch((error: Error) => violations.push(error.message))
    if (before !== null && placement.order !== before)
      violations.push(`the key ${key} returned order ${before} and then ${placement.order}`)
  }
  const left = [...fixture.workload.placements]
  const sender = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await retry(next)
  }
  await Promise.all(Array.from({ length: senders }, sender))
  return violations
}
