import { setTimeout as pause } from 'node:timers/promises'
import { describeTally, totalCount, type OutcomeTally } from '../load/samples.ts'
import type { ProbeSample } from '../load/probe-process.ts'
import type { Probe } from '../load/probe.ts'
import { sumMemoryBytes, watchMemory } from '../harness/process-tree.ts'
import { startNeighbourWork, type NeighbourWorkTimes } from './neighbour-work.ts'
import { neighbour_tile, type Attack, type AttackBounds, type AttackTarget } from './attack-target.ts'

const mebibyte = 1024 * 1024
const sample_interval_ms = 100
/** Work that was cancelled ends within two seconds, which the last samples include. */
const after_ms = 2500

export interface HostileProbes {
  readonly health: Probe
  readonly neighbour: Probe
}

interface ProbeMeasurement {
  readonly health_ms: number
  /** Of the other organization. */
  readonly calls: readonly ProbeSample[]
  /** Outcomes of calls that were not successful. */
  readonly refusals: readonly string[]
}

const maxTook = (samples: readonly ProbeSample[]): number => Math.max(0, ...samples.map(({ took_ms }) => took_ms))

/** Takes the samples since the last time. */
export async function measure({ health, neighbour }: HostileProbes): Promise<ProbeMeasurement> {
  const [healthSamples, calls] = [await health.take(), await neighbour.take()]
  const refusals = [...healthSamples, ...calls]
    .map(({ outcome }) => outcome)
    .filter((outcome) => outcome !== '200' && outcome !== 'waiting')
  return { health_ms: maxTook(healthSamples), calls, refusals }
}

/** Starts an attack, and waits for its preparation, which is not measured. */
export async function beginAttack(
  { run }: Attack,
  target: AttackTarget,
  duration_ms: number,
): Promise<{ readonly ended: Promise<OutcomeTally> }> {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const ended = run(target, () => {
    begin()
    return performance.now() + duration_ms
  })
  await Promise.race([begun, ended])
  return { ended }
}

interface BoundedTrial {
  readonly pid: number
  readonly target: AttackTarget
  readonly probes: HostileProbes
  readonly attack: Attack
  readonly bounds: AttackBounds
  /** Of `/healthz`. */
  readonly max_health_ms: number
}

const describeWork = (
  { statistics_ms, job_ms }: NeighbourWorkTimes,
  { max_statistics_ms, max_job_ms }: NonNullable<AttackBounds['work']>,
) =>
  [
    ["the other organization's statistics took", statistics_ms, 'ms', max_statistics_ms],
    ["the other organization's small job took", job_ms, 'ms', max_job_ms],
  ] as const

/** Runs one attack, and compares what others waited and the memory with its bounds. */
export async function tryWithinBounds(trial: BoundedTrial): Promise<string[]> {
  const { pid, target, probes, attack, bounds, max_health_ms } = trial
  const { ended } = await beginAttack(attack, target, target.short ? 4000 : 15_000)
  await measure(probes)
  const before = await sumMemoryBytes(pid, 'VmRSS')
  const memory = watchMemory(pid, 'VmRSS', sample_interval_ms)
  const work = bounds.work ? startNeighbourWork(target) : null
  const tally = await ended
  const done = bounds.work ? await work!.end(2 * bounds.work.max_job_ms) : null
  await pause(after_ms)
  const { health_ms, calls, refusals: probeRefusals } = await measure(probes)
  const refusals = [...probeRefusals, ...(done?.refusals ?? [])]
  const growth_mib = Math.max(0, ((await memory.peak()) - before) / mebibyte)
  memory.stop()
  const tiles = calls.filter(({ request }) => request === neighbour_tile)
  const figures = [
    ['/healthz waited', health_ms, 'ms', max_health_ms],
    ["the other organization's tile waited", maxTook(tiles), 'ms', bounds.max_tile_ms],
    ['the memory grew by', growth_mib, 'MiB', bounds.max_growth_mib],
    ...(done ? describeWork(done, bounds.work!) : []),
  ] as const
  const violations = figures
    .filter(([, value, , bound]) => !(value <= bound))
    .map(([what, value, unit, bound]) => `${what} ${Math.round(value)} ${unit}, over ${bound} ${unit}`)
  const { reaches } = attack
  if (reaches && ![...tally.keys()].some((outcome) => reaches.test(outcome)))
    violations.push(`no call ended with ${reaches.source}`)
  if (tiles.length === 0) violations.push('the other organization had no tile')
  if (done?.jobs === 0) violations.push('no job of the other organization completed')
  if (refusals.length > 0)
    violations.push(`${refusals.length} calls of others ended with ${[...new Set(refusals)].join(', ')}`)
  const described = figures.map(([what, value, unit, bound]) => `${what} ${Math.round(value)} of ${bound} ${unit}`)
  console.log(
    `${violations.length === 0 ? 'passed' : 'FAILED'}  ${attack.name}: ${totalCount(tally)} (${describeTally(tally)}); ${described.join('; ')}`,
  )
  return violations.map((sentence) => `${attack.name}: ${sentence}`)
}
