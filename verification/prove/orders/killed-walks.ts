import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createDatabaseIfServer } from '../../../packages/server/test/database.ts'
import { moduleLoaderFlags } from '../../../packages/server/test/server-processes.ts'
import { serverEnvironment } from '../../../tools/launch/node.mjs'
import { createRandom } from '../random.ts'
import { highLimits, postgresSettings } from '../server-process.ts'
import type { WalkerLine } from './walker-process.ts'

const program = fileURLToPath(new URL('walker-process.ts', import.meta.url))
/** A process that takes no step for so long hangs. */
const max_silence_ms = 300_000
/** Until its first step it opens its database, which takes long on a busy machine; that says nothing about the orders. */
const max_start_ms = 900_000
const min_steps_before_kill = 50
const max_steps_before_kill = 2000
const max_violations = 20

export interface KilledWalks {
  readonly steps: number
  readonly kills: number
  readonly violations: readonly string[]
}

/**
 * Walks in processes that are killed at random moments, each on the data of the one before, until all steps are taken. The
 * moment is some milliseconds after a step, so that it is inside of the next call. With `DATABASE_URL` the data are in a
 * database of that PostgreSQL server, which sees the connections end; otherwise the embedded database is killed, too.
 */
export async function walkWithKills({
  seed,
  steps,
}: {
  readonly seed: number
  readonly steps: number
}): Promise<KilledWalks> {
  const random = createRandom(seed)
  const folder = await mkdtemp(join(tmpdir(), 'swath-walk-'))
  const database = await createDatabaseIfServer()
  const settings = database ? await postgresSettings(database.url) : { DATABASE_URL: '', PORT: '0' }
  const violations: string[] = []
  const started_ms = performance.now()
  let [taken, kills] = [0, 0]
  try {
    while (taken < steps && violations.length < max_violations) {
      const kill_after = Math.floor(min_steps_before_kill + random() * (max_steps_before_kill - min_steps_before_kill))
      const remaining = steps - taken
      const run = await runWalker({
        environment: { ...settings, SWATH_DATA_DIR: folder },
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
    return { steps: taken, kills, violations }
  } finally {
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
  }
}

interface WalkerRun {
  /** Of its database and folder. */
  readonly environment: Readonly<Record<string, string>>
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
  const child = spawn(process.execPath, [...moduleLoaderFlags(), program], {
    env: {
      ...process.env,
      ...serverEnvironment(process.env),
      ...highLimits,
      SWATH_ADMIN_EMAIL: 'admin@example.com',
      SWATH_ADMIN_PASSWORD: 'order proof password',
      LOG_LEVEL: 'fatal',
      ...environment,
      WALK_SEED: String(seed),
      WALK_STEPS: String(steps),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const violations: string[] = []
  const progress = { steps: 0, was_started: false, was_killed: false, was_done: false }
  const kill = (): void => void child.kill('SIGKILL')
  const killForSilence = (): void => {
    if (progress.was_started) violations.push(`no step in ${max_silence_ms / 1000} s`)
    kill()
  }
  let silence = setTimeout(killForSilence, max_start_ms)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  for await (const text of createInterface({ input: child.stdout })) {
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
