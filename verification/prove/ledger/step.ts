import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { sql, type Sql } from '../../../packages/server/src/platform/database/sql.ts'
import {
  compareWithModel,
  findEntryProblem,
  summarizeEntry,
  readLedger,
  listTouchedRows,
  type ChainHead,
} from './check.ts'
import { applyCommand, type CommandAnswer, type Command, type CommandOutcome, type ModelWallet } from './model.ts'
import { advanceClock, resolveDraft, type ClockAdvance, type CommandDraft } from './arbitraries.ts'
import { performAndRollBack, perform } from './perform.ts'
import { areConflicting, getPaymentDriver, isTopupCommand } from './payment-driver.ts'
import type { LedgerFixture } from './fixture.ts'

/** Commands that are started concurrently. */
export interface HistoryStep {
  readonly advance: ClockAdvance
  /** A command with `isRolledBack` is executed up to its commit. */
  readonly drafts: readonly (CommandDraft & { readonly isRolledBack: boolean })[]
  /** The server is killed during the first command, or reopened before all commands. */
  readonly crash: 'end' | 'reopen' | null
}

export interface ReplayState {
  readonly wallet: ModelWallet
  readonly end: ChainHead
  readonly now: number
  /** Number of refused commands so far. */
  readonly refusals: number
}

export interface ReplayContext {
  readonly fixture: LedgerFixture
  /** One line per step. */
  readonly lines: string[]
  /** All rows are compared before and after every n-th refused command. */
  readonly digestEach: number
  readonly heard?: (command: Command, answer: CommandAnswer | null) => void
}

/** A started command, and whether it is rolled back. */
interface StepAct {
  readonly command: Command
  readonly isRolledBack: boolean
}

/** Runs a step in the database and in the model, and compares the changed rows. Throws if they differ. */
export async function replayStep(
  context: ReplayContext,
  state: ReplayState,
  step: HistoryStep,
  index: number,
): Promise<ReplayState> {
  const { fixture, lines } = context
  const start = advanceClock(state.wallet, state.now, step.advance)
  const acts = withoutConflicts(
    step.drafts.map((draft, place): StepAct => {
      const command = resolveDraft(draft, state.wallet, start + place + 1, `${index}.${place}`)
      return { command, isRolledBack: draft.isRolledBack && !isTopupCommand(command) }
    }),
  )
  lines.push(acts.map(({ command }) => JSON.stringify(command)).join(' || '))
  if (step.crash !== null) await crashDatabase(fixture, step.crash, acts[0]!.command)
  // Saves the cards of the organization, which must not look like rows of a refused command.
  if (acts.some(({ command }) => isTopupCommand(command))) await getPaymentDriver(fixture)
  const isAloneRefused = acts.length === 1 && isRefused(state.wallet, acts[0]!)
  const isDigested = isAloneRefused && state.refusals % context.digestEach === 0
  const before = isDigested ? await computeDigest(fixture) : null
  const answers = await Promise.all(
    acts.map((act) => (act.isRolledBack ? performAndRollBack(fixture, act.command) : perform(fixture, act.command))),
  )
  lines[lines.length - 1] += ` → ${answers.map((answer) => JSON.stringify(answer) ?? 'rolled back').join(' || ')}`
  acts.forEach(({ command }, place) => context.heard?.(command, answers[place] ?? null))
  if (before !== null && before !== (await computeDigest(fixture))) throw new Error('a refused command changed rows')
  const answered = acts.flatMap(({ command }, place) => (answers[place] ? [{ command, answer: answers[place] }] : []))
  const { wallet, end } = await compare(fixture, state, answered)
  return { wallet, end, now: start + step.drafts.length, refusals: state.refusals + Number(isAloneRefused) }
}

/** Drops the later of two commands that must not run concurrently. */
const withoutConflicts = (acts: readonly StepAct[]): readonly StepAct[] =>
  acts.filter(({ command }, place) => !acts.slice(0, place).some((other) => areConflicting(other.command, command)))

async function crashDatabase(fixture: LedgerFixture, how: 'end' | 'reopen', command: Command): Promise<void> {
  if (how === 'reopen') return fixture.proofDatabase.reopen?.()
  if (isTopupCommand(command)) return
  // Under another name, because the entities that it creates must never exist.
  return performAndRollBack(
    fixture,
    'name' in command ? { ...command, name: `${command.name}, crashed` } : command,
    fixture.proofDatabase.terminate,
  )
}

/** A command that does not change the model must not change any row. */
const isRefused = (wallet: ModelWallet, { command, isRolledBack }: StepAct): boolean =>
  isRolledBack || applyCommand(wallet, command).wallet === wallet

interface AnsweredCommand {
  readonly command: Command
  readonly answer: CommandAnswer
}

/** Finds the order of commands that explains responses and entries, and compares all other rows with it. */
async function compare(
  fixture: LedgerFixture,
  before: ReplayState,
  answered: readonly AnsweredCommand[],
): Promise<Pick<ReplayState, 'wallet' | 'end'>> {
  const orders = listExplanations(before.wallet, answered)
  if (orders.length === 0) {
    const isAloneRefused = answered.map(({ command }) => applyCommand(before.wallet, command).outcome.answer)
    throw new Error(`no order explains the responses; each alone would return ${JSON.stringify(isAloneRefused)}`)
  }
  // Reads and refusals change nothing; the next comparison would reveal a change.
  if (answered.every((act) => isReadOnly(act) || isRefused(before.wallet, { ...act, isRolledBack: false })))
    return before
  const touched = listTouchedRows(
    before.wallet,
    orders.map((order) => order.wallet),
  )
  const observed = await readLedger(fixture, before.end, touched)
  const problem = findEntryProblem(observed, before.end)
  if (problem !== null) throw new Error(problem)
  const entries = observed.entries.map(summarizeEntry)
  const matching = orders.filter((candidate) => isDeepStrictEqual(entries, candidate.entries))
  if (matching.length === 0) {
    throw new Error(`the entries are ${JSON.stringify(entries)}; in the model ${JSON.stringify(orders[0]!.entries)}`)
  }
  const differences = matching.map((candidate) => compareWithModel(candidate.wallet, observed, fixture, touched))
  const order = matching[differences.indexOf(null)]
  if (!order) throw new Error(differences[0]!)
  const { position, hash } = observed.entries.at(-1) ?? before.end
  return { wallet: order.wallet, end: { position, hash } }
}

const isReadOnly = ({ command }: AnsweredCommand): boolean => command.do === 'read' || command.do === 'window'

interface Explanation {
  readonly wallet: ModelWallet
  readonly entries: CommandOutcome['entries']
}

/** All orders of concurrent commands in which the model returns the received responses. */
function listExplanations(wallet: ModelWallet, answered: readonly AnsweredCommand[]): Explanation[] {
  if (answered.length === 0) return [{ wallet, entries: [] }]
  return answered.flatMap(({ command, answer }, index) => {
    const { wallet: after, outcome } = applyCommand(wallet, command)
    if (!isDeepStrictEqual(outcome.answer, answer)) return []
    const others = answered.filter((_, place) => place !== index)
    return listExplanations(after, others).map((rest) => ({ ...rest, entries: [...outcome.entries, ...rest.entries] }))
  })
}

const tables = new WeakMap<Database, Promise<readonly string[]>>()

/** All tables of organizations, read from the catalog. */
const listTables = (database: Database): Promise<readonly string[]> => {
  const listing = tables.get(database) ?? readTables(database)
  tables.set(database, listing)
  return listing
}

async function readTables(database: Database): Promise<readonly string[]> {
  const rows = await database.unscoped.query<{ name: string }>(sql`
    select relname as name from pg_catalog.pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and obj_description(oid, 'pg_class') = 'tenant'
    order by relname`)
  return rows.map((row) => row.name)
}

/** A digest of all rows of the organization in all tables. */
async function computeDigest({ organization, proofDatabase: { database } }: LedgerFixture): Promise<string> {
  const names = await listTables(database)
  // There are more tables than a function may have arguments, hence the array.
  const sums = names.map(
    (name): Sql => sql`
      (select coalesce(sum(hash_record_extended(t, 0)), 0)::text || '/' || count(*)
       from ${sql.identifier(name, names)} t where t.organization_id = ${organization})`,
  )
  const [row] = await database.forOrganization(organization).query<{ digest: string }>(
    sql.prepared(sql`
    select array_to_string(array[${sql.join(sums)}], ' ') as digest`),
  )
  return row!.digest
}
