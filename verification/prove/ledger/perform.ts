import { Problem } from '../../../packages/server/src/engine/problem.ts'
import { handleDueBillingDeadline } from '../../../packages/server/src/domains/billing/deadlines.ts'
import { requireAmountWithinSpendLimits } from '../../../packages/server/src/domains/billing/spend-limits.ts'
import type { DocumentIssuer } from '../../../packages/server/src/domains/invoicing/documents/issue-document.ts'
import { flushLedgerSession, openLedgerSession } from '../../../packages/server/src/domains/ledger/ledger-session.ts'
import { sumSpendInWindow } from '../../../packages/server/src/domains/ledger/spend-limits.ts'
import {
  expireHold,
  addCreditHold,
  releaseHold,
  settleHold,
} from '../../../packages/server/src/domains/ledger/holds.ts'
import {
  readWalletBalance,
  expireDueLots,
  expireLotsOfKinds,
  grantCredits,
  deductCredits,
} from '../../../packages/server/src/domains/ledger/ledger.ts'
import { setMemberSpendLimits } from '../../../packages/server/src/domains/organizations/spend-limits.ts'
import { createOrganizationClocks } from '../../../packages/server/src/platform/clock.ts'
import { getSqlState, type Tx } from '../../../packages/server/src/platform/database/database.ts'
import { DatabaseFailure } from '../../../packages/server/src/platform/database/failures.ts'
import type { CommandAnswer, Command, CommandOf } from './model.ts'
import type { TopupCommand } from './model-topups.ts'
import { isTopupCommand, performTopup } from './payment-driver.ts'
import { createActor, idOf, registerName, type ProofDatabase, type LedgerFixture } from './fixture.ts'

interface PerformContext {
  readonly fixture: LedgerFixture
  readonly actor: DocumentIssuer
  readonly tx: Tx
}

const reference = { type: 'proof', id: 'history' }
const dateOf = (time: number | null): Date | null => (time === null ? null : new Date(time))

/** Performs each command of the model with the ledger, inside one transaction, and returns its result. */
const performers: {
  readonly [Do in Exclude<Command['do'], TopupCommand['do']>]: (
    step: PerformContext,
    command: CommandOf<Do>,
  ) => Promise<unknown>
} = {
  grant: async ({ fixture, actor, tx }, { name, kind, amount, priority, expiresAt }) => {
    const definition = { kind, amount_credits: amount, priority, expires_at: dateOf(expiresAt), reference }
    registerName(fixture, name, (await grantCredits(tx, actor, definition)).lot_id)
  },
  withdraw: async ({ actor, tx }, { amount }) => {
    await deductCredits(tx, actor, { amount_credits: amount, reference, note: 'proof' })
  },
  hold: async ({ fixture, actor, tx }, { name, mode, user, amount, lines, expiresAt }) => {
    const ledger = await openLedgerSession(tx, actor)
    const member = user === null ? null : fixture.users[user]!
    if (member !== null)
      await requireAmountWithinSpendLimits(tx, {
        organization: fixture.organization,
        user: member,
        amount_credits: amount,
        now: ledger.now,
        excludedAuthorisations: [],
      })
    const definition = { mode, user: member, amount_credits: amount, expires_at: dateOf(expiresAt), reference }
    const id = addCreditHold(ledger, { ...definition, lines: lines.map(createLine) })
    await flushLedgerSession(ledger)
    registerName(fixture, name, id)
  },
  settle: async ({ fixture, actor, tx }, { hold, amount, lines }) => {
    await settleHold(tx, actor, { hold_id: idOf(fixture, hold), amount_credits: amount, lines: lines ?? undefined })
  },
  release: async ({ fixture, actor, tx }, { hold }) => {
    await releaseHold(tx, actor, idOf(fixture, hold))
  },
  expire: async ({ fixture, actor, tx }, { hold }) => {
    await expireHold(tx, actor, idOf(fixture, hold))
  },
  meet: ({ fixture, actor, tx }, { kind, subject }) => {
    const now = actor.clock.now()
    const row = { organization_id: fixture.organization, kind, subject_id: idOf(fixture, subject), due_at: now }
    return handleDueBillingDeadline(tx, actor, row, now)
  },
  sweep: ({ actor, tx }) => expireDueLots(tx, actor),
  revoke: ({ actor, tx }, { kind }) => expireLotsOfKinds(tx, actor, [kind]),
  cap: async ({ fixture, actor, tx }, { user, caps }) => {
    const { per_order: per_order_limit_credits, window: spend_limit_credits } = caps
    const definition = { per_order_limit_credits, spend_limit_credits }
    await setMemberSpendLimits(tx, {
      organization: fixture.organization,
      user: fixture.users[user]!,
      limits: definition,
      now: actor.clock.now(),
    })
  },
  read: async ({ fixture, actor, tx }) => {
    const { available_credits, held_credits, lots } = await readWalletBalance(
      tx,
      fixture.organization,
      actor.clock.now(),
    )
    const lotBalances = lots.map((lot) => [fixture.names.get(lot.id) ?? lot.id, lot.available_credits])
    return { available: available_credits, held: held_credits, lots: lotBalances }
  },
  window: ({ fixture, actor, tx }, { user }) =>
    sumSpendInWindow(tx, {
      organization: fixture.organization,
      user: fixture.users[user]!,
      now: actor.clock.now(),
      pending: [],
    }),
}

const createLine = (amount_credits: number) => ({
  product: 'proof',
  description: 'A line of a proof',
  unit: 'piece',
  measured_quantity: '1',
  charged_quantity: '1',
  minimum_quantity: '0',
  list_rate_credits: String(amount_credits),
  rate_credits: String(amount_credits),
  priced_on: '2026-03-01',
  discount_credits: 0,
  amount_credits,
  commitment_id: null,
})

/**
 * Performs a command in a transaction of its own. Problems are returned as refusals; other errors are thrown. `last` runs at
 * the end of the transaction.
 */
export async function perform(
  fixture: LedgerFixture,
  command: Command,
  beforeCommit?: (tx: Tx) => Promise<void>,
): Promise<CommandAnswer> {
  try {
    return { done: await performCommand(fixture, command, beforeCommit) }
  } catch (error) {
    if (error instanceof Problem) return toRefusal(error)
    const message = invariantMessages.find((sentence) => error instanceof Error && error.message.includes(sentence))
    if (message !== undefined) return { fault: message }
    throw error
  }
}

function performCommand(
  fixture: LedgerFixture,
  command: Command,
  beforeCommit?: (tx: Tx) => Promise<void>,
): Promise<unknown> {
  if (isTopupCommand(command)) return performTopup(fixture, command)
  const actor = createActor(
    fixture.organization,
    fixture.users[0]!,
    createOrganizationClocks({ now: () => new Date(command.at) }),
  )
  const performer = performers[command.do] as (step: PerformContext, command: Command) => Promise<unknown>
  return fixture.proofDatabase.database.forOrganization(fixture.organization).transaction(async (tx) => {
    const done = (await performer({ fixture, actor, tx }, command)) ?? null
    await beforeCommit?.(tx)
    return done
  })
}

/** The problem without members that only the processor knows. */
function toRefusal({ problem, extra }: Problem): CommandAnswer {
  const { client_secret: _secret, payment_intent_id: _intent, challenge_url: _page, ...members } = extra
  return { refused: problem, ...members }
}

/** Messages of the ledger for violated preconditions. */
const invariantMessages = [
  'the amount of a grant must be a positive integer',
  'the amount of a hold must be a positive integer',
  'the hold does not exist',
  'the hold is already resolved',
  'the settled amount must not exceed the amount of the hold',
  'the delivered lines must sum to the charged amount',
]

/** Thrown inside a transaction to simulate the end of the process. */
class RolledBack extends Error {}

/** Performs a command up to its commit, then ends the server or the transaction: no change may remain. */
export async function performAndRollBack(
  fixture: LedgerFixture,
  command: Command,
  end?: ProofDatabase['terminate'],
): Promise<void> {
  const performed = perform(fixture, command, async (tx) => {
    await end?.(tx)
    throw new RolledBack('rolled back before the commit')
  })
  await performed.catch((error: unknown) => {
    if (!(error instanceof RolledBack || isConnectionLost(error))) throw error
  })
}

/** Whether the server or the connection was lost. */
export const isConnectionLost = (error: unknown): boolean =>
  error instanceof DatabaseFailure || getSqlState(error) === '57P01'
