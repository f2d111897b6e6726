import fc from 'fast-check'
import { getSchemaOwnerConnection } from '../../../packages/server/src/platform/database/raw.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { compareWithModel, findFinalProblems, summarizeEntry, readLedger, type ObservedLedger } from './check.ts'
import { findLinearization, describeCandidates, type HistoryAct, type LinearizationResult } from './linearize.ts'
import { applyCommand, emptyWallet, type CommandAnswer, type Command, type ModelWallet } from './model.ts'
import {
  advanceArbitrary,
  advanceClock,
  resolveDraft,
  oneIn,
  singleTransactionDraft,
  draftArbitrary,
  type ClockAdvance,
  type CommandDraft,
} from './arbitraries.ts'
import { isConnectionLost, perform } from './perform.ts'
import { areConflicting } from './payment-driver.ts'
import { createFixture, type ProofDatabase, type LedgerFixture } from './fixture.ts'

/** The sequence of commands of one client. */
type ClientScript = readonly { readonly advance: ClockAdvance; readonly draft: CommandDraft; readonly cut: boolean }[]

/** Connections are cut only for commands of one transaction, which is then committed or not. */
const clientScript = (length: number, cuts: boolean): fc.Arbitrary<ClientScript> =>
  fc.array(
    fc.record({
      advance: advanceArbitrary,
      draft: cuts ? singleTransactionDraft : draftArbitrary,
      cut: cuts ? oneIn(30) : fc.constant(false),
    }),
    { minLength: length, maxLength: length },
  )

/** Shared state of all clients of a history. */
interface ConcurrentRun {
  readonly world: LedgerFixture
  readonly acts: Omit<HistoryAct, 'left'>[]
  /** The wallet by the responses so far, in the order of their arrival: sufficient to choose commands. */
  observedWallet: ModelWallet
  now: number
  tick: number
  readonly pending: Set<Command>
}

interface ConcurrencyOptions {
  readonly clients: number
  /** Commands per client. */
  readonly length: number
  readonly cuts: boolean
}

interface ConcurrencyResult {
  readonly actCount: number
  readonly unknownCount: number
  readonly stateCount: number
  readonly violations: readonly string[]
}

/**
 * Runs clients concurrently on one new organization and searches a linearization of all commands that agrees with the model,
 * including the final rows. With `cuts`, some connections are terminated during commit.
 */
export async function runConcurrently(
  proofDatabase: ProofDatabase,
  seed: number,
  { clients, length, cuts }: ConcurrencyOptions,
): Promise<ConcurrencyResult> {
  const fixture = await createFixture(proofDatabase)
  const run: ConcurrentRun = {
    world: fixture,
    acts: [],
    observedWallet: emptyWallet(),
    now: Date.UTC(2026, 2, 1),
    tick: 0,
    pending: new Set(),
  }
  const scripts = fc.sample(clientScript(length, cuts), { seed, numRuns: clients })
  await Promise.all(scripts.map((lines, client) => runScript(run, lines, client)))
  // Detects connections that were terminated and not used since.
  await Promise.all(scripts.map(() => proofDatabase.database.ping().catch(toUnknownOutcome)))
  const names = [...fixture.ids.keys()]
  const observed = await readLedger(fixture, { position: 0, hash: '' }, { lots: names, holds: names })
  const acts = await attachTraces(run, observed)
  const findDifference = (wallet: ModelWallet): string | null => {
    const all = { lots: [...wallet.lots.keys()], holds: [...wallet.holds.keys()] }
    const rows = [observed.lots, observed.holds].map((columns) => Object.keys(columns).length)
    if (rows[0] !== all.lots.length || rows[1] !== all.holds.length) return `there are ${rows.join(' lots and ')} holds`
    return compareWithModel(wallet, observed, fixture, all)
  }
  // The journal positions are tried first; if they are right, the search is linear.
  const positions = new Map(observed.entries.map((entry) => [Date.parse(entry.created_at), entry.position]))
  const rank = ({ command, answer }: HistoryAct): number =>
    positions.get(command.at) ?? (answer === null ? Infinity : 0)
  const search = findLinearization(emptyWallet(), acts, findDifference, rank)
  const { wallet, states } = search
  const violations = wallet ? await findFinalProblems(fixture, wallet, observed.head) : [describeFailure(acts, search)]
  return {
    actCount: acts.length,
    unknownCount: acts.filter(({ answer }) => answer === null).length,
    stateCount: states,
    violations,
  }
}

/** Every act has a unique time, by which its entries and events are assigned. */
async function attachTraces({ world: fixture, acts }: ConcurrentRun, observed: ObservedLedger): Promise<HistoryAct[]> {
  const events = await readEvents(fixture)
  return acts.map((act) => ({
    ...act,
    answer: withModelNames(fixture, act.answer),
    left: {
      entries: observed.entries.filter((entry) => Date.parse(entry.created_at) === act.command.at).map(summarizeEntry),
      events: events.filter(({ at }) => at.getTime() === act.command.at).map(({ kind }) => kind),
    },
  }))
}

/** Replaces ids by model names: a lot may be read before its name is registered. */
const withModelNames = ({ names }: LedgerFixture, answer: CommandAnswer | null): CommandAnswer | null =>
  JSON.parse(JSON.stringify(answer), (_, value: unknown) =>
    typeof value === 'string' ? (names.get(value) ?? value) : value,
  )

const readEvents = ({ organization, proofDatabase }: LedgerFixture): Promise<{ kind: string; at: Date }[]> =>
  proofDatabase.database.forOrganization(organization).query(sql`
    select kind, created_at as at from events where organization_id = ${organization} order by id`)

function describeFailure(acts: readonly HistoryAct[], { states, longest, problem }: LinearizationResult): string {
  const end = problem === null ? `the longest explains ${longest.length}` : `the first complete order: ${problem}`
  const runScript = problem === null ? describeCandidates(emptyWallet(), acts, longest) : []
  return [
    `no order explains all ${acts.length} acts (${states} states searched); ${end}`,
    ...runScript,
    formatActs(acts, longest),
  ].join('\n')
}

async function runScript(run: ConcurrentRun, lines: ClientScript, client: number): Promise<void> {
  for (const [index, line] of lines.entries()) {
    run.now = advanceClock(run.observedWallet, run.now, line.advance) + 1
    const at = run.now
    const resolvedCommand = resolveDraft(line.draft, run.observedWallet, at, `${client}.${index}`)
    const command: Command = [...run.pending].some((other) => areConflicting(other, resolvedCommand))
      ? { do: 'read', at }
      : resolvedCommand
    const invoked = ++run.tick
    run.pending.add(command)
    const answer = await (line.cut ? performWithLostConnection : perform)(run.world, command).catch(toUnknownOutcome)
    run.pending.delete(command)
    run.acts.push({ command, answer, invoked, answered: answer === null ? Infinity : ++run.tick })
    if (answer !== null && !('fault' in answer)) run.observedWallet = applyIfPossible(run.observedWallet, command)
  }
}

/** If the connection was lost the outcome of the command is unknown. */
const toUnknownOutcome = (error: unknown): null => {
  if (!isConnectionLost(error)) throw error
  return null
}

/** Terminates the backend of a command during its commit, or soon after, when another command may use it. */
async function performWithLostConnection(fixture: LedgerFixture, command: Command): Promise<CommandAnswer> {
  const owner = getSchemaOwnerConnection(fixture.proofDatabase.database)
  let termination: Promise<unknown> = Promise.resolve()
  try {
    return await perform(fixture, command, async (tx) => {
      const [own] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      termination = owner.query(sql`select pg_terminate_backend(${own!.pid})`).catch(toUnknownOutcome)
    })
  } finally {
    await termination
  }
}

/** Applied in another order than it was executed, a command may be invalid. */
function applyIfPossible(wallet: ModelWallet, command: Command): ModelWallet {
  try {
    return applyCommand(wallet, command).wallet
  } catch {
    return wallet
  }
}

const formatActs = (acts: readonly HistoryAct[], explained: readonly HistoryAct[]): string =>
  acts
    .toSorted((a, b) => a.invoked - b.invoked)
    .map((act) => {
      const place = explained.indexOf(act)
      const when = `${act.invoked}–${act.answered}${place < 0 ? '' : ` (${place + 1})`}`
      return `  ${when}: ${JSON.stringify(act.command)} → ${JSON.stringify(act.answer)}`
    })
    .join('\n')
