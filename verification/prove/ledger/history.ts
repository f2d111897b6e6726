import fc from 'fast-check'
import { genesisHash } from '../../../packages/server/src/platform/crypto/hash-chain.ts'
import { findFinalProblems } from './final-checks.ts'
import { emptyWallet } from './model.ts'
import { replayStep, type ReplayContext, type ReplayState, type HistoryStep } from './step.ts'
import { advanceArbitrary, oneIn, draftArbitrary } from './arbitraries.ts'
import { createFixture, type ProofDatabase } from './fixture.ts'

export type LedgerHistory = readonly HistoryStep[]

const draftsArbitrary = (minLength: number, maxLength: number): fc.Arbitrary<HistoryStep['drafts']> =>
  fc.array(
    fc.tuple(draftArbitrary, oneIn(25)).map(([draft, isRolledBack]) => ({ ...draft, isRolledBack })),
    { minLength, maxLength },
  )

const stepArbitrary: fc.Arbitrary<HistoryStep> = fc.record({
  advance: advanceArbitrary,
  drafts: fc.oneof({ weight: 7, arbitrary: draftsArbitrary(1, 1) }, { weight: 1, arbitrary: draftsArbitrary(2, 4) }),
  crash: fc.oneof(
    { weight: 15_000, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom<HistoryStep['crash']>('end', 'reopen') },
  ),
})

/** Random histories with a maximum number of steps. */
export const historiesArbitrary = (maxLength: number): fc.Arbitrary<LedgerHistory> =>
  fc.array(stepArbitrary, { minLength: 1, maxLength: maxLength, size: 'max' })

/** A history in which ledger and model differ, with its steps. */
export class LedgerViolation extends Error {
  constructor(sentence: string, steps: readonly string[]) {
    super([sentence, ...steps].join('\n  '))
  }
}

const startTime = Date.UTC(2026, 2, 1)

/**
 * Replays a history on a new organization and compares every step and the final state with the model. Throws a
 * `LedgerViolation`. All rows are compared before and after every `digestEach`th refused command.
 */
export async function replayHistory(
  proofDatabase: ProofDatabase,
  history: LedgerHistory,
  options: Pick<ReplayContext, 'digestEach' | 'heard'> = { digestEach: 1 },
): Promise<void> {
  const fixture = await createFixture(proofDatabase)
  const steps: string[] = []
  let state: ReplayState = {
    wallet: emptyWallet(),
    end: { position: 0, hash: genesisHash },
    now: startTime,
    refusals: 0,
  }
  try {
    for (const [index, historyStep] of history.entries())
      state = await replayStep({ fixture, lines: steps, ...options }, state, historyStep, index)
    const problems = await findFinalProblems(fixture, state.wallet, state.end)
    if (problems.length > 0) throw new Error(`final state: ${problems.join('; ')}`)
  } catch (error) {
    throw new LedgerViolation(error instanceof Error ? error.message : String(error), steps)
  }
}
