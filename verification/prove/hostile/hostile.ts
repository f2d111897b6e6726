import { spawnSync } from 'node:child_process'
import { availableParallelism, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { startProbe } from '../load/probe.ts'
import { describeTally, summarize, totalCount, type LatencySummary } from '../load/samples.ts'
import { withTurn, createKeepAliveAgent, send } from '../load/sender.ts'
import { createUsers } from '../load/tenants.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import { createFolder, waitFor } from '../harness/resources.ts'
import { postgresSettings, startServer, type ServerProcess } from '../harness/server-process.ts'
import { readMemoryBytes } from '../harness/process-tree.ts'
import { createNeighbourCalls, userEmails, prepareTarget, type Attack, type AttackTarget } from './attack-target.ts'
import { beginAttack, measure, tryWithinBounds, type HostileProbes } from './bounded-trial.ts'
import { attacks } from './attacks.ts'
import { geometryAttacks } from './geometry-attacks.ts'
import { workAttacks } from './work-attacks.ts'

/** Maximum latency of `/healthz`. */
const health_limit_ms = 250
const max_slowdown = 3
/** Latencies that are always accepted: on two busy cores a call of two milliseconds takes more than six. */
const min_limits = { median_ms: 50, p95_ms: 150 }
const mebibyte = 1024 * 1024
/** Work of disconnected callers may continue for this long. */
const calm_limit_ms = 10_000

/**
 * Attacks a real server on two cores, one attack after the other, while one process polls `/healthz` every few milliseconds
 * and another one makes calls of an unrelated organization. No attack may block `/healthz`, or make calls of the other
 * organization take more than three times as long as without it.
 */
export async function proveHostile({ short, only = '' }: ProofOptions): Promise<ProofResult> {
  const chosen = chooseAttacks(short, only)
  if (chosen.length === 0) throw new Error(`no attack has "${only}" in its name`)
  await using folder = await createFolder('hostile')
  // The port is fixed, so that probes survive a restart. Concurrency limits are the defaults. Rate limits are off, so that they
  // do not end an attack at once.
  const environment = {
    PORT: String(await freePort()),
    ...(await postgresSettings(process.env['DATABASE_URL'] ?? null)),
    SWATH_DATA_DIR: folder.path,
    RASTER_THREADS: '2',
    MAX_WAIT_MS: '',
  }
  await createUsers(environment, userEmails)
  await using server = await startServer(environment)
  pinToTwoCores(server)
  const violations: string[] = []
  let probes: HostileProbes | null = null
  try {
    // Attackers would run on other machines, so they get the lowest share of this one.
    setPriority(10)
    const target = await prepareTarget(server.url, short)
    probes = startWatch(target)
    await pause(1000)
    let before: readonly number[] | null = null
    for (const attack of chosen) {
      const isEmbedded = !process.env['DATABASE_URL']
      const trial = { server, target, watch: probes, attack, isEmbedded, before }
      const { attackViolations, isCalm, after } = await tryAttack(trial)
      violations.push(...attackViolations)
      before = short && isCalm ? after : null
      if (isCalm) continue
      // Work that is still running would affect the next attack.
      await server.restart()
      pinToTwoCores(server)
      await waitUntilCalm(target)
    }
  } finally {
    probes?.health.stop()
    probes?.neighbour.stop()
  }
  return { tried: `${chosen.length} attacks`, violations }
}

function pinToTwoCores({ pid }: ServerProcess): void {
  if (availableParallelism() <= 2) return
  const { status } = spawnSync('taskset', ['-acp', '0,1', String(pid)], { stdio: 'ignore' })
  if (status !== 0) console.log('the server could not be pinned to two cores')
}

function startWatch(target: AttackTarget): HostileProbes {
  const { url } = target
  return {
    health: startProbe({ url, requests: [{ method: 'GET', path: '/healthz' }], interval_ms: 12, callers: 1 }),
    neighbour: startProbe({ url, requests: createNeighbourCalls(target), interval_ms: 20, callers: 1 }),
  }
}

/**
 * Latencies without an attack, measured before and after each one, since the load of the machine varies. Earlier samples
 * are discarded.
 */
async function measureBaseline(probes: HostileProbes, short: boolean): Promise<number[]> {
  await measure(probes)
  await pause(short ? 1500 : 5000)
  const baseline = await measure(probes)
  if (baseline.refusals.length > 0)
    throw new Error(`a call of the other organization ended with ${baseline.refusals[0]} without an attack`)
  return baseline.calls.map(({ took_ms }) => took_ms)
}

interface AttackTrial {
  readonly server: ServerProcess
  readonly target: AttackTarget
  readonly watch: HostileProbes
  readonly attack: Attack
  readonly isEmbedded: boolean
  /** Latencies of the other organization after the previous attack, which the short form uses as those before this one. */
  readonly before: readonly number[] | null
}

interface AttackResult {
  readonly attackViolations: string[]
  readonly isCalm: boolean
  readonly after: readonly number[] | null
}

async function tryAttack(trial: AttackTrial): Promise<AttackResult> {
  const { server, target, watch: probes, attack, isEmbedded } = trial
  const { bounds } = attack
  if (bounds) {
    const bounded = { pid: server.pid, target, probes, attack, bounds, max_health_ms: health_limit_ms }
    const attackViolations = await tryWithinBounds(bounded)
    return { attackViolations, isCalm: (await waitUntilCalm(target)) !== null, after: null }
  }
  const before = await readMemoryBytes(server.pid)
  const baselineBefore = trial.before ?? (await measureBaseline(probes, target.short))
  const { ended } = await beginAttack(attack, target, target.short && !attack.embedded_max_ms ? 3000 : 10_000)
  await measure(probes)
  const tally = await ended
  const { health_ms, calls, refusals } = await measure(probes)
  const duringAttack = { health_ms, refusals, calls: summarize(calls.map(({ took_ms }) => took_ms)) }
  const calm_ms = await waitUntilCalm(target)
  const baselineAfter = calm_ms === null ? [] : await measureBaseline(probes, target.short)
  const baseline = summarize([...baselineBefore, ...baselineAfter])
  const attackViolations = findViolations(attack, baseline, duringAttack, isEmbedded)
  if (calm_ms === null)
    attackViolations.push(`${attack.name}: the other organization still waited ${calm_limit_ms / 1000} s afterwards`)
  const after = await readMemoryBytes(server.pid)
  const rss = `RSS ${Math.round(before / mebibyte)} → ${Math.round(after / mebibyte)} MiB`
  const answers = `${totalCount(tally)} requests (${describeTally(tally)})`
  const times = `/healthz ${Math.round(duringAttack.health_ms)} ms; other organization ${describe(baseline)} → ${describe(duringAttack.calls)}`
  console.log(
    `${attackViolations.length === 0 ? 'passed' : 'FAILED'}  ${attack.name}: ${answers}; ${times}; ${calm_ms === null ? 'no recovery' : `recovered after ${Math.round(calm_ms)} ms`}; ${rss}`,
  )
  return { attackViolations, isCalm: calm_ms !== null, after: baselineAfter }
}

const describe = ({ count, median_ms, p95_ms, max_ms }: LatencySummary): string =>
  `${median_ms.toFixed(0)}/${p95_ms.toFixed(0)}/${max_ms.toFixed(0)} ms (median/p95/max of ${count})`

function findViolations(
  { name, embedded_max_ms }: Attack,
  baseline: LatencySummary,
  duringAttack: { readonly health_ms: number; readonly calls: LatencySummary; readonly refusals: readonly string[] },
  isEmbedded: boolean,
): string[] {
  const attackViolations: string[] = []
  const max_wait_ms = (isEmbedded && embedded_max_ms) || null
  if (duringAttack.health_ms >= health_limit_ms)
    attackViolations.push(`/healthz waited ${Math.round(duringAttack.health_ms)} ms`)
  if (max_wait_ms !== null && !(duringAttack.calls.max_ms < max_wait_ms)) {
    attackViolations.push(
      `a call of the other organization waited ${duringAttack.calls.max_ms.toFixed(0)} ms, over ${max_wait_ms} ms`,
    )
  }
  for (const figure of max_wait_ms === null ? (['median_ms', 'p95_ms'] as const) : (['median_ms'] as const)) {
    const limit = Math.max(max_slowdown * baseline[figure], min_limits[figure])
    const value = duringAttack.calls[figure]
    // Without any response the value is NaN, which must fail.
    if (!(value < limit)) {
      attackViolations.push(
        `the other organization's ${figure.replace('_ms', '')} was ${value.toFixed(0)} ms, over ${limit.toFixed(0)} ms`,
      )
    }
  }
  if (duringAttack.refusals.length > 0) {
    attackViolations.push(
      `${duringAttack.refusals.length} calls of the other organization ended with ${[...new Set(duringAttack.refusals)].join(', ')}`,
    )
  }
  return attackViolations.map((sentence) => `${name}: ${sentence}`)
}

/** Time until calls of the other organization succeed again; null if it exceeds the limit. */
async function waitUntilCalm(target: AttackTarget): Promise<number | null> {
  const start = performance.now()
  const agent = createKeepAliveAgent(1)
  const find = async (): Promise<number | false> => {
    for (const request of createNeighbourCalls(target)) {
      const left_ms = Math.max(1, calm_limit_ms + start - performance.now())
      const { outcome } = await send(target.url, withTurn(request, 0), agent, left_ms)
      if (outcome !== '200') return false
    }
    return performance.now() - start
  }
  return waitFor(find, { timeout_ms: calm_limit_ms, poll_ms: 0 }).finally(() => agent.destroy())
}

/** The tables of attacks, each in a file of its own. */
const attackTables: readonly (readonly Attack[])[] = [attacks, geometryAttacks, workAttacks]

/** Attacks of the other tables that the short form has, too: one of each kind of work. */
const shortAttacks: ReadonlySet<string> = new Set([
  'polygons that cross themselves',
  'bodies that are slow to parse',
  'process contours 2',
  'method histogram',
])

/**
 * The attacks whose names contain a text. The short form has those on the server as a whole and some others; the long one all
 * on each kind of geometry, body and computation, which take a quarter of an hour.
 */
const chooseAttacks = (short: boolean, only: string): readonly Attack[] =>
  attackTables
    .flat()
    .filter((attack) => !short || only !== '' || attacks.includes(attack) || shortAttacks.has(attack.name))
    .filter(({ name }) => name.includes(only))
