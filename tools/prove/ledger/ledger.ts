import { availableParallelism } from 'node:os'
import fc from 'fast-check'
import { NoServer, withServer } from '../../postgres-server.ts'
import type { ProofOptions, Verdict } from '../proof.ts'
import { actAtOnce } from './concurrent.ts'
import { openEmbeddedGround, openPostgresGround, type OpenGround } from './grounds.ts'
import { histories, live, type History } from './history.ts'
import type { Answer, Command } from './model.ts'
import type { Ground } from './world.ts'

/**
 * Size of the proof: steps on embedded databases and on a server, and concurrent histories. The server needs a fraction of
 * the time per step; without a server all steps run on embedded databases.
 */
interface Extent {
  readonly steps: number
  readonly stepsOnServer: number
  readonly concurrent: number
}

const long: Extent = { steps: 200_000, stepsOnServer: 800_000, concurrent: 200 }
const short: Extent = { steps: 3_000, stepsOnServer: 1_000, concurrent: 10 }

const longest = 500
const batch = 8
/** Maximum time to shrink a failing history. */
const shrink_ms = 600_000
const digestEach = 8
const progress_ms = 30_000
const clients = [8, 12, 16]
const actsOfClient = 25

interface Count {
  steps: number
  histories: number
  crashes: number
  /** Number of outcomes per command. */
  readonly answers: Map<string, Map<string, number>>
}

const nothing = (): Count => ({ steps: 0, histories: 0, crashes: 0, answers: new Map() })

/**
 * Compares the ledger with its model: random histories on embedded databases in parallel, the same on a real server, and
 * concurrent histories of several clients there. A failing history is shrunk; `--seed` reproduces it.
 */
export async function proveLedger({ short: isShort, seed }: ProofOptions): Promise<Verdict> {
  const extent = isShort ? short : long
  const violations: string[] = []
  const server = await onServer(extent, seed, violations)
  const tried = [server ?? 'PostgreSQL: skipped, it could not be started']
  const steps = server === null ? extent.steps + extent.stepsOnServer : extent.steps
  // Seeds that were not used on the server.
  const first = seed + extent.stepsOnServer
  if (violations.length === 0) tried.push(describe('embedded', await onEmbedded(steps, first, violations)))
  return { tried: tried.join('; '), violations }
}

function describe(where: string, { steps, histories: lived, crashes, answers }: Count): string {
  const commands = [...answers.values()].flatMap((counts) => [...counts.values()])
  console.log(`${where}:`)
  for (const [command, counts] of [...answers].toSorted()) {
    console.log(`  ${command}: ${[...counts].map(([answer, count]) => `${answer} ${count}`).join(', ')}`)
  }
  const sum = commands.reduce((total, count) => total + count, 0)
  return `${where}: ${steps} steps with ${sum} commands in ${lived} histories, ${crashes} database crashes`
}

/** One database per CPU: an embedded one runs in one thread. */
async function onEmbedded(steps: number, seed: number, violations: string[]): Promise<Count> {
  const grounds = await Promise.all(Array.from({ length: availableParallelism() }, openEmbeddedGround))
  try {
    return await liveMany(grounds, steps, seed, violations)
  } finally {
    await Promise.all(grounds.map((ground) => ground.close()))
  }
}

async function liveMany(grounds: readonly Ground[], steps: number, seed: number, violations: string[]): Promise<Count> {
  const count = nothing()
  const begun = performance.now()
  const progress = setInterval(() => {
    const each = count.steps / ((performance.now() - begun) / 1000)
    console.log(`${count.steps}/${steps} steps, ${count.histories} histories, ${each.toFixed(0)} steps/s`)
  }, progress_ms)
  let next = seed
  const work = async (ground: Ground): Promise<void> => {
    while (count.steps < steps && violations.length === 0) {
      const violation = await liveBatch(ground, next++, count)
      if (violation !== null) violations.push(violation)
    }
  }
  try {
    await Promise.all(grounds.map(work))
  } finally {
    clearInterval(progress)
  }
  return count
}

/** Replays some histories of one seed; returns a description of the smallest failing one. */
async function liveBatch(ground: Ground, seed: number, count: Count): Promise<string | null> {
  const heard = (command: Command, answer: Answer | null): void => {
    const counts = count.answers.get(command.do) ?? new Map<string, number>()
    const words = wordsOf(answer)
    count.answers.set(command.do, counts.set(words, (counts.get(words) ?? 0) + 1))
  }
  let failed = false
  const property = fc.asyncProperty(histories(longest), async (history) => {
    try {
      // Replays while shrinking do not count.
      await live(ground, history, failed ? { digestEach } : { digestEach, heard })
    } catch (error) {
      failed = true
      throw error
    }
    if (!failed) note(count, history)
  })
  const details = await fc.check(property, { seed, numRuns: batch, interruptAfterTimeLimit: shrink_ms })
  if (!details.failed || details.counterexample === null) return null
  const { numShrinks, errorInstance } = details
  const sentence = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  return `${sentence}\n(shrunk ${numShrinks} times; reproduce with --seed ${seed})`
}

function wordsOf(answer: Answer | null): string {
  if (answer === null) return 'rolled back'
  if ('refused' in answer) return answer.refused
  return 'fault' in answer ? answer.fault : 'done'
}

function note(count: Count, history: History): void {
  count.histories++
  count.steps += history.length
  count.crashes += history.filter(({ crash }) => crash !== null).length
}

/** Runs the proof on a server and returns a summary; null if there is no server. */
async function onServer(extent: Extent, seed: number, violations: string[]): Promise<string | null> {
  try {
    return await withServer(async (server) => {
      const open = () => openPostgresGround(server, Math.max(...clients) + 1)
      const grounds = await Promise.all(Array.from({ length: 2 * availableParallelism() }, open))
      try {
        const lived = await liveMany(grounds, extent.stepsOnServer, seed, violations)
        const acted = await actMany(grounds[0]!, extent.concurrent, seed, violations)
        return `${describe('PostgreSQL', lived)}; ${acted}`
      } finally {
        await Promise.all(grounds.map((ground) => ground.close()))
      }
    })
  } catch (error) {
    if (process.env['DATABASE_URL'] || !(error instanceof NoServer)) throw error
    return null
  }
}

async function actMany(ground: OpenGround, many: number, seed: number, violations: string[]): Promise<string> {
  let [acts, unknown, states] = [0, 0, 0]
  for (let number = 0; number < many && violations.length === 0; number++) {
    const crowd = { clients: clients[number % clients.length]!, length: actsOfClient, cuts: number % 2 === 0 }
    const told = await actAtOnce(ground, seed + number, crowd)
    acts += told.acts
    unknown += told.unknown
    states += told.states
    violations.push(...told.violations.map((sentence) => `${sentence}\n(concurrent, seed ${seed + number})`))
    if ((number + 1) % 20 === 0) console.log(`${number + 1}/${many} concurrent histories`)
  }
  return `${many} histories of ${clients.join(', ')} concurrent clients: ${acts} acts, ${unknown} disconnected, ${states} states searched`
}
