import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '../../../packages/server/src/platform/ids.ts'
import { timed } from '../../bench/runner.ts'
import { startServer, type ServerProcess } from '../harness/server-process.ts'
import { countOutcome, describeTally, type OutcomeTally } from '../load/samples.ts'
import { createTenantClient, type Tenant } from '../load/tenants.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { interruptDistribution, interruptions, runDbCommand } from './db-command.ts'
import { countShards, joinWorkers, loadExtension, readDatabaseSizes, readHiddenSize, startWorkers } from './nodes.ts'
import { countFoundItems, orderScene, startPlainInstallation, type PlainInstallation } from './plain-installation.ts'
import { compareContents, describeContents, readTableContents } from './table-contents.ts'

/** Of the three logs together, also after years: each shard is a table with indexes. */
const max_log_shards = 2_000

/** One way of moving in. */
interface MoveCase {
  readonly name: string
  /** At most; the time of the first case is that of its number of items. */
  readonly max_items: number
  /** Returns the seconds for which nothing was served. */
  readonly distribute: (installation: PlainInstallation, server: ServerProcess, violations: string[]) => Promise<number>
}

/** Does a step of the operator; prints and returns its seconds. */
async function runStep(name: string, work: () => Promise<unknown>): Promise<number> {
  const seconds = (await timed(work)) / 1000
  console.log(`  ${name}: ${seconds.toFixed(1)} s`)
  return seconds
}

/** Calls of one tenant every tenth of a second, by their outcome, and the longest time without a successful one. */
function startProbe(url: string, tenant: Tenant): { stop: () => Promise<{ tally: OutcomeTally; gap_s: number }> } {
  const client = createTenantClient(url, tenant)
  const tally: OutcomeTally = new Map()
  let [isEnded, last, gap_ms] = [false, performance.now(), 0]
  const probing = (async () => {
    while (!isEnded) {
      const outcome = await client.call('items.list', { project_id: tenant.project, limit: 1 }).then(
        () => 200,
        (error: unknown) => (error as { status?: number }).status ?? 'no response',
      )
      countOutcome(tally, outcome)
      const now = performance.now()
      gap_ms = Math.max(gap_ms, now - last)
      if (outcome === 200) last = now
      await pause(100)
    }
  })()
  return {
    stop: async () => {
      isEnded = true
      await probing
      return { tally, gap_s: gap_ms / 1000 }
    },
  }
}

/** Moves with the processes stopped, as documented; all rows must be the same before and after. */
async function distributeStopped(
  installation: PlainInstallation,
  server: ServerProcess,
  violations: string[],
): Promise<number> {
  let pause_s = await runStep('the processes are stopped', () => server.stop())
  const before = await readTableContents(installation.database_url)
  console.log(`  rows: ${describeContents(before)}`)
  pause_s += await runStep('db -- migrate', () => runDbCommand(installation, 'migrate'))
  pause_s += await runStep('db -- distribute', () => runDbCommand(installation, 'distribute'))
  violations.push(...compareContents(before, await readTableContents(installation.database_url)))
  pause_s += await runStep('the processes start, and a call is answered', async () => {
    await server.start()
    await countFoundItems(server.url, installation.tenants.slice(0, 1))
  })
  return pause_s
}

/** The same with a distribution that is interrupted again and again. */
async function distributeInterrupted(
  installation: PlainInstallation,
  server: ServerProcess,
  violations: string[],
): Promise<number> {
  await server.stop()
  const before = await readTableContents(installation.database_url)
  await runDbCommand(installation, 'migrate')
  for (const interruption of interruptions) {
    console.log(`  ${await interruptDistribution(installation, interruption)}`)
    violations.push(...compareContents(before, await readTableContents(installation.database_url)))
  }
  const pause_s = await runStep('db -- distribute, to its end', () => runDbCommand(installation, 'distribute'))
  violations.push(...compareContents(before, await readTableContents(installation.database_url)))
  await server.start()
  return pause_s
}

/** Calls while tables are distributed one after another, which is not how to do it: says what they get. */
async function distributeServing(
  installation: PlainInstallation,
  server: ServerProcess,
  violations: string[],
): Promise<number> {
  await server.stop()
  await runDbCommand(installation, 'migrate')
  await using serving = await startServer({ ...installation.settings, SWATH_DATABASE_MODE: 'citus' })
  const tenant = installation.tenants[0]!
  const client = createTenantClient(serving.url, tenant)
  const probe = startProbe(serving.url, tenant)
  const [acknowledged, tally]: [string[], OutcomeTally] = [[], new Map()]
  let isEnded = false
  const writing = (async () => {
    while (!isEnded) {
      const input = { project_id: tenant.project, name: `Collection ${newId()}` }
      const outcome = await client.call<{ id: string }>('collections.create', input).then(
        ({ id }) => acknowledged.push(id) && 200,
        (error: unknown) => (error as { status?: number }).status ?? 'no response',
      )
      countOutcome(tally, outcome)
      await pause(100)
    }
  })()
  const pause_s = await runStep('db -- distribute, while a process serves', () =>
    runDbCommand(installation, 'distribute'),
  )
  isEnded = true
  await writing
  const { tally: reads, gap_s } = await probe.stop()
  console.log(`  reads: ${describeTally(reads)}, longest gap ${gap_s.toFixed(1)} s; writes: ${describeTally(tally)}`)
  await serving.stop()
  await server.start()
  const { collections } = await createTenantClient(server.url, tenant).call<{ collections: { id: string }[] }>(
    'collections.list',
    { project_id: tenant.project },
  )
  const found = new Set(collections.map(({ id }) => id))
  const lost = acknowledged.filter((id) => !found.has(id))
  if (lost.length > 0) violations.push(`${lost.length} collections that were acknowledged are lost`)
  return pause_s
}

const cases: readonly MoveCase[] = [
  { name: 'stopped', max_items: Infinity, distribute: distributeStopped },
  { name: 'interrupted', max_items: 20_000, distribute: distributeInterrupted },
  { name: 'serving', max_items: 20_000, distribute: distributeServing },
]

/** Moves one installation; returns what is wrong afterwards. */
async function moveIn({ name, max_items, distribute }: MoveCase, items: number): Promise<string[]> {
  const violations: string[] = []
  console.log(`${name}, ${Math.min(items, max_items)} items`)
  await using installation = await startPlainInstallation(Math.min(items, max_items))
  const { server: coordinator, database_url, settings, tenants } = installation
  const plainSize = await readDatabaseSizes(database_url, [coordinator])
  await using server = await startServer(settings)
  const foundBefore = await countFoundItems(server.url, tenants)
  const workers = await startWorkers(installation)
  const probe = startProbe(server.url, tenants[0]!)
  await runStep('PostgreSQL restarts with the extension loaded, while it serves', () => loadExtension(installation))
  await runStep('extension, workers and roles, while it serves', () => joinWorkers(installation, workers))
  const { tally, gap_s } = await probe.stop()
  console.log(`  calls meanwhile: ${describeTally(tally)}; longest time without an answer ${gap_s.toFixed(1)} s`)
  const pause_s = await distribute(installation, server, violations)
  console.log(`  pause of the service: ${pause_s.toFixed(1)} s`)
  const foundAfter = await countFoundItems(server.url, tenants)
  if (String(foundBefore) !== String(foundAfter))
    violations.push(`items found: ${foundBefore} before, ${foundAfter} after`)
  for (const tenant of tenants) await orderScene(server.url, tenant)
  const sizes = await readDatabaseSizes(database_url, [coordinator, ...workers])
  console.log(`  MiB: ${plainSize} before; ${sizes.join(' + ')} on the coordinator and the workers`)
  const hidden_bytes = await readHiddenSize(database_url)
  if (hidden_bytes > 0) violations.push(`the coordinator still has ${hidden_bytes} bytes of rows that the workers have`)
  const shards = await countShards(database_url)
  console.log(`  shards: ${shards.all}, of it ${shards.ofLogs} of the three logs`)
  if (shards.ofLogs > max_log_shards) violations.push(`the logs have ${shards.ofLogs} shards`)
  console.log(await runDbCommand(installation, 'size'))
  return violations.map((violation) => `${name}: ${violation}`)
}

/**
 * Moves an installation from one PostgreSQL without the extension to a cluster, as docs/operate/many-hosts.md says: no row may be lost
 * or changed, also when the distribution is interrupted. Prints the seconds of each step. `--items` of the case `stopped`; `--only` a case.
 */
export async function proveCitusMoveIn({ items = 20_000, only = '' }: ProofOptions): Promise<ProofResult> {
  const violations: string[] = []
  const chosen = cases.filter(({ name }) => name.includes(only))
  for (const each of chosen) violations.push(...(await moveIn(each, items)))
  return { tried: `${chosen.length} moves to a cluster`, violations }
}
