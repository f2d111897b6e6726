import { hour_ms } from '@swath/geo/time-units.ts'
import { Problem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { listMemberSpend, sumApiKeySpend, sumSpendByMember, type MemberSpendRow } from './store.spend-windows.ts'

/** The rolling window of a member's spend limit: the last 30 × 24 hours. */
export const member_spend_window_ms = 30 * 24 * hour_ms

/** The spend limits of a member; null is unlimited, 0 forbids spending. */
export interface MemberSpendLimits {
  readonly per_order_limit_credits: number | null
  readonly spend_limit_credits: number | null
}

/** Spend that counts in addition to holds: card authorizations in progress. */
export type PendingMemberSpend = readonly MemberSpendRow[]

const windowStart = (now: OrganizationTime): Date => new Date(now.getTime() - member_spend_window_ms)

/**
 * A member's spend in the window, in credits: open holds count in full, settled holds with the charged amount, each for
 * 30 days from its creation. Full hours come from hourly sums; the partial first hour is summed hold by hold.
 */
export async function sumSpendInWindow(
  db: SqlStatementRunner,
  {
    organization,
    user,
    now,
    pending,
  }: {
    readonly organization: string
    readonly user: string
    readonly now: OrganizationTime
    readonly pending: PendingMemberSpend
  },
): Promise<number> {
  const pendingOfUser = pending.map(({ credits }) => ({ user_id: user, credits }))
  const used = await sumSpendOfMembersInWindow(db, { organization, users: [user], now, pending: pendingOfUser })
  return used.get(user)!
}

/** The same for several members in one query; each member has an entry. */
export async function sumSpendOfMembersInWindow(
  db: SqlStatementRunner,
  {
    organization,
    users,
    now,
    pending,
  }: {
    readonly organization: string
    readonly users: readonly string[]
    readonly now: OrganizationTime
    /** Card authorizations in progress of any of them. */
    readonly pending: readonly { readonly user_id: string; readonly credits: number }[]
  },
): Promise<Map<string, number>> {
  const start = windowStart(now)
  const cut = new Date((Math.floor(start.getTime() / hour_ms) + 1) * hour_ms)
  const spent = await sumSpendByMember(db, organization, users, { start, cut })
  const used = new Map(users.map((user) => [user, spent.get(user) ?? 0]))
  for (const { user_id, credits } of pending) used.set(user_id, (used.get(user_id) ?? 0) + credits)
  return used
}

/** The time when each amount leaves the window, oldest first. */
export async function listSpendWindowExpirations(
  db: SqlStatementRunner,
  {
    organization,
    user,
    now,
    pending,
  }: {
    readonly organization: string
    readonly user: string
    readonly now: OrganizationTime
    readonly pending: PendingMemberSpend
  },
): Promise<{ at: Date; credits: number }[]> {
  const rows = [...(await listMemberSpend(db, organization, user, windowStart(now))), ...pending]
  return rows
    .toSorted((left, right) => left.created_at.getTime() - right.created_at.getTime())
    .map(({ created_at, credits }) => ({ at: new Date(created_at.getTime() + member_spend_window_ms), credits }))
}

/**
 * Throws `spend-limit-exceeded` if the amount exceeds a spend limit of the member; the wallet must be locked. The problem
 * carries the limit, the spend in the window, the requested amount and when it would fit (null: never).
 */
export async function requireWithinSpendLimits(
  db: SqlStatementRunner,
  request: {
    organization: string
    user: string
    caps: MemberSpendLimits
    amount_credits: number
    now: OrganizationTime
    pending: PendingMemberSpend
  },
): Promise<void> {
  const { organization, user, caps: limits, amount_credits: requested, now, pending } = request
  const { per_order_limit_credits: perOrder, spend_limit_credits: limit } = limits
  if (perOrder === null && limit === null) return
  const used = await sumSpendInWindow(db, { organization, user, now, pending })
  if (perOrder !== null && requested > perOrder) {
    throw windowExceeded(`per-order limit of ${perOrder} credits`, {
      limit: perOrder,
      used,
      requested,
      frees_at: null,
    })
  }
  if (limit === null || used + requested <= limit) return
  const frees_at =
    requested > limit
      ? null
      : findTimeWhenSpendFreed(
          await listSpendWindowExpirations(db, { organization, user, now, pending }),
          used + requested - limit,
        )
  throw windowExceeded(`30-day limit of ${limit} credits`, { limit, used, requested, frees_at })
}

/**
 * Throws `spend-limit-exceeded` if the amount exceeds the lifetime spend cap of an API key; the wallet must be locked. A
 * lifetime cap never frees up, so `frees_at` is null.
 */
export async function requireWithinApiKeyCap(
  db: SqlStatementRunner,
  request: { organization: string; api_key: string; spend_cap_credits: number; amount_credits: number },
): Promise<void> {
  const { organization, api_key, spend_cap_credits: limit, amount_credits: requested } = request
  const used = await sumApiKeySpend(db, organization, api_key)
  if (used + requested <= limit) return
  const detail = `The API key may spend ${limit} credits in total: ${requested} are requested and ${used} are already spent or held.`
  throw createSpendLimitExceededProblem(detail, { limit, used, requested, frees_at: null })
}

/** The first time at which `excess` credits have left the window; null if they never do. */
export function findTimeWhenSpendFreed(
  expirations: readonly { at: Date; credits: number }[],
  excess: number,
): Date | null {
  let freed = 0
  for (const { at, credits } of expirations) {
    freed += credits
    if (freed >= excess) return at
  }
  return null
}

function windowExceeded(name: string, exceeded: ExceededSpendLimit): Problem {
  const { requested, used } = exceeded
  const detail = `The ${name} would be exceeded: ${requested} are requested and ${used} were spent or held in the last 30 days.`
  return createSpendLimitExceededProblem(detail, exceeded)
}

export interface ExceededSpendLimit {
  readonly limit: number
  readonly used: number
  /** Null for a setting that would spend repeatedly. */
  readonly requested: number | null
  /** The time when the request would fit; null if it never does. */
  readonly frees_at: Date | null
}

/** The problem `spend-limit-exceeded` with the members that its callers rely on. */
export const createSpendLimitExceededProblem = (
  detail: string,
  { limit, used, requested, frees_at }: ExceededSpendLimit,
): Problem =>
  new Problem('spend-limit-exceeded', detail, {
    limit,
    window_used: used,
    requested,
    frees_at: frees_at?.toISOString() ?? null,
  })
