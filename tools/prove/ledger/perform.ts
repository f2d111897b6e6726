import { Problem } from '../../../packages/server/src/engine/problem.ts'
import { meetDeadline } from '../../../packages/server/src/domains/billing/deadlines.ts'
import { requireCaps } from '../../../packages/server/src/domains/billing/member-caps.ts'
import type { Issuer } from '../../../packages/server/src/domains/billing/documents/issue-document.ts'
import { closeBooks, openBooks } from '../../../packages/server/src/domains/ledger/books.ts'
import { windowUsed } from '../../../packages/server/src/domains/ledger/caps.ts'
import { expire, holdIn, release, settle } from '../../../packages/server/src/domains/ledger/holds.ts'
import {
  balance,
  expireDueLots,
  expireLotsOf,
  grant,
  withdraw,
} from '../../../packages/server/src/domains/ledger/ledger.ts'
import { changeCaps } from '../../../packages/server/src/domains/organizations/spend-limits.ts'
import { openClocks } from '../../../packages/server/src/platform/clock.ts'
import { sqlState, type Tx } from '../../../packages/server/src/platform/database/database.ts'
import { DatabaseFailure } from '../../../packages/server/src/platform/database/failures.ts'
import { actorOf } from './actor.ts'
import type { Answer, Command, Of } from './model.ts'
import type { TopupCommand } from './model-topups.ts'
import { isVisit, visit } from './till.ts'
import { idOf, nameIt, type Ground, type World } from './world.ts'

interface Step {
  readonly world: World
  readonly actor: Issuer
  readonly tx: Tx
}

const reference = { type: 'proof', id: 'history' }
const dateOf = (time: number | null): Date | null => (time === null ? null : new Date(time))

/** Performs each command of the model with the ledger, inside one transaction, and returns its result. */
const doings: {
  readonly [Do in Exclude<Command['do'], TopupCommand['do']>]: (step: Step, command: Of<Do>) => Promise<unknown>
} = {
  grant: async ({ world, actor, tx }, { name, kind, amount, priority, ends }) => {
    const terms = { kind, amount_credits: amount, priority, expires_at: dateOf(ends), reference }
    nameIt(world, name, (await grant(tx, actor, terms)).lot_id)
  },
  withdraw: async ({ actor, tx }, { amount }) => {
    await withdraw(tx, actor, { amount_credits: amount, reference, note: 'proof' })
  },
  hold: async ({ world, actor, tx }, { name, mode, user, amount, lines, ends }) => {
    const books = await openBooks(tx, actor)
    const member = user === null ? null : world.users[user]!
    if (member !== null) await requireCaps(tx, world.organization, member, amount, books.now, [])
    const terms = { mode, user: member, amount_credits: amount, expires_at: dateOf(ends), reference }
    const id = holdIn(books, { ...terms, lines: lines.map(lineOf) })
    await closeBooks(books)
    nameIt(world, name, id)
  },
  settle: async ({ world, actor, tx }, { hold, amount, lines }) => {
    await settle(tx, actor, idOf(world, hold), amount, lines ?? undefined)
  },
  release: async ({ world, actor, tx }, { hold }) => {
    await release(tx, actor, idOf(world, hold))
  },
  expire: async ({ world, actor, tx }, { hold }) => {
    await expire(tx, actor, idOf(world, hold))
  },
  meet: ({ world, actor, tx }, { kind, subject }) => {
    const now = actor.clock.now()
    const row = { organization_id: world.organization, kind, subject_id: idOf(world, subject), due_at: now }
    return meetDeadline(tx, actor, row, now)
  },
  sweep: ({ actor, tx }) => expireDueLots(tx, actor),
  revoke: ({ actor, tx }, { kind }) => expireLotsOf(tx, actor, [kind]),
  cap: async ({ world, actor, tx }, { user, caps }) => {
    const { per_order: per_order_limit_credits, window: spend_limit_credits } = caps
    const terms = { per_order_limit_credits, spend_limit_credits }
    await changeCaps(tx, world.organization, world.users[user]!, terms, actor.clock.now())
  },
  read: async ({ world, actor, tx }) => {
    const { available_credits, held_credits, lots } = await balance(tx, world.organization, actor.clock.now())
    const left = lots.map((lot) => [world.names.get(lot.id) ?? lot.id, lot.available_credits])
    return { available: available_credits, held: held_credits, lots: left }
  },
  window: ({ world, actor, tx }, { user }) =>
    windowUsed(tx, world.organization, world.users[user]!, actor.clock.now(), []),
}

const lineOf = (amount_credits: number) => ({
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
export async function perform(world: World, command: Command, last?: (tx: Tx) => Promise<void>): Promise<Answer> {
  try {
    return { done: await answer(world, command, last) }
  } catch (error) {
    if (error instanceof Problem) return refusalOf(error)
    const fault = faults.find((sentence) => error instanceof Error && error.message.includes(sentence))
    if (fault !== undefined) return { fault }
    throw error
  }
}

function answer(world: World, command: Command, last?: (tx: Tx) => Promise<void>): Promise<unknown> {
  if (isVisit(command)) return visit(world, command)
  const actor = actorOf(world.organization, world.users[0]!, openClocks({ now: () => new Date(command.at) }))
  const doing = doings[command.do] as (step: Step, command: Command) => Promise<unknown>
  return world.ground.database.of(world.organization).transaction(async (tx) => {
    const done = (await doing({ world, actor, tx }, command)) ?? null
    await last?.(tx)
    return done
  })
}

/** The problem without members that only the processor knows. */
function refusalOf({ problem, extra }: Problem): Answer {
  const { client_secret: _secret, payment_intent_id: _intent, challenge_url: _page, ...members } = extra
  return { refused: problem, ...members }
}

/** Messages of the ledger for violated preconditions. */
const faults = [
  'the amount of a grant must be a positive integer',
  'the amount of a hold must be a positive integer',
  'the hold does not exist',
  'the hold is already resolved',
  'the settled amount must not exceed the amount of the hold',
  'the delivered lines must sum to the charged amount',
]

/** Thrown inside a transaction to simulate the end of the process. */
class GivenUp extends Error {}

/** Performs a command up to its commit, then ends the server or the transaction: no change may remain. */
export async function giveUp(world: World, command: Command, end?: Ground['end']): Promise<void> {
  const answered = perform(world, command, async (tx) => {
    await end?.(tx)
    throw new GivenUp('rolled back before the commit')
  })
  await answered.catch((error: unknown) => {
    if (!(error instanceof GivenUp || isLoss(error))) throw error
  })
}

/** Whether the server or the connection was lost. */
export const isLoss = (error: unknown): boolean => error instanceof DatabaseFailure || sqlState(error) === '57P01'
