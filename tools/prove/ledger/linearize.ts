import { isDeepStrictEqual } from 'node:util'
import { apply, type Answer, type Command, type Outcome, type Wallet } from './model.ts'

/** A command of a concurrent history. */
export interface Act {
  readonly command: Command
  /** Null without a response: then the command was applied at some time, or never. */
  readonly answer: Answer | null
  /** Its journal entries and events. */
  readonly left: Omit<Outcome, 'answer'>
  /** Ticks of one counter for all clients; `answered` is infinite without a response. */
  readonly invoked: number
  readonly answered: number
}

export interface Search {
  /** The final wallet of a linearization; null if none was found. */
  readonly wallet: Wallet | null
  /** Number of searched states; beyond the limit the result is inconclusive. */
  readonly states: number
  /** The longest partial linearization. */
  readonly longest: readonly Act[]
  /** The problem with the final state of the first complete order. */
  readonly complaint: string | null
}

const most_states = 100_000

/**
 * Searches an order of all acts in which each has the response, entries and events of the model, and none precedes an act
 * that was completed before its invocation (Wing & Gong 1993). States are not searched twice (Lowe 2017); a matching act
 * that changes nothing is taken at once. `judge` returns a problem with the final wallet. `rank` is the order to try first
 * and does not affect the result.
 */
export function findOrder(
  start: Wallet,
  acts: readonly Act[],
  judge: (wallet: Wallet) => string | null,
  rank: (act: Act) => number,
): Search {
  const ranked = acts.map((act) => ({ act, rank: rank(act) })).toSorted((a, b) => a.rank - b.rank)
  const seen = new Set<string>()
  const order: Act[] = []
  const done = new Set<Act>()
  let longest: readonly Act[] = []
  let complaint: string | null = null

  const openActs = (): Act[] => ranked.filter(({ act }) => !done.has(act)).map(({ act }) => act)
  const take = (act: Act): void => {
    done.add(act)
    order.push(act)
    if (order.length > longest.length) longest = [...order]
  }
  const giveBack = (length: number): void => {
    for (const act of order.splice(length)) done.delete(act)
  }
  /** Repeatedly takes all matching acts that change nothing. */
  const takeIdle = (wallet: Wallet): void => {
    for (let found = true; found;) {
      found = false
      for (const act of candidates(openActs())) {
        const { wallet: after, outcome } = apply(wallet, act.command)
        if (!(after === wallet || isIdle(act)) || act.answer === null || !fits(act, outcome)) continue
        take(act)
        found = true
      }
    }
  }
  const search = (wallet: Wallet): Wallet | null => {
    const length = order.length
    takeIdle(wallet)
    const open = openActs()
    if (open.every((act) => act.answer === null)) {
      const wrong = judge(wallet)
      if (wrong === null) return wallet
      complaint ??= wrong
    }
    const key = `${acts.map((act) => (done.has(act) ? 1 : 0)).join('')} ${stateOf(wallet)}`
    if (!seen.has(key) && seen.size < most_states) {
      seen.add(key)
      for (const act of candidates(open)) {
        const { wallet: after, outcome } = apply(wallet, act.command)
        if (!fits(act, outcome)) continue
        const before = order.length
        take(act)
        const found = search(after)
        if (found) return found
        giveBack(before)
      }
    }
    giveBack(length)
    return null
  }
  return { wallet: search(start), states: seen.size, longest, complaint }
}

/** The acts that may come next: no other open act was completed before their invocation. */
function candidates(open: readonly Act[]): Act[] {
  const soonest = Math.min(...open.map((act) => act.answered))
  return open.filter((act) => act.invoked < soonest)
}

/** Describes the model's result of every act that could follow a partial order. */
export function whatCouldFollow(start: Wallet, acts: readonly Act[], order: readonly Act[]): string[] {
  const wallet = order.reduce((before, act) => apply(before, act.command).wallet, start)
  return candidates(acts.filter((act) => !order.includes(act))).map(({ command, answer, left }) => {
    const { outcome } = apply(wallet, command)
    return `${JSON.stringify(command)}: ${JSON.stringify({ answer, ...left })}, in the model ${JSON.stringify(outcome)}`
  })
}

/** Whether an act that was not refused left everything unchanged. */
const isIdle = ({ command, answer }: Act): boolean =>
  command.do === 'read' || command.do === 'window' || (answer !== null && 'done' in answer && answer.done === false)

const fits = ({ answer, left }: Act, { answer: modelled, entries, told }: Outcome): boolean =>
  (answer === null || isDeepStrictEqual(modelled, answer)) && isDeepStrictEqual({ entries, told }, left)

/** A text that is equal for wallets in the same state. */
const stateOf = ({ accounts, lots, holds, caps, due, told }: Wallet): string =>
  JSON.stringify(
    [accounts, lots, holds, caps, due, told].map((map: ReadonlyMap<unknown, unknown>) => [...map].sort(byName)),
  )

const byName = ([a]: readonly [unknown, unknown], [b]: readonly [unknown, unknown]): number =>
  String(a) < String(b) ? -1 : 1
