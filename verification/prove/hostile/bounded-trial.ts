import { describeTally, totalCount } from '../load/samples.ts'
import type { ProbeSample } from '../load/probe-process.ts'
import type { Probe } from '../load/probe.ts'
import { listProcessTree } from '../process-tree.ts'
import { readResidentBytes } from '../soak/read-memory.ts'
import { neighbour_tile, type Attack, type AttackBounds, type AttackTarget } from './attack-target.ts'

const mebibyte = 1024 * 1024
const sample_interval_ms = 100
/** Work that was cancelled ends within two seconds, which the last samples include. */
const after_ms = 2500

export interface BoundedTrial {
  readonly pid: number
  readonly target: AttackTarget
  readonly probes: { readonly health: Probe; readonly neighbour: Probe }
  readonly attack: Attack
  readonly bounds: AttackBounds
  /** Of `/healthz`. */
  readonly max_health_ms: number
}

/** The resident memory of a process and of those that it started. */
async function readFamilyBytes(pid: number): Promise<number> {
  const sizes = (await listProcessTree(pid)).map((id) => readResidentBytes(id).catch(() => 0))
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0)
}

/** Samples the memory until it is stopped; returns the most of it. */
function watchPeak(pid: number): () => number {
  let peak = 0
  const timer = setInterval(() => {
    readFamilyBytes(pid).then(
      (bytes) => (peak = Math.max(peak, bytes)),
      () => undefined,
    )
  }, sample_interval_ms)
  return () => {
    clearInterval(timer)
    return peak
  }
}

/** Runs one attack, and compares what others waited and the memory with its bounds. */
export async function tryWithinBounds(trial: BoundedTrial): Promise<string[]> {
  const { pid, target, probes, attack, bounds, max_health_ms } = trial
  let before = 0
  let stopWatch = (): number => 0
  let begin: () => void = () => undefined
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const running = attack.run(target, () => {
    begin()
    return performance.now() + (target.short ? 4000 : 15_000)
  })
  // The preparation of an attack is not measured.
  await Promise.race([begun, running])
  await Promise.all([probes.health.take(), probes.neighbour.take()])
  before = await readFamilyBytes(pid)
  stopWatch = watchPeak(pid)
  const tally = await running
  await new Promise((resolve) => setTimeout(resolve, after_ms))
  const [health, calls] = [await probes.health.take(), await probes.neighbour.take()]
  const growth_mib = Math.max(0, (stopWatch() - before) / mebibyte)
  const maxTook = (samples: readonly ProbeSample[]): number => Math.max(0, ...samples.map(({ took_ms }) => took_ms))
  const tiles = calls.filter(({ request }) => request === neighbour_tile)
  const refused = [...health, ...calls]
    .map(({ outcome }) => outcome)
    .filter((one) => one !== '200' && one !== 'waiting')
  const figures = [
    ['/healthz waited', maxTook(health), 'ms', max_health_ms],
    ["the other organization's tile waited", maxTook(tiles), 'ms', bounds.max_tile_ms],
    ['the memory grew by', growth_mib, 'MiB', bounds.max_growth_mib],
  ] as const
  const violations = figures
    .filter(([, value, , bound]) => !(value <= bound))
    .map(([what, value, unit, bound]) => `${what} ${Math.round(value)} ${unit}, over ${bound} ${unit}`)
  if (tiles.length === 0) violations.push('the other organization had no tile')
  if (refused.length > 0)
    violations.push(`${refused.length} calls of others ended with ${[...new Set(refused)].join(', ')}`)
  const described = figures.map(([what, value, unit, bound]) => `${what} ${Math.round(value)} of ${bound} ${unit}`)
  console.log(
    `${violations.length === 0 ? 'passed' : 'FAILED'}  ${attack.name}: ${totalCount(tally)} (${describeTally(tally)}); ${described.join('; ')}`,
  )
  return violations.map((sentence) => `${attack.name}: ${sentence}`)
}
