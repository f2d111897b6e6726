import { availableParallelism, tmpdir } from 'node:os'
import fc from 'fast-check'
import { PostgresUnavailable, withPostgresServer } from '../../../tools/postgres-server.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { runConcurrently } from './concurrent.ts'
import { historiesArbitrary, replayHistory, type LedgerHistory } from './history.ts'
import type { CommandAnswer, Command } from './model.ts'
import type { ProofDatabase } from './fixture.ts'
import { join } from 'node:path'
import { findTemplateCacheFolder } from '../../../packages/server/src/platform/database/embedded/cache-folder.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { openEmbeddedPostgres } from '../../../packages/server/src/platform/database/embedded/open.ts'
import { migrateSchema, migrationsDir } from '../../../packages/server/src/platform/database/migrate.ts'
import { openPostgres } from '../../../packages/server/src/platform/database/postgres.ts'
import { getSchemaOwnerConnection } from '../../../packages/server/src/platform/database/raw.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { createDatabase, createFolder, disposeWith } from '../harness/resources.ts'

/**
 * Size of the proof: steps on embedded databases and on a server, and concurrent histories. The server needs a fraction of
 * the time per step; without a server all steps run on embedded databases.
 */
interface LedgerProofSize {
  readonly steps: number
  readonly stepsOnServer: number
  readonly concurrent: number
  /** Histories of one seed. */
  readonly batch: number
}

const fullSize: LedgerProofSize = { steps: 200_000, stepsOnServer: 800_000, concurrent: 200, batch: 8 }
const shortSize: LedgerProofSize = { steps: 500, stepsOnServer: 1_500, concurrent: 6, batch: 1 }

const max_history_length = 500
/** Maximum time to shrink a failing history. */
const shrink_ms = 600_000
const digestEach = 8
const progress_ms = 30_000
const clients = [8, 12, 16]
const acts_per_client = 25

interface HistoryCounts {
  steps: number
  histories: number
  crashes: number
  /** Number of outcomes per command. */
  readonly answers: Map<string, Map<string, number>>
}

const createCounts = (): HistoryCounts => ({ steps: 0, histories: 0, crashes: 0, answers: new Map() })

/**
 * Compares the ledger with its model: random histories on embedded databases in parallel, the same on a real server, and
 * concurrent histories of several clients there. A failing history is shrunk; `--seed` reproduces it.
 */
export async function proveLedger({ short: isShort, seed }: ProofOptions): Promise<ProofResult> {
  const size = isShort ? shortSize : fullSize
  const violations: string[] = []
  const server = await onServer(size, seed, violations)
  const tried = [server ?? 'PostgreSQL: skipped, it could not be started']
  const steps = server === null ? size.steps + size.stepsOnServer : size.steps
  // Seeds that were not used on the server.
  const first = seed + size.stepsOnServer
  if (violations.length === 0) tried.push(describe('embedded', await onEmbedded({ ...size, steps }, first, violations)))
  return { tried: tried.join('; '), violations }
}

function describe(where: string, { steps, histories: historyCounts, crashes, answers }: HistoryCounts): string {
  const commands = [...answers.values()].flatMap((counts) => [...counts.values()])
  console.log(`${where}:`)
  for (const [command, counts] of [...answers].toSorted()) {
    console.log(`  ${command}: ${[...counts].map(([answer, count]) => `${answer} ${count}`).join(', ')}`)
  }
  const sum = commands.reduce((total, count) => total + count, 0)
  return `${where}: ${steps} steps with ${sum} commands in ${historyCounts} histories, ${crashes} database crashes`
}

/** One database per CPU: an embedded one runs in one thread. */
async function onEmbedded(size: LedgerProofSize, seed: number, violations: string[]): Promise<HistoryCounts> {
  await using resources = new AsyncDisposableStack()
  const opened = await Promise.all(Array.from({ length: availableParallelism() }, openEmbeddedProofDatabase))
  return await replayMany(
    opened.map((one) => resources.use(one)),
    size,
    seed,
    violations,
  )
}

async function replayMany(
  proofDatabases: readonly ProofDatabase[],
  { steps, batch }: Pick<LedgerProofSize, 'steps' | 'batch'>,
  seed: number,
  violations: string[],
): Promise<HistoryCounts> {
  const count = createCounts()
  const begun = performance.now()
  const progress = setInterval(() => {
    const each = count.steps / ((performance.now() - begun) / 1000)
    console.log(`${count.steps}/${steps} steps, ${count.histories} histories, ${each.toFixed(0)} steps/s`)
  }, progress_ms)
  let next = seed
  const work = async (proofDatabase: ProofDatabase): Promise<void> => {
    while (count.steps < steps && violations.length === 0) {
      const violation = await replayBatch(proofDatabase, { seed: next++, numRuns: batch }, count)
      if (violation !== null) violations.push(violation)
    }
  }
  try {
    await Promise.all(proofDatabases.map(work))
  } finally {
    clearInterval(progress)
  }
  return count
}

/** Replays some histories of one seed; returns a description of the smallest failing one. */
async function replayBatch(
  proofDatabase: ProofDatabase,
  runs: { readonly seed: number; readonly numRuns: number },
  count: HistoryCounts,
): Promise<string | null> {
  const onAnswer = (command: Command, answer: CommandAnswer | null): void => {
    const counts = count.answers.get(command.do) ?? new Map<string, number>()
    const outcomeText = describeAnswer(answer)
    count.answers.set(command.do, counts.set(outcomeText, (counts.get(outcomeText) ?? 0) + 1))
  }
  let failed = false
  const property = fc.asyncProperty(historiesArbitrary(max_history_length), async (history) => {
    try {
      // Replays while shrinking do not count.
      await replayHistory(proofDatabase, history, failed ? { digestEach } : { digestEach, heard: onAnswer })
    } catch (error) {
      failed = true
      throw error
    }
    if (!failed) countHistory(count, history)
  })
  const details = await fc.check(property, { ...runs, interruptAfterTimeLimit: shrink_ms })
  if (!details.failed || details.counterexample === null) return null
  const { numShrinks, errorInstance } = details
  const sentence = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  return `${sentence}\n(shrunk ${numShrinks} times; reproduce with --seed ${runs.seed})`
}

function describeAnswer(answer: CommandAnswer | null): string {
  if (answer === null) return 'rolled back'
  if ('refused' in answer) return answer.refused
  return 'fault' in answer ? answer.fault : 'done'
}

function countHistory(count: HistoryCounts, history: LedgerHistory): void {
  count.histories++
  count.steps += history.length
  count.crashes += history.filter(({ crash }) => crash !== null).length
}

/** Runs the proof on a server and returns a summary; null if there is no server. */
async function onServer(size: LedgerProofSize, seed: number, violations: string[]): Promise<string | null> {
  try {
    return await withPostgresServer(async (server) => {
      await using resources = new AsyncDisposableStack()
      const open = () => openPostgresProofDatabase(server, Math.max(...clients) + 1)
      const opened = await Promise.all(Array.from({ length: 2 * availableParallelism() }, open))
      const proofDatabases = opened.map((one) => resources.use(one))
      const historyCounts = await replayMany(proofDatabases, { ...size, steps: size.stepsOnServer }, seed, violations)
      const concurrentText = await runManyConcurrently(proofDatabases[0]!, size.concurrent, seed, violations)
      return `${describe('PostgreSQL', historyCounts)}; ${concurrentText}`
    })
  } catch (error) {
    if (process.env['DATABASE_URL'] || !(error instanceof PostgresUnavailable)) throw error
    return null
  }
}

async function runManyConcurrently(
  proofDatabase: OpenProofDatabase,
  historyCount: number,
  seed: number,
  violations: string[],
): Promise<string> {
  let [acts, unknown, states] = [0, 0, 0]
  for (let number = 0; number < historyCount && violations.length === 0; number++) {
    const concurrency = { clients: clients[number % clients.length]!, length: acts_per_client, cuts: number % 2 === 0 }
    const result = await runConcurrently(proofDatabase, seed + number, concurrency)
    acts += result.actCount
    unknown += result.unknownCount
    states += result.stateCount
    violations.push(...result.violations.map((sentence) => `${sentence}\n(concurrent, seed ${seed + number})`))
    if ((number + 1) % 20 === 0) console.log(`${number + 1}/${historyCount} concurrent histories`)
  }
  return `${historyCount} histories of ${clients.join(', ')} concurrent clients: ${acts} acts, ${unknown} disconnected, ${states} states searched`
}

type OpenProofDatabase = ProofDatabase & AsyncDisposable

/** Longer than any statement takes on a busy machine; a sleeping statement then terminates the embedded engine. */
const statement_timeout_ms = 20_000

/** A database that can be opened again; its place is removed at the end. */
async function openProofDatabase(
  place: AsyncDisposable,
  open: () => Promise<Database>,
  terminate: ProofDatabase['terminate'],
): Promise<OpenProofDatabase> {
  let database = await open()
  await migrateSchema(database, migrationsDir)
  const proofDatabase: ProofDatabase = {
    get database() {
      return database
    },
    terminate,
    reopen: async () => {
      await database.close()
      database = await open()
    },
  }
  return disposeWith(proofDatabase, async () => {
    await database.close()
    await place[Symbol.asyncDispose]()
  })
}

/** A new embedded database. Commits do not wait for the disk, but survive the end of the engine's thread. */
async function openEmbeddedProofDatabase(): Promise<OpenProofDatabase> {
  const folder = await createFolder('prove-ledger')
  const options = {
    dir: join(folder.path, 'database'),
    cacheDir: findTemplateCacheFolder(tmpdir()),
    statement_timeout_ms,
  }
  const open = () => openEmbeddedPostgres({ ...options, durable: false })
  return openProofDatabase(folder, open, async (tx) => void (await tx.query(sql`select pg_sleep(600)`)))
}

/** A new database on a real server, with `pool_size` connections. */
async function openPostgresProofDatabase(server: string, pool_size: number): Promise<OpenProofDatabase> {
  const created = await createDatabase(server)
  const open = () => openPostgres({ url: created.url, pool_size, statement_timeout_ms })
  const opened = await openProofDatabase(created, open, async (tx) => {
    const [own] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await getSchemaOwnerConnection(opened.database).query(sql`select pg_terminate_backend(${own!.pid})`)
  })
  return opened
}
