import { startTestApp } from '../../../packages/server/test/test-app.ts'
import { closeAtEnd, createConfiguredDatabase, createFolder } from '../harness/resources.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { proveKilledStories } from './killed-stories.ts'
import { walkInParallel } from './walk.ts'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { killableSettings } from '../harness/killable-server.ts'
import { createRandom } from '../harness/random.ts'
import { spawnProgram, type Environment } from '../harness/server-process.ts'
import type { WalkerLine } from './walker-process.ts'

const short_steps = 200
const long_steps = 100_000
const steps_per_line = 100

/**
 * No sequence of calls, responses of hosts, kills and moves of the clock reaches a state, a sum or an event outside of the
 * tables: a random walk through sandbox organizations, checked after every step. Kills are part of its long form. Then the
 * stories of tasking orders, killed at each of their steps; `only` is `walk`, or a part of the name of a story.
 */
export async function proveOrders(options: ProofOptions): Promise<ProofResult> {
  const { only } = options
  const walked = only === undefined || only === 'walk' ? [await proveWalk(options)] : []
  const told = only === 'walk' ? [] : [await proveKilledStories(options)]
  const results = [...walked, ...told]
  return {
    tried: results.map(({ tried }) => tried).join('; '),
    violations: results.flatMap(({ violations }) => violations),
  }
}

const proveWalk = ({ short, seed, steps }: ProofOptions): Promise<ProofResult> =>
  short ? proveShortWalk(seed, steps ?? short_steps) : walkWithKills(seed, steps ?? long_steps)

async function proveShortWalk(seed: number, steps: number): Promise<ProofResult> {
  await using app = closeAtEnd(await startTestApp())
  const started_ms = performance.now()
  let taken = 0
  const onStep = (): void => {
    taken++
    if (taken % steps_per_line !== 0) return
    console.log(`${taken} of ${steps} steps, ${((performance.now() - started_ms) / taken).toFixed(0)} ms each`)
  }
  const { sandboxes, counts, violations } = await walkInParallel(app, { seed, steps, onStep })
  for (const [name, { done, refused, ms }] of counts)
    console.log(`${name}: ${done} done, ${refused} refused, ${(ms / (done + refused)).toFixed(1)} ms each`)
  return { tried: `${steps} steps in ${sandboxes} sandboxes`, violations }
}

const program = fileURLToPath(new URL('walker-process.ts', import.meta.url))
/** A process that takes no step for so long hangs. */
const max_silence_ms = 300_000
/** Until its first step it opens its database, which takes long on a busy machine; that says nothing about the orders. */
const max_start_ms = 900_000
const min_steps_before_kill = 50
const max_steps_before_kill = 2000
const max_violations = 20

/**
 * Walks in processes that are killed at random moments, each on the data of the one before, until all steps are taken. The
 * moment is some milliseconds after a step, so that it is inside of the next call. With `DATABASE_URL` the data are in a
 * database of that PostgreSQL server, which sees the connections end; otherwise the embedded database is killed, too.
 */
async function walkWithKills(seed: number, steps: number): Promise<ProofResult> {
  const random = createRandom(seed)
  await using folder = await createFolder('walk')
  await using database = await createConfiguredDatabase()
  const environment = await killableSettings(folder.path, database.url)
  const violations: string[] = []
  const started_ms = performance.now()
  let [taken, kills] = [0, 0]
  while (taken < steps && violations.length < max_violations) {
    const kill_after = Math.floor(min_steps_before_kill + random() * (max_steps_before_kill - min_steps_before_kill))
    const remaining = steps - taken
    const run = await runWalker({
      environment,
      seed: Math.floor(random() * 2 ** 31),
      steps: remaining,
      kill_after: kill_after < remaining ? kill_after : null,
      delay_ms: random() * 100,
    })
    taken += run.steps
    violations.push(...run.violations)
    if (run.was_killed) kills++
    else if (!run.was_done) violations.push('a process of the walk ended by itself')
    for (const violation of run.violations) console.log(violation)
    const minutes = ((performance.now() - started_ms) / 60_000).toFixed(0)
    console.log(`${taken} of ${steps} steps, ${kills} kills, ${violations.length} violations in ${minutes} minutes`)
  }
  return { tried: `${taken} steps and ${kills} kills`, violations }
}

interface WalkerRun {
  /** Of its database and folder. */
  readonly environment: Environment
  readonly seed: number
  readonly steps: number
  /** Null: the process walks to its end. */
  readonly kill_after: number | null
  readonly delay_ms: number
}

interface WalkerOutcome {
  readonly steps: number
  readonly was_killed: boolean
  readonly was_done: boolean
  readonly violations: readonly string[]
}

/** Throws if the process does not come to its first step. */
async function runWalker({ environment, seed, steps, kill_after, delay_ms }: WalkerRun): Promise<WalkerOutcome> {
  const walk = { WALK_SEED: String(seed), WALK_STEPS: String(steps) }
  const child = spawnProgram(program, { ...environment, ...walk }, ['ignore', 'pipe', 'inherit'])
  const violations: string[] = []
  const progress = { steps: 0, was_started: false, was_killed: false, was_done: false }
  const kill = (): void => void child.kill('SIGKILL')
  const killForSilence = (): void => {
    if (progress.was_started) violations.push(`no step in ${max_silence_ms / 1000} s`)
    kill()
  }
  let silence = setTimeout(killForSilence, max_start_ms)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  for await (const text of createInterface({ input: child.stdout! })) {
    clearTimeout(silence)
    silence = setTimeout(killForSilence, max_silence_ms)
    if (!text.startsWith('{')) continue
    const line = JSON.parse(text) as WalkerLine
    if ('started' in line) progress.was_started = true
    if ('violation' in line) violations.push(`seed ${seed}: ${line.violation}`)
    if ('done' in line) progress.was_done = true
    if (!('step' in line)) continue
    progress.steps++
    if (kill_after === null || progress.steps < kill_after || progress.was_killed) continue
    progress.was_killed = true
    setTimeout(kill, delay_ms)
  }
  await exited
  clearTimeout(silence)
  if (!progress.was_started && violations.length === 0)
    throw new Error('a process of the walk ended before its first step')
  return { ...progress, violations }
}
