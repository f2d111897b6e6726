import { isDeepStrictEqual } from 'node:util'
import { applyCommand, type CommandAnswer, type Command, type CommandOutcome, type ModelWallet } from './model.ts'

/** A command of a concurrent history. */
export interface HistoryAct {
  readonly command: Command
  /** Null without a response: then the command was applied at some time, or never. */
  readonly answer: CommandAnswer | null
  /** Its journal entries and events. */
  readonly left: Omit<CommandOutcome, 'answer'>
  /** Ticks of one counter for all clients; `answered` is infinite without a response. */
  readonly invoked: number
  readonly answered: number
}

export interface LinearizationResult {
  /** The final wallet of a linearization; null if none was found. */
  readonly wallet: ModelWallet | null
  /** Number of searched states; beyond the limit the result is inconclusive. */
  readonly states: number
  /** The longest partial linearization. */
  readonly longest: readonly HistoryAct[]
  /** The problem with the final state of the first complete order. */
  readonly problem: string | null
}

const max_states = 100_000

/**
 * Searches an order of all acts in which each has the response, entries and events of the model, and none precedes an act
 * that was completed before its invocation (Wing & Gong 1993). States are not searched twice (Lowe 2017); a matching act
 * that changes nothing is taken at once. `judge` returns a problem with the final wallet. `rank` is the order to try first
 * and does not affect the result.
 */
export function findLinearization(
  start: ModelWallet,
  acts: readonly HistoryAct[],
  findProblem: (wallet: ModelWallet) => string | null,
  rank: (act: HistoryAct) => number,
): LinearizationResult {
  const ranked = acts.map((act) => ({ act, rank: rank(act) })).toSorted((a, b) => a.rank - b.rank)
  const seen = new Set<string>()
  const order: HistoryAct[] = []
  const done = new Set<HistoryAct>()
  let longest: readonly HistoryAct[] = []
  let problem: string | null = null

  const openActs = (): HistoryAct[] => ranked.filter(({ act }) => !done.has(act)).map(({ act }) => act)
  const take = (act: HistoryAct): void => {
    done.add(act)
    order.push(act)
    if (order.length > longest.length) longest = [...order]
  }
  const undoTo = (length: number): void => {
    for (const act of order.splice(length)) done.delete(act)
  }
  /** Repeatedly takes all matching acts that change nothing. */
  const takeUnchanging = (wallet: ModelWallet): void => {
    for (let found = true; found;) {
      found = false
      for (const act of candidates(openActs())) {
        const { wallet: after, outcome } = applyCommand(wallet, act.command)
        if (!(after === wallet || isUnchanging(act)) || act.answer === null || !isExplained(act, outcome)) continue
        take(act)
        found = true
      }
    }
  }
  const search = (wallet: ModelWallet): ModelWallet | null => {
    const length = order.length
    takeUnchanging(wallet)
    const open = openActs()
    if (open.every((act) => act.answer === null)) {
      const finalProblem = findProblem(wallet)
      if (finalProblem === null) return wallet
      problem ??= finalProblem
    }
    const key = `${acts.map((act) => (done.has(act) ? 1 : 0)).join('')} ${walletKey(wallet)}`
    if (!seen.has(key) && seen.size < max_states) {
      seen.add(key)
      for (const act of candidates(open)) {
        const { wallet: after, outcome } = applyCommand(wallet, act.command)
        if (!isExplained(act, outcome)) continue
        const before = order.length
        take(act)
        const found = search(after)
        if (found) return found
        undoTo(before)
      }
    }
    undoTo(length)
    return null
  }
  return { wallet: search(start), states: seen.size, longest, problem }
}

/** The acts that may come next: no other open act was completed before their invocation. */
function candidates(open: readonly HistoryAct[]): HistoryAct[] {
  const firstResponse = Math.min(...open.map((act) => act.answered))
  return open.filter((act) => act.invoked < firstResponse)
}

/** Describes the model's result of every act that could follow a partial order. */
export function describeCandidates(
  start: ModelWallet,
  acts: readonly HistoryAct[],
  order: readonly HistoryAct[],
): string[] {
  const wallet = order.reduce((before, act) => applyCommand(before, act.command).wallet, start)
  return candidates(acts.filter((act) => !order.includes(act))).map(({ command, answer, left: trace }) => {
    const { outcome } = applyCommand(wallet, command)
    return `${JSON.stringify(command)}: ${JSON.stringify({ answer, ...trace })}, in the model ${JSON.stringify(outcome)}`
  })
}

/** Whether an act that was not refused left everything unchanged. */
const isUnchanging = ({ command, answer }: HistoryAct): boolean =>
  command.do === 'read' || command.do === 'window' || (answer !== null && 'done' in answer && answer.done === false)

const isExplained = (
  { answer, left: trace }: HistoryAct,
  { answer: modelled, entries, events }: CommandOutcome,
): boolean => (answer === null || isDeepStrictEqual(modelled, answer)) && isDeepStrictEqual({ entries, events }, trace)

/** A text that is equal for wallets in the same state. */
const walletKey = ({ accounts, lots, holds, caps, due, eventCounts: events }: ModelWallet): string =>
  JSON.stringify(
    [accounts, lots, holds, caps, due, events].map((map: ReadonlyMap<unknown, unknown>) =>
      [...map].sort(compareByName),
    ),
  )

const compareByName = ([a]: readonly [unknown, unknown], [b]: readonly [unknown, unknown]): number =>
  String(a) < String(b) ? -1 : 1
