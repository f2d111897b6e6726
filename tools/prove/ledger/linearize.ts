import { isDeepStrictEqual } from 'node:util'
import { apply, type Answer, type Command, type Outcome, type Wallet } from './model.ts'

/** A command of a history in which several clients act at once. */
export interface Act {
  readonly command: Command
  /** Null where none came: then it happened at some time, or never. */
  readonly answer: Answer | null
  /** What it left in the journal and among the events. */
  readonly left: Pick<Outcome, 'entries' | 'told'>
  /** Counted up by one clock for all clients; the answer's is infinite where none came. */
  readonly invoked: number
  readonly answered: number
}

export interface Search {
  /** The wallet at the end of an order that explains everything; null where there is none. */
  readonly wallet: Wallet | null
  /** How many states were looked at; beyond the limit it is not known whether there is an order. */
  readonly states: number
  /** The longest order that explains its part of the history. */
  readonly longest: readonly Act[]
  /** What was wrong at the end of the first order that explains all answers. */
  readonly complaint: string | null
}

const most_states = 100_000

/**
 * Looks for one order of all acts in which each answers and leaves what the model does, and none comes before one that
 * had its answer when it was invoked (Wing & Gong 1993). States that were seen are not tried twice (Lowe 2017); an act
 * that changes nothing and fits now is taken at once, since later it could only fit less. `judge` says what is wrong with
 * the wallet at the end. `rank` says which order is worth trying first, and changes nothing about what is found.
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
  /** Takes all that fits and changes nothing, again and again. */
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

/** Those that may come next: nothing else had its answer before they were invoked. */
function candidates(open: readonly Act[]): Act[] {
  const soonest = Math.min(...open.map((act) => act.answered))
  return open.filter((act) => act.invoked < soonest)
}

/** What the model says of every act that could have come after an order, in words. */
export function whatCouldFollow(start: Wallet, acts: readonly Act[], order: readonly Act[]): string[] {
  const wallet = order.reduce((before, act) => apply(before, act.command).wallet, start)
  return candidates(acts.filter((act) => !order.includes(act))).map(({ command, answer, left }) => {
    const { outcome } = apply(wallet, command)
    return `${JSON.stringify(command)}: ${JSON.stringify({ answer, ...left })}, in the model ${JSON.stringify(outcome)}`
  })
}

/** Whether an act that was no refusal left everything as it was. */
const isIdle = ({ command, answer }: Act): boolean =>
  command.do === 'read' || command.do === 'window' || (answer !== null && 'done' in answer && answer.done === false)

const fits = ({ answer, left }: Act, { answer: modelled, entries, told }: Outcome): boolean =>
  (answer === null || isDeepStrictEqual(modelled, answer)) && isDeepStrictEqual({ entries, told }, left)

/** Two wallets with the same text answer every command alike. */
const stateOf = ({ accounts, lots, holds, caps, due, told }: Wallet): string =>
  JSON.stringify(
    [accounts, lots, holds, caps, due, told].map((map: ReadonlyMap<unknown, unknown>) => [...map].sort(byName)),
  )

const byName = ([a]: readonly [unknown, unknown], [b]: readonly [unknown, unknown]): number =>
  String(a) < String(b) ? -1 : 1
