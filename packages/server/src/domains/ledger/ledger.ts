import { Problem, invariant } from '../../engine/problem.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../events/emit.ts'
import {
  insertEntry,
  insertLot,
  listEntries,
  lockWallet,
  moveBalances,
  moveLots,
  openLots,
  readBalances,
  type EntryRow,
  type LotRow,
  type Posting,
} from './store.ts'

/** What an entry is about, such as `{ type: 'order', id }`. */
export interface Reference {
  readonly type: string
  readonly id: string
}

export type EntryKind =
  | 'purchase'
  | 'grant_signup'
  | 'grant_monthly'
  | 'grant_manual'
  | 'adjust'
  | 'hold'
  | 'capture'
  | 'release'

export interface Entry {
  readonly kind: EntryKind
  /** Signed, as a reader of the wallet sees it: holds and captures are negative. */
  readonly amount_credits: number
  readonly reference: Reference
  readonly hold_id?: string
  readonly note?: string
  readonly postings: readonly Posting[]
}

/** Writes one balanced entry and moves the balances with it; its id. The wallet must be locked. */
export async function post(tx: Tx, actor: Actor, entry: Entry): Promise<string> {
  const sum = entry.postings.reduce((total, posting) => total + posting.amount_credits, 0)
  invariant(sum === 0 && entry.postings.length > 1, `a ${entry.kind} entry must sum to zero`)
  invariant(
    entry.postings.every((posting) => Number.isSafeInteger(posting.amount_credits)),
    'credits are whole numbers',
  )
  const id = newId()
  await moveBalances(tx, actor.organization, entry.postings)
  await insertEntry(
    tx,
    {
      id,
      organization_id: actor.organization,
      kind: entry.kind,
      amount_credits: entry.amount_credits,
      reference_type: entry.reference.type,
      reference_id: entry.reference.id,
      hold_id: entry.hold_id ?? null,
      actor_kind: actor.principal.kind,
      actor_id: actor.principal.id,
      operation: actor.operation,
      request_id: actor.requestId,
      note: entry.note ?? null,
      created_at: actor.clock.now(),
    },
    entry.postings,
  )
  return id
}

export interface Grant {
  readonly kind: 'purchase' | 'grant_signup' | 'grant_monthly' | 'grant_manual'
  readonly amount_credits: number
  readonly reference: Reference
  /** Lots of a lower number are drawn first. Free credits 10, bought ones 50. */
  readonly priority?: number
  readonly expires_at?: Date | null
  readonly note?: string
}

const counterAccounts: Record<Grant['kind'], string> = {
  purchase: 'stripe.clearing',
  grant_signup: 'promo.expense',
  grant_monthly: 'promo.expense',
  grant_manual: 'promo.expense',
}

/** Puts a lot of credits into the wallet; the id of its entry. */
export async function grant(tx: Tx, actor: Actor, terms: Grant): Promise<string> {
  invariant(
    Number.isSafeInteger(terms.amount_credits) && terms.amount_credits > 0,
    'a grant is a whole number above zero',
  )
  await lockWallet(tx, actor.organization)
  const lot = newId()
  await insertLot(tx, {
    organization_id: actor.organization,
    id: lot,
    kind: terms.kind,
    priority: terms.priority ?? 50,
    expires_at: terms.expires_at ?? null,
    available_credits: terms.amount_credits,
    created_at: actor.clock.now(),
  })
  return post(tx, actor, {
    kind: terms.kind,
    amount_credits: terms.amount_credits,
    reference: terms.reference,
    note: terms.note,
    postings: [
      { account: 'wallet.available', amount_credits: terms.amount_credits, lot_id: lot },
      { account: counterAccounts[terms.kind], amount_credits: -terms.amount_credits, lot_id: null },
    ],
  })
}

/** Takes credits out of the wallet by hand, in drawing order; refuses more than there are. The id of its entry. */
export async function withdraw(
  tx: Tx,
  actor: Actor,
  terms: { amount_credits: number; reference: Reference; note: string },
): Promise<string> {
  const lots = await drawLots(tx, actor, terms.amount_credits)
  await moveLots(tx, actor.organization, lots, 'available_credits', 'refunded_credits')
  return post(tx, actor, {
    kind: 'adjust',
    amount_credits: -terms.amount_credits,
    reference: terms.reference,
    note: terms.note,
    postings: [
      ...lots.map((lot) => ({ account: 'wallet.available', amount_credits: -lot.amount_credits, lot_id: lot.lot_id })),
      { account: 'promo.expense', amount_credits: terms.amount_credits, lot_id: null },
    ],
  })
}

/** Chooses the lots for an amount, with the wallet locked; throws `insufficient-credits` when they do not reach. */
export async function drawLots(
  tx: Tx,
  actor: Actor,
  amount_credits: number,
): Promise<{ lot_id: string; amount_credits: number }[]> {
  const available = await lockWallet(tx, actor.organization)
  const drawn: { lot_id: string; amount_credits: number }[] = []
  let missing = amount_credits
  if (available >= amount_credits) {
    for (const lot of await openLots(tx, actor.organization, actor.clock.now())) {
      if (missing === 0) break
      const part = Math.min(missing, lot.available_credits)
      drawn.push({ lot_id: lot.id, amount_credits: part })
      missing -= part
    }
  }
  if (missing > 0) {
    throw new Problem('insufficient-credits', `${amount_credits} credits are needed and ${available} are available.`, {
      required_credits: amount_credits,
      available_credits: available,
    })
  }
  return drawn
}

export interface Balance {
  readonly available_credits: number
  readonly held_credits: number
  readonly lots: readonly LotRow[]
}

export async function balance(db: Queryable, organization: string, now: Date): Promise<Balance> {
  const balances = await readBalances(db, organization)
  return {
    available_credits: balances.get('wallet.available') ?? 0,
    held_credits: balances.get('wallet.held') ?? 0,
    lots: await openLots(db, organization, now),
  }
}

/** The journal as the wallet saw it, newest first. */
export const entries = (
  db: Queryable,
  organization: string,
  page: { kind: string | null; limit: number; offset: number },
): Promise<{ entries: EntryRow[]; total: number }> => listEntries(db, organization, page)
