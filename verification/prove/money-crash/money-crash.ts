import { availableParallelism } from 'node:os'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { createRandom } from '../harness/random.ts'
import { restartPostgres, withCrashableServer, type CrashableServer, type DatabaseSetup } from './crashable-server.ts'
import type { KillMoment } from './kill-points.ts'
import { runScript, type CutPoint, type InterruptibleStep, type RunResult } from './run-script.ts'
import { isPlainScript, scripts, listOperationsWithoutScript } from './scripts.ts'

/** How many statements beyond its counted number a call is cut at before the search ends. */
const max_extra_statements = 20

/** Statements with a durable effect: commits, and writes outside a transaction. */
function listLastingStatements(statements: readonly string[]): number[] {
  let open = false
  return statements.flatMap((statement, index) => {
    const isLasting = statement === 'commit' || (!open && /^(insert|update|delete|with)/i.test(statement))
    if (statement === 'begin') open = true
    if (statement === 'commit' || statement === 'rollback') open = false
    return isLasting ? [index + 1] : []
  })
}

/** Cuts around each durable statement and around the response, also without a retry: every state that can remain. */
function listStateCuts({ step, kind, statements }: InterruptibleStep): CutPoint[] {
  const cut = (moment: KillMoment, at: number, abandoned = false): CutPoint => ({
    step,
    plan: { moment, at },
    abandoned,
  })
  const lastingIndexes = listLastingStatements(statements)
  const ends = [...new Set(lastingIndexes.flatMap((at) => [at, at + 1]))]
  const around = [...ends.map((at) => cut('before', at)), ...lastingIndexes.map((at) => cut('sent', at))]
  if (kind === 'work') return around
  const alone = ends.map((at) => cut('before', at, true))
  return [...around, cut('answer', 0), cut('written', 0), ...alone]
}

/** The number of the middle statement of each transaction. */
function listMiddles(statements: readonly string[]): number[] {
  return statements.flatMap((statement, index) => {
    if (statement !== 'begin') return []
    const within = statements.slice(index + 1).findIndex((next) => next === 'commit' || next === 'rollback')
    return within > 0 ? [index + 2 + (within >> 1)] : []
  })
}

const before = (step: number, at: number): CutPoint => ({ step, plan: { moment: 'before', at }, abandoned: false })

/** Adds cuts before further statements, without duplicates. */
function withStatements(states: readonly CutPoint[], step: number, statements: readonly number[]): CutPoint[] {
  const taken = new Set(states.filter(({ abandoned }) => !abandoned).map(({ plan }) => `${plan.moment} ${plan.at}`))
  const others = statements.filter((at) => !taken.has(`before ${at}`))
  return [...states, ...others.map((at) => before(step, at))]
}

/** Every state, and the middle of each transaction. */
const listStateAndMiddleCuts = (piece: InterruptibleStep): CutPoint[] =>
  withStatements(listStateCuts(piece), piece.step, listMiddles(piece.statements))

/** Every state, and before every other statement. */
const listAllCuts = (piece: InterruptibleStep): CutPoint[] =>
  withStatements(
    listStateCuts(piece),
    piece.step,
    piece.statements.map((_, index) => index + 1),
  )

const describeCut = (script: string, { step, plan, abandoned }: CutPoint): string =>
  `${script}, step ${step}, killed ${plan.moment} ${plan.at}${abandoned ? ' without a retry' : ''}`

/** Differences between two runs of a script. */
function differences(cleanResult: RunResult, played: RunResult): string[] {
  const answerDifferences = cleanResult.answers.flatMap((answer, index) =>
    played.answers[index] === answer ? [] : [`returned ${played.answers[index]} instead of ${answer}`],
  )
  const tables = Object.keys(cleanResult.state).flatMap((table) => {
    const [expected, problems] = [cleanResult.state[table]!, played.state[table] ?? []]
    const unexpected = subtractRows(problems, expected)
    const missing = subtractRows(expected, problems)
    return unexpected.length + missing.length === 0
      ? []
      : [`${table}: has ${unexpected[0] ?? 'nothing more'}, lacks ${missing[0] ?? 'nothing'}`]
  })
  return [...answerDifferences, ...tables]
}

function subtractRows(rows: readonly string[], others: readonly string[]): string[] {
  const remainingNames = [...others]
  return rows.filter((row) => {
    const at = remainingNames.indexOf(row)
    if (at >= 0) remainingNames.splice(at, 1)
    return at < 0
  })
}

/** Scripts of the short form, in addition to the plain examples of some operations; the seed chooses them. */
const shortScripts = new Set(['an order by a challenged card', 'an order by card is charged', 'a job by card begins'])
const short_operations = 3

function chooseShortScripts(seed: number): string[] {
  const operations = Object.keys(scripts).filter(isPlainScript)
  const chosen = Array.from(
    { length: short_operations },
    (_, index) => operations[(seed + 7 * index) % operations.length],
  )
  return Object.keys(scripts).filter((name) => shortScripts.has(name) || chosen.includes(name))
}

interface KillTally {
  kills: number
  statements: number
  readonly violations: string[]
}

/** A script and its uninterrupted result. */
interface CleanRun {
  readonly script: string
  readonly clean: RunResult
  /** The result with the last call sent twice; needed if the idempotency key was found free. */
  readonly again: () => Promise<RunResult>
}

/** Interrupts a script at each chosen point, and compares the results with uninterrupted runs. */
async function tryScript(
  crashable: CrashableServer,
  script: string,
  choose: ChooseCuts,
  tally: KillTally,
): Promise<void> {
  const cleanResult = await runScript(crashable, script)
  let runAgain: Promise<RunResult> | undefined
  const cleanRun: CleanRun = {
    script,
    clean: cleanResult,
    again: () => (runAgain ??= runScript(crashable, script, { again: true })),
  }
  tally.violations.push(...cleanResult.faults.map((fault) => `${script}: ${fault}`))
  const workPieces = cleanResult.interruptibleSteps.filter(({ kind }) => kind === 'work')
  // The calls before the background task have scripts of their own.
  for (const piece of workPieces.length > 0 ? workPieces : cleanResult.interruptibleSteps) {
    const chosen = choose(piece)
    for (const cut of chosen.cuts) await tryCut(crashable, cleanRun, cut, tally)
    // A run may have more statements than the counted one: continue until one is not reached.
    for (let unexpected = 1; chosen.all && unexpected < max_extra_statements; unexpected++) {
      if (!(await tryCut(crashable, cleanRun, before(piece.step, piece.statements.length + unexpected), tally))) break
    }
  }
  tally.statements += cleanResult.interruptibleSteps.reduce((sum, { statements }) => sum + statements.length, 0)
  const isLasting = cleanResult.interruptibleSteps.map(({ statements }) => statements.length).join(' + ')
  console.log(
    `${script}: ${isLasting} statements, ${tally.kills} kills and ${tally.violations.length} violations so far`,
  )
}

/**
 * A payment refusal releases the idempotency key, so that the call can be retried. If that refusal is lost, the retry is a
 * second call, and the result must equal that of two calls.
 */
async function findDifferences(
  { clean: cleanResult, again: runAgain }: CleanRun,
  played: RunResult,
): Promise<string[]> {
  const problems = differences(cleanResult, played)
  if (problems.length === 0 || !played.wasKeyFree) return problems
  const afterRetry = differences(await runAgain(), played)
  return afterRetry.length === 0 ? [] : problems
}

/** Returns true if the server crashed. */
async function tryCut(
  crashable: CrashableServer,
  cleanRun: CleanRun,
  cut: CutPoint,
  tally: KillTally,
): Promise<boolean> {
  const played = await runScript(crashable, cleanRun.script, { cut })
  if (played.hasCrashed) tally.kills++
  const problems = [...played.faults, ...(cut.abandoned ? [] : await findDifferences(cleanRun, played))]
  for (const sentence of problems) {
    tally.violations.push(`${describeCut(cleanRun.script, cut)}: ${sentence}`)
    console.log(`${describeCut(cleanRun.script, cut)}: ${sentence}`)
  }
  return played.hasCrashed
}

/** Chooses the cuts of a step, and whether these are all possible ones. */
type ChooseCuts = (piece: InterruptibleStep) => { readonly cuts: readonly CutPoint[]; readonly all: boolean }

function chooseSome(count: number, random: () => number): ChooseCuts {
  return (piece) => {
    const remainingNames = listAllCuts(piece)
    const chosen = Array.from(
      { length: Math.min(count, remainingNames.length) },
      () => remainingNames.splice(Math.floor(random() * remainingNames.length), 1)[0]!,
    )
    return { cuts: chosen, all: false }
  }
}

/**
 * A PostgreSQL server survives and sees the connection end at any statement. The embedded database ends with the process, so
 * the states that can remain are sufficient.
 */
const fullChoices: Readonly<Record<DatabaseSetup, ChooseCuts>> = {
  embedded: (piece) => ({ cuts: listStateAndMiddleCuts(piece), all: true }),
  postgres: (piece) => ({ cuts: listAllCuts(piece), all: true }),
  'postgres, restarted too': (piece) => ({ cuts: listStateCuts(piece), all: false }),
}

/** Scripts of a proof, and the choice of cuts for each. */
interface ProofScope {
  readonly names: readonly string[]
  readonly chooseFor: (script: string) => ChooseCuts
  readonly server_count: number
}

/** Runs several servers in parallel, each with its own data: most of the time of a crash is the restart. */
async function proveWith(
  databaseSetup: DatabaseSetup,
  server: string | null,
  { names, chooseFor, server_count }: ProofScope,
  tally: KillTally,
): Promise<void> {
  console.log(`in ${databaseSetup}`)
  // The plain examples are first and short; running them last balances the servers.
  const remainingNames = names.toReversed()
  const work = async (crashable: CrashableServer): Promise<void> => {
    for (let name = remainingNames.shift(); name !== undefined; name = remainingNames.shift())
      await tryScript(crashable, name, chooseFor(name), tally)
    const ledgerProblem = await crashable.ask<string | null>('ledger')
    if (ledgerProblem !== null) tally.violations.push(`in ${databaseSetup}: ${ledgerProblem}`)
  }
  const servers = Array.from({ length: server_count })
  await Promise.all(servers.map(() => withCrashableServer(databaseSetup, server, work)))
}

/** More servers than CPUs, because restarts wait; only one if all of them share a database server that is restarted. */
const serverCounts: Readonly<Record<DatabaseSetup, () => number>> = {
  embedded: () => 2 * availableParallelism(),
  postgres: () => 2 * availableParallelism(),
  'postgres, restarted too': () => 1,
}

function listDatabaseSetups(server: string | null): readonly DatabaseSetup[] {
  if (server === null) return ['embedded']
  if (restartPostgres(server)) return ['postgres', 'postgres, restarted too']
  console.log('PostgreSQL was not started by .ci/postgres.sh, so it is not restarted')
  return ['postgres']
}

/**
 * Kills the server around each durable step and inside each transaction (on PostgreSQL: at each statement) of each idempotent
 * operation, of a paid job and of the task that captures or voids a card payment; restarts it, repeats the call with its
 * key, and compares the ledger and the processor with an uninterrupted run. With `DATABASE_URL` on PostgreSQL, which is
 * restarted as well in a second round; otherwise on the embedded database, which restarts with the server.
 */
export async function proveMoneyCrash({ short, seed, only = '' }: ProofOptions): Promise<ProofResult> {
  const server = process.env['DATABASE_URL'] || null
  const databaseSetups = listDatabaseSetups(server)
  const tally: KillTally = { kills: 0, statements: 0, violations: [] }
  tally.violations.push(...listOperationsWithoutScript().map((id) => `${id} is idempotent, but has no script`))
  const all = Object.keys(scripts)
  const chosen = short && only === '' ? chooseShortScripts(seed) : all
  const names = chosen.filter((name) => name.includes(only))
  if (names.length === 0) throw new Error(`no script has "${only}" in its name`)
  for (const databaseSetup of databaseSetups) {
    const some = (script: string): ChooseCuts => chooseSome(1, createRandom(seed + all.indexOf(script)))
    const chooseFor = short ? some : () => fullChoices[databaseSetup]
    const server_count = short ? 2 : serverCounts[databaseSetup]()
    await proveWith(databaseSetup, server, { names, chooseFor, server_count }, tally)
  }
  const { kills, statements, violations } = tally
  return { tried: `${kills} kills in ${names.length} scripts of ${statements} statements`, violations }
}
