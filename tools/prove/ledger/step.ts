import { isDeepStrictEqual } from 'node:util'
import { differenceFrom, faultInEntries, inBrief, look, touchedBetween, type End } from './check.ts'
import { digestOf } from './digest.ts'
import { apply, type Answer, type Command, type Outcome, type Wallet } from './model.ts'
import { advanceTo, choose, type Advance, type Wish } from './wishes.ts'
import { giveUp, perform } from './perform.ts'
import { doClash, isVisit } from './till.ts'
import type { World } from './world.ts'

/** Commands that are started concurrently. */
export interface Step {
  readonly advance: Advance
  /** A command with `isRolledBack` is executed up to its commit. */
  readonly wishes: readonly (Wish & { readonly givenUp: boolean })[]
  /** The server is killed during the first command, or reopened before all commands. */
  readonly crash: 'end' | 'reopen' | null
}

export interface State {
  readonly wallet: Wallet
  readonly end: End
  readonly now: number
  /** Number of refused commands so far. */
  readonly refusals: number
}

export interface Stage {
  readonly world: World
  /** One line per step. */
  readonly told: string[]
  /** All rows are compared before and after every n-th refused command. */
  readonly digestEach: number
  readonly heard?: (command: Command, answer: Answer | null) => void
}

/** A started command, and whether it is rolled back. */
interface Act {
  readonly command: Command
  readonly givenUp: boolean
}

/** Runs a step in the database and in the model, and compares the changed rows. Throws if they differ. */
export async function takeStep(stage: Stage, state: State, step: Step, index: number): Promise<State> {
  const { world, told } = stage
  const start = advanceTo(state.wallet, state.now, step.advance)
  const acts = withoutClashes(
    step.wishes.map((wish, place): Act => {
      const command = choose(wish, state.wallet, start + place + 1, `${index}.${place}`)
      return { command, givenUp: wish.givenUp && !isVisit(command) }
    }),
  )
  told.push(acts.map(({ command }) => JSON.stringify(command)).join(' || '))
  if (step.crash !== null) await crash(world, step.crash, acts[0]!.command)
  const alone = acts.length === 1 && isRefused(state.wallet, acts[0]!)
  const digested = alone && state.refusals % stage.digestEach === 0
  const before = digested ? await digestOf(world) : null
  const answers = await Promise.all(
    acts.map((act) => (act.givenUp ? giveUp(world, act.command) : perform(world, act.command))),
  )
  told[told.length - 1] += ` → ${answers.map((answer) => JSON.stringify(answer) ?? 'rolled back').join(' || ')}`
  acts.forEach(({ command }, place) => stage.heard?.(command, answers[place] ?? null))
  if (before !== null && before !== (await digestOf(world))) throw new Error('a refused command changed rows')
  const heard = acts.flatMap(({ command }, place) => (answers[place] ? [{ command, answer: answers[place] }] : []))
  const { wallet, end } = await compare(world, state, heard)
  return { wallet, end, now: start + step.wishes.length, refusals: state.refusals + Number(alone) }
}

/** Drops the later of two commands that must not run concurrently. */
const withoutClashes = (acts: readonly Act[]): readonly Act[] =>
  acts.filter(({ command }, place) => !acts.slice(0, place).some((other) => doClash(other.command, command)))

async function crash(world: World, how: 'end' | 'reopen', command: Command): Promise<void> {
  if (how === 'reopen') return world.ground.reopen?.()
  if (isVisit(command)) return
  // Under another name, because what it creates must never exist.
  return giveUp(world, 'name' in command ? { ...command, name: `${command.name}, crashed` } : command, world.ground.end)
}

/** A command that does not change the model must not change any row. */
const isRefused = (wallet: Wallet, { command, givenUp }: Act): boolean =>
  givenUp || apply(wallet, command).wallet === wallet

interface Heard {
  readonly command: Command
  readonly answer: Answer
}

/** Finds the order of commands that explains responses and entries, and compares all other rows with it. */
async function compare(world: World, before: State, heard: readonly Heard[]): Promise<Pick<State, 'wallet' | 'end'>> {
  const orders = explanations(before.wallet, heard)
  if (orders.length === 0) {
    const alone = heard.map(({ command }) => apply(before.wallet, command).outcome.answer)
    throw new Error(`no order explains the responses; each alone would return ${JSON.stringify(alone)}`)
  }
  // Reads and refusals change nothing; the next comparison would reveal a change.
  if (heard.every((act) => isReading(act) || isRefused(before.wallet, { ...act, givenUp: false }))) return before
  const touched = touchedBetween(
    before.wallet,
    orders.map((order) => order.wallet),
  )
  const found = await look(world, before.end, touched)
  const fault = faultInEntries(found, before.end)
  if (fault !== null) throw new Error(fault)
  const entries = found.entries.map(inBrief)
  const fitting = orders.filter((tried) => isDeepStrictEqual(entries, tried.entries))
  if (fitting.length === 0) {
    throw new Error(`the entries are ${JSON.stringify(entries)}; in the model ${JSON.stringify(orders[0]!.entries)}`)
  }
  const differences = fitting.map((tried) => differenceFrom(tried.wallet, found, world, touched))
  const order = fitting[differences.indexOf(null)]
  if (!order) throw new Error(differences[0]!)
  const { position, hash } = found.entries.at(-1) ?? before.end
  return { wallet: order.wallet, end: { position, hash } }
}

const isReading = ({ command }: Heard): boolean => command.do === 'read' || command.do === 'window'

interface Explanation {
  readonly wallet: Wallet
  readonly entries: Outcome['entries']
}

/** All orders of concurrent commands in which the model returns the received responses. */
function explanations(wallet: Wallet, heard: readonly Heard[]): Explanation[] {
  if (heard.length === 0) return [{ wallet, entries: [] }]
  return heard.flatMap(({ command, answer }, index) => {
    const { wallet: after, outcome } = apply(wallet, command)
    if (!isDeepStrictEqual(outcome.answer, answer)) return []
    const others = heard.filter((_, place) => place !== index)
    return explanations(after, others).map((rest) => ({ ...rest, entries: [...outcome.entries, ...rest.entries] }))
  })
}
