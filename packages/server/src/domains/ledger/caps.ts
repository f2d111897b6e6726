import { Problem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { listWindow, sumOfKey, sumWindow, type WindowRow } from './store.windows.ts'

const hour_ms = 3_600_000
/** The window of a member's spending: 30 times 24 hours, counted back from now. */
export const window_ms = 30 * 24 * hour_ms

/** What a member may spend; null is unlimited, 0 is nothing. */
export interface Caps {
  readonly per_order_limit_credits: number | null
  readonly spend_limit_credits: number | null
}

/** What counts besides holds: cards that are being asked at this moment. */
export type Pending = readonly WindowRow[]

const startOf = (now: OrganizationTime): Date => new Date(now.getTime() - window_ms)

/**
 * What counts in the window of a member now, in credits: open holds with all they hold, settled ones with what was
 * charged, each for 30 days from its creation. Hours that lie wholly inside come from their sums, the one that is
 * cut from its holds.
 */
export async function windowUsed(
  db: Queryable,
  organization: string,
  user: string,
  now: OrganizationTime,
  pending: Pending,
): Promise<number> {
  const start = startOf(now)
  const cut = new Date((Math.floor(start.getTime() / hour_ms) + 1) * hour_ms)
  const used = await sumWindow(db, organization, user, { start, cut })
  return used + pending.reduce((sum, row) => sum + row.credits, 0)
}

/** When what leaves the window leaves it, oldest first. */
export async function windowEnds(
  db: Queryable,
  organization: string,
  user: string,
  now: OrganizationTime,
  pending: Pending,
): Promise<{ at: Date; credits: number }[]> {
  const rows = [...(await listWindow(db, organization, user, startOf(now))), ...pending]
  return rows
    .toSorted((left, right) => left.created_at.getTime() - right.created_at.getTime())
    .map(({ created_at, credits }) => ({ at: new Date(created_at.getTime() + window_ms), credits }))
}

/**
 * Refuses what would pass a cap of the member, with the wallet locked. Throws `spend-limit-exceeded` with the limit,
 * what the window holds, what was asked for, and when that would fit (null where it never does); nothing is reserved.
 */
export async function requireWithinCaps(
  db: Queryable,
  wish: {
    organization: string
    user: string
    caps: Caps
    amount_credits: number
    now: OrganizationTime
    pending: Pending
  },
): Promise<void> {
  const { organization, user, caps, amount_credits: requested, now, pending } = wish
  const { per_order_limit_credits: perOrder, spend_limit_credits: limit } = caps
  if (perOrder === null && limit === null) return
  const used = await windowUsed(db, organization, user, now, pending)
  if (perOrder !== null && requested > perOrder) {
    throw refusal(`per-order limit of ${perOrder} credits`, { limit: perOrder, used, requested, frees_at: null })
  }
  if (limit === null || used + requested <= limit) return
  const frees_at =
    requested > limit ? null : freesAt(await windowEnds(db, organization, user, now, pending), used + requested - limit)
  throw refusal(`30-day limit of ${limit} credits`, { limit, used, requested, frees_at })
}

/**
 * Refuses what would pass the cap of an API key, with the wallet locked. The cap is of all that the key ever spends, so nothing
 * frees it. Throws `spend-limit-exceeded`; nothing is reserved.
 */
export async function requireWithinKeyCap(
  db: Queryable,
  wish: { organization: string; api_key: string; spend_cap_credits: number; amount_credits: number },
): Promise<void> {
  const { organization, api_key, spend_cap_credits: limit, amount_credits: requested } = wish
  const used = await sumOfKey(db, organization, api_key)
  if (used + requested <= limit) return
  const sentence = `The API key may spend ${limit} credits in all: ${requested} are asked for, and ${used} are spent or held.`
  throw new Problem('spend-limit-exceeded', sentence, { limit, window_used: used, requested, frees_at: null })
}

/** The first moment at which so many credits have left the window; null where they never do. */
export function freesAt(ends: readonly { at: Date; credits: number }[], excess: number): Date | null {
  let freed = 0
  for (const { at, credits } of ends) {
    freed += credits
    if (freed >= excess) return at
  }
  return null
}

function refusal(
  name: string,
  { limit, used, requested, frees_at }: { limit: number; used: number; requested: number; frees_at: Date | null },
): Problem {
  const sentence = `The ${name} would be passed: ${requested} are asked for, and ${used} count in the last 30 days.`
  return new Problem('spend-limit-exceeded', sentence, {
    limit,
    window_used: used,
    requested,
    frees_at: frees_at?.toISOString() ?? null,
  })
}
