import fc from 'fast-check'
import { chainStart } from '../../../packages/server/src/domains/ledger/chain.ts'
import { faultsAtTheEnd } from './ending.ts'
import { emptyWallet } from './model.ts'
import { takeStep, type Stage, type State, type Step } from './step.ts'
import { advance, oneIn, wish } from './wishes.ts'
import { foundWorld, type Ground } from './world.ts'

export type History = readonly Step[]

const someWishes = (minLength: number, maxLength: number): fc.Arbitrary<Step['wishes']> =>
  fc.array(
    fc.tuple(wish, oneIn(25)).map(([wished, givenUp]) => ({ ...wished, givenUp })),
    { minLength, maxLength },
  )

const step: fc.Arbitrary<Step> = fc.record({
  advance,
  wishes: fc.oneof({ weight: 7, arbitrary: someWishes(1, 1) }, { weight: 1, arbitrary: someWishes(2, 4) }),
  crash: fc.oneof(
    { weight: 15_000, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom<Step['crash']>('end', 'reopen') },
  ),
})

/** Random histories with a maximum number of steps. */
export const histories = (most: number): fc.Arbitrary<History> =>
  fc.array(step, { minLength: 1, maxLength: most, size: 'max' })

/** A history in which ledger and model differ, with its steps. */
export class Violation extends Error {
  constructor(sentence: string, told: readonly string[]) {
    super([sentence, ...told].join('\n  '))
  }
}

const dawn = Date.UTC(2026, 2, 1)

/**
 * Replays a history on a new organization and compares every step and the final state with the model. Throws a
 * `LedgerViolation`. All rows are compared before and after every `digestEach`th refused command.
 */
export async function live(
  ground: Ground,
  history: History,
  care: Pick<Stage, 'digestEach' | 'heard'> = { digestEach: 1 },
): Promise<void> {
  const world = await foundWorld(ground)
  const told: string[] = []
  let state: State = { wallet: emptyWallet(), end: { position: 0, hash: chainStart }, now: dawn, refusals: 0 }
  try {
    for (const [index, one] of history.entries()) state = await takeStep({ world, told, ...care }, state, one, index)
    const faults = await faultsAtTheEnd(world, state.wallet, state.end)
    if (faults.length > 0) throw new Error(`final state: ${faults.join('; ')}`)
  } catch (error) {
    throw new Violation(error instanceof Error ? error.message : String(error), told)
  }
}
