import { invariant } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../events/emit.ts'
import { drawLots, post, type Reference } from './ledger.ts'
import {
  findHold,
  insertHold,
  insertResolution,
  lockWallet,
  lotsOfHold,
  moveLots,
  type LotAmount,
  type Posting,
} from './store.ts'

/**
 * Reserves credits: they leave `available` and wait in `held` until exactly one of settle or release.
 * Throws `insufficient-credits`; then nothing was written.
 */
export async function hold(
  tx: Tx,
  actor: Actor,
  terms: { amount_credits: number; reference: Reference },
): Promise<string> {
  invariant(
    Number.isSafeInteger(terms.amount_credits) && terms.amount_credits > 0,
    'a hold is a whole number above zero',
  )
  const lots = await drawLots(tx, actor, terms.amount_credits)
  const id = newId()
  await moveLots(tx, actor.organization, lots, 'available_credits', 'held_credits')
  await insertHold(
    tx,
    {
      id,
      organization_id: actor.organization,
      amount_credits: terms.amount_credits,
      reference_type: terms.reference.type,
      reference_id: terms.reference.id,
      user_id: actor.principal.user,
      created_at: actor.clock.now(),
    },
    lots,
  )
  await post(tx, actor, {
    kind: 'hold',
    amount_credits: -terms.amount_credits,
    reference: terms.reference,
    hold_id: id,
    postings: between(lots, 'wallet.available', 'wallet.held'),
  })
  return id
}

/**
 * Charges `amount_credits` of a hold (0 up to all of it) and gives the rest back to the lots it came from.
 * A hold is resolved once: a second settle or release is a fault of ours and rolls the transaction back.
 */
export async function settle(tx: Tx, actor: Actor, hold_id: string, amount_credits: number): Promise<void> {
  await lockWallet(tx, actor.organization)
  const held = await findHold(tx, actor.organization, hold_id)
  invariant(held, `there is no hold ${hold_id}`)
  invariant(
    Number.isSafeInteger(amount_credits) && amount_credits >= 0 && amount_credits <= held.amount_credits,
    'a settlement is never more than its hold',
  )
  const rest = held.amount_credits - amount_credits
  const outcome = amount_credits > 0 ? 'settled' : 'released'
  const at = actor.clock.now()
  const first = await insertResolution(tx, actor.organization, hold_id, outcome, amount_credits, rest, at)
  invariant(first, `hold ${hold_id} is resolved already`)

  const [charged, given] = split(await lotsOfHold(tx, actor.organization, hold_id), amount_credits)
  const reference = { type: held.reference_type, id: held.reference_id }
  if (given.length > 0) {
    await moveLots(tx, actor.organization, given, 'held_credits', 'available_credits')
    await post(tx, actor, {
      kind: 'release',
      amount_credits: rest,
      reference,
      hold_id,
      postings: between(given, 'wallet.held', 'wallet.available'),
    })
  }
  if (charged.length > 0) {
    await moveLots(tx, actor.organization, charged, 'held_credits', 'captured_credits')
    await post(tx, actor, {
      kind: 'capture',
      amount_credits: -amount_credits,
      reference,
      hold_id,
      postings: between(charged, 'wallet.held', 'revenue'),
    })
  }
}

/** Gives a whole hold back. */
export const release = (tx: Tx, actor: Actor, hold_id: string): Promise<void> => settle(tx, actor, hold_id, 0)

/** The first lots up to the amount, and what remains of the others. */
function split(lots: readonly LotAmount[], amount_credits: number): [LotAmount[], LotAmount[]] {
  const charged: LotAmount[] = []
  const given: LotAmount[] = []
  let left = amount_credits
  for (const lot of lots) {
    const part = Math.min(left, lot.amount_credits)
    left -= part
    if (part > 0) charged.push({ lot_id: lot.lot_id, amount_credits: part })
    if (part < lot.amount_credits) given.push({ lot_id: lot.lot_id, amount_credits: lot.amount_credits - part })
  }
  return [charged, given]
}

/** A pair of postings for every lot. */
const between = (lots: readonly LotAmount[], from: string, to: string): Posting[] =>
  lots.flatMap((lot) => [
    { account: from, amount_credits: -lot.amount_credits, lot_id: lot.lot_id },
    { account: to, amount_credits: lot.amount_credits, lot_id: lot.lot_id },
  ])
