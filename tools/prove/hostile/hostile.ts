import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProbeSample } from '../load/probe-process.ts'
import { startProbe, type Probe } from '../load/probe.ts'
import { describeTally, summarize, total, type Summary } from '../load/samples.ts'
import { atTurn, keptConnections, send } from '../load/sender.ts'
import { enterPeople, withAdministrator } from '../load/tenants.ts'
import type { ProofOptions, Verdict } from '../proof.ts'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import { postgresSettings, startServer, type ServerProcess } from '../server-process.ts'
import { attacks } from './attacks.ts'
import { neighbourCalls, people, prepareTarget, type Attack, type Target } from './target.ts'

/** Maximum latency of `/healthz`. */
const health_limit_ms = 250
const factor = 3
/** Latencies that are always accepted: on two busy cores a call of two milliseconds takes more than six. */
const floors = { median_ms: 50, p95_ms: 150 }
const mebibyte = 1024 * 1024
/** Work of disconnected callers may continue for this long. */
const calm_limit_ms = 10_000

interface Watch {
  readonly health: Probe
  readonly neighbour: Probe
}

interface Measured {
  readonly health_ms: number
  readonly calls: Summary
  readonly took_ms: readonly number[]
  readonly refusals: readonly string[]
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Attacks a real server on two cores, one attack after the other, while one process polls `/healthz` every few milliseconds
 * and another one makes calls of an unrelated organization. No attack may block `/healthz`, or make calls of the other
 * organization take more than three times as long as without it.
 */
export async function proveHostile({ short, only = '' }: ProofOptions): Promise<Verdict> {
  const chosen = attacks.filter(({ name }) => name.includes(only))
  if (chosen.length === 0) throw new Error(`no attack has "${only}" in its name`)
  const folder = await mkdtemp(join(tmpdir(), 'swath-hostile-'))
  const environment = await settingsIn(folder)
  await enterPeople(environment, people)
  let server = await startOnTwoCores(environment)
  const violations: string[] = []
  let watch: Watch | null = null
  try {
    // Attackers would run on other machines, so they get the lowest share of this one.
    setPriority(10)
    const target = await prepareTarget(server.url, short)
    watch = startWatch(target)
    await pause(1000)
    for (const attack of chosen) {
      const { found, calm } = await tryAttack({
        server,
        target,
        watch,
        attack,
        isEmbedded: !process.env['DATABASE_URL'],
      })
      violations.push(...found)
      if (calm) continue
      // Work that is still running would affect the next attack.
      await server.kill()
      server = await startOnTwoCores(environment)
      await untilCalm(target)
    }
  } finally {
    watch?.health.stop()
    watch?.neighbour.stop()
    await server.kill()
    await rm(folder, { recursive: true, force: true })
  }
  return { tried: `${chosen.length} attacks`, violations }
}

/** Settings with the embedded database unless DATABASE_URL is set; the port is fixed, so that probes survive a restart. */
async function settingsIn(folder: string): Promise<Record<string, string>> {
  const database = process.env['DATABASE_URL']
  const where = database ? await postgresSettings(database) : { DATABASE_URL: '', PORT: String(await freePort()) }
  // Concurrency limits are the defaults. Rate limits are off, so that they do not end an attack at once.
  return withAdministrator({ ...where, SWATH_DATA_DIR: folder, RASTER_THREADS: '2', MAX_WAIT_MS: '' })
}

async function startOnTwoCores(environment: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const server = await startServer(environment)
  if (availableParallelism() > 2) {
    const { status } = spawnSync('taskset', ['-acp', '0,1', String(server.pid)], { stdio: 'ignore' })
    if (status !== 0) console.log('the server could not be pinned to two cores')
  }
  return server
}

function startWatch(target: Target): Watch {
  const { url } = target
  return {
    health: startProbe({ url, requests: [{ method: 'GET', path: '/healthz' }], rest_ms: 12, callers: 1 }),
    neighbour: startProbe({ url, requests: neighbourCalls(target), rest_ms: 20, callers: 1 }),
  }
}

async function measure({ health, neighbour }: Watch): Promise<Measured> {
  const [beats, calls] = [await health.take(), await neighbour.take()]
  const longest = (samples: readonly ProbeSample[]): number => Math.max(0, ...samples.map(({ took_ms }) => took_ms))
  const refused = [...beats, ...calls].filter(({ outcome }) => outcome !== '200' && outcome !== 'waiting')
  const took_ms = calls.map((call) => call.took_ms)
  return {
    health_ms: longest(beats),
    calls: summarize(took_ms),
    took_ms,
    refusals: refused.map(({ outcome }) => outcome),
  }
}

/**
 * Latencies without an attack, measured before and after each one, since the load of the machine varies. Earlier samples
 * are discarded.
 */
async function measureQuiet(watch: Watch, short: boolean): Promise<Measured> {
  await measure(watch)
  await pause(short ? 1500 : 5000)
  const quiet = await measure(watch)
  if (quiet.refusals.length > 0)
    throw new Error(`a call of the other organization ended with ${quiet.refusals[0]} without an attack`)
  return quiet
}

interface Trial {
  readonly server: ServerProcess
  readonly target: Target
  readonly watch: Watch
  readonly attack: Attack
  readonly isEmbedded: boolean
}

async function tryAttack(trial: Trial): Promise<{ found: string[]; calm: boolean }> {
  const { server, target, watch, attack, isEmbedded } = trial
  const before = await residentBytes(server.pid)
  const quietBefore = await measureQuiet(watch, target.short)
  let begun = false
  const until = (): number => {
    begun = true
    return performance.now() + (target.short && !attack.embedded_longest_ms ? 3000 : 10_000)
  }
  const running = attack.run(target, until)
  // The preparation of an attack is not measured.
  while (!begun && !(await Promise.race([running.then(() => true), pause(5).then(() => false)])));
  await measure(watch)
  const tally = await running
  const beside = await measure(watch)
  const calm_ms = await untilCalm(target)
  const quietAfter = calm_ms === null ? quietBefore : await measureQuiet(watch, target.short)
  const quiet = summarize([...quietBefore.took_ms, ...quietAfter.took_ms])
  const found = judge(attack, quiet, beside, isEmbedded)
  if (calm_ms === null)
    found.push(`${attack.name}: the other organization still waited ${calm_limit_ms / 1000} s afterwards`)
  const after = await residentBytes(server.pid)
  const rss = `RSS ${Math.round(before / mebibyte)} → ${Math.round(after / mebibyte)} MiB`
  const answers = `${total(tally)} requests (${describeTally(tally)})`
  const times = `/healthz ${Math.round(beside.health_ms)} ms; other organization ${describe(quiet)} → ${describe(beside.calls)}`
  console.log(
    `${found.length === 0 ? 'passed' : 'FAILED'}  ${attack.name}: ${answers}; ${times}; ${calm_ms === null ? 'no recovery' : `recovered after ${Math.round(calm_ms)} ms`}; ${rss}`,
  )
  return { found, calm: calm_ms !== null }
}

const describe = ({ count, median_ms, p95_ms, max_ms }: Summary): string =>
  `${median_ms.toFixed(0)}/${p95_ms.toFixed(0)}/${max_ms.toFixed(0)} ms (median/p95/max of ${count})`

function judge({ name, embedded_longest_ms }: Attack, quiet: Summary, beside: Measured, isEmbedded: boolean): string[] {
  const found: string[] = []
  const longest_ms = (isEmbedded && embedded_longest_ms) || null
  if (beside.health_ms >= health_limit_ms) found.push(`/healthz waited ${Math.round(beside.health_ms)} ms`)
  if (longest_ms !== null && !(beside.calls.max_ms < longest_ms)) {
    found.push(`a call of the other organization waited ${beside.calls.max_ms.toFixed(0)} ms, over ${longest_ms} ms`)
  }
  for (const figure of longest_ms === null ? (['median_ms', 'p95_ms'] as const) : (['median_ms'] as const)) {
    const limit = Math.max(factor * quiet[figure], floors[figure])
    const value = beside.calls[figure]
    // Without any response the value is NaN, which must fail.
    if (!(value < limit)) {
      found.push(
        `the other organization's ${figure.replace('_ms', '')} was ${value.toFixed(0)} ms, over ${limit.toFixed(0)} ms`,
      )
    }
  }
  if (beside.refusals.length > 0) {
    found.push(`${beside.refusals.length} calls of the other organization ended with ${[...new Set(beside.refusals)].join(', ')}`)
  }
  return found.map((sentence) => `${name}: ${sentence}`)
}

/** Time until calls of the other organization succeed again; null if it exceeds the limit. */
async function untilCalm(target: Target): Promise<number | null> {
  const start = performance.now()
  const agent = keptConnections(1)
  try {
    while (performance.now() - start < calm_limit_ms) {
      const answers = []
      for (const request of neighbourCalls(target)) {
        answers.push(
          await send(target.url, atTurn(request, 0), agent, Math.max(1, calm_limit_ms + start - performance.now())),
        )
      }
      if (answers.every(({ outcome }) => outcome === '200')) return performance.now() - start
    }
    return null
  } finally {
    agent.destroy()
  }
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? NaN) * 1024
}
