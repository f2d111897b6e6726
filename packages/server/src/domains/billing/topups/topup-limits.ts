import { limits } from '@swath/contract/limits.ts'
import type { Actor } from '../../../engine/actor.ts'
import { Problem } from '../../../engine/problem.ts'
import { shiftTime, type OrganizationTime } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { findSpendCap } from '../../api_keys/spend-cap.ts'
import { findTimeWhenFreed, spend_window_ms } from '../../ledger/spend-limits.ts'
import { findMembership } from '../../organizations/organization.ts'
import { findDailyTopupLimit, listTopupsOfMember, sumTopupsOfApiKey, sumTopupsSince } from './store.topup-limits.ts'

const day_ms = 86_400_000

/** The start of a day in UTC. */
export const startOfDay = (time: OrganizationTime): OrganizationTime => shiftTime(time, -(time.getTime() % day_ms))

/** The largest sum in cents that the cards of the organization are charged for credits in a day, by whomever. */
export const readDailyTopupLimit = async (db: Queryable, organization: string): Promise<number> =>
  (await findDailyTopupLimit(db, organization)) ?? limits.default_daily_topup_aud * 100

interface TopupLimit {
  readonly name: string
  readonly limit: number
  readonly used: number
  readonly frees_at: Date | null
}

/**
 * Throws `spend-limit-exceeded` if buying the credits exceeds the daily limit of the organization, the cap of the calling API key,
 * or a spend limit of the member behind the call. What was bought and what was spent are compared with a limit separately: who
 * buys credits and spends them has spent them once. The ledger must be locked.
 */
export async function requireWithinTopupLimits(db: Queryable, actor: Actor, credits: number): Promise<void> {
  for (const find of [findDailyLimit, findApiKeyLimit, findMemberOrderLimit, findMemberLimit]) {
    const found = await find(db, actor, credits)
    if (found && found.used + credits > found.limit) throw topupLimitExceeded(found, credits)
  }
}

/** True if an automatic top-up would exceed the daily limit of the organization; the ledger must be locked. */
export async function exceedsDailyTopupLimit(db: Queryable, actor: Actor, credits: number): Promise<boolean> {
  const { limit, used } = await findDailyLimit(db, actor)
  return used + credits > limit
}

/**
 * Throws `spend-limit-exceeded` for a caller with a limit on what it may buy: automatic top-ups repeat, so that no limit of who set
 * them would bind them.
 */
export async function requireNoTopupLimit(db: Queryable, actor: Actor): Promise<void> {
  for (const find of [findApiKeyLimit, findMemberOrderLimit, findMemberLimit]) {
    const found = await find(db, actor, 0)
    if (!found) continue
    throw new Problem(
      'spend-limit-exceeded',
      `A caller with a limit cannot set automatic top-ups, which repeat: the ${found.name} is ${found.limit} credits.`,
      { limit: found.limit, window_used: found.used, requested: null, frees_at: null },
    )
  }
}

async function findDailyLimit(db: Queryable, { organization, clock }: Actor): Promise<TopupLimit> {
  const today = startOfDay(clock.now())
  const used = await sumTopupsSince(db, organization, today)
  const limit = await readDailyTopupLimit(db, organization)
  return { name: 'daily limit of the organization', limit, used, frees_at: shiftTime(today, day_ms) }
}

async function findApiKeyLimit(db: Queryable, { organization, principal }: Actor): Promise<TopupLimit | null> {
  const limit = principal.kind === 'api_key' ? await findSpendCap(db, organization, principal.id) : null
  if (limit === null) return null
  return {
    name: 'cap of the API key',
    limit,
    used: await sumTopupsOfApiKey(db, organization, principal.id),
    frees_at: null,
  }
}

async function findMemberOrderLimit(db: Queryable, { organization, principal }: Actor): Promise<TopupLimit | null> {
  const member = principal.user === null ? null : await findMembership(db, organization, principal.user)
  const limit = member?.per_order_limit_credits ?? null
  return limit === null ? null : { name: 'limit of the member per order', limit, used: 0, frees_at: null }
}

async function findMemberLimit(
  db: Queryable,
  { organization, principal, clock }: Actor,
  credits: number,
): Promise<TopupLimit | null> {
  const member = principal.user === null ? null : await findMembership(db, organization, principal.user)
  const limit = member?.spend_limit_credits ?? null
  if (limit === null) return null
  const bought = await listTopupsOfMember(db, organization, member!.user_id, shiftTime(clock.now(), -spend_window_ms))
  const used = bought.reduce((sum, row) => sum + row.credits, 0)
  const expirations = bought.map((row) => ({
    at: new Date(row.created_at.getTime() + spend_window_ms),
    credits: row.credits,
  }))
  const frees_at = credits > limit ? null : findTimeWhenFreed(expirations, used + credits - limit)
  return { name: '30-day limit of the member', limit, used, frees_at }
}

function topupLimitExceeded({ name, limit, used, frees_at }: TopupLimit, requested: number): Problem {
  const detail = `The ${name} would be exceeded: it is ${limit} credits, ${used} were bought and ${requested} are requested.`
  return new Problem('spend-limit-exceeded', detail, {
    limit,
    window_used: used,
    requested,
    frees_at: frees_at?.toISOString() ?? null,
  })
}
