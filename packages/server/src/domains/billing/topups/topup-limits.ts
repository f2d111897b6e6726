import { day_ms } from '@swath/geo/time-units.ts'
import { limits } from '@swath/contract/limits.ts'
import type { Actor } from '../../../engine/actor.ts'
import { getCallingApiKeyId } from '../../../engine/principal.ts'
import { shiftTime, type OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { findApiKeySpendCap } from '../../api_keys/store.ts'
import {
  findTimeWhenSpendFreed,
  createSpendLimitExceededProblem,
  member_spend_window_ms,
} from '../../ledger/spend-limits.ts'
import { findMembership } from '../../organizations/store.ts'
import { findDailyTopupLimit, listTopupsOfMember, sumTopupsOfApiKey, sumTopupsSince } from './store.topup-limits.ts'

/** The start of a day in UTC. */
export const findStartOfUtcDay = (time: OrganizationTime): OrganizationTime =>
  shiftTime(time, -(time.getTime() % day_ms))

/** The largest sum in cents for credits per day on all cards of the organization, by all callers together. */
export const readDailyTopupLimit = async (db: SqlStatementRunner, organization: string): Promise<number> =>
  (await findDailyTopupLimit(db, organization)) ?? limits.default_daily_topup_aud * 100

interface TopupLimit {
  readonly name: string
  readonly limit: number
  /** The amount bought that counts towards it. */
  readonly used: number
  /** The amounts that stop counting, and when; oldest first. */
  readonly expirations: readonly { readonly at: Date; readonly credits: number }[]
}

/**
 * Throws `spend-limit-exceeded` if buying the credits exceeds the daily limit of the organization, the cap of the
 * calling API key, or a spend limit of the member behind the call. Purchases and spending are compared with a limit
 * separately: credits that are bought and then spent count once. The ledger must be locked.
 */
export async function requireWithinTopupLimits(db: SqlStatementRunner, actor: Actor, credits: number): Promise<void> {
  requireWithinLimits([await readDailyLimit(db, actor), ...(await listCallerLimits(db, actor))], credits)
}

/**
 * Throws `spend-limit-exceeded` if an invoice of this amount, which the call issues, exceeds what the calling API key or
 * the member behind the call may still buy. The ledger must be locked.
 */
export async function requireWithinCallerLimits(db: SqlStatementRunner, actor: Actor, cents: number): Promise<void> {
  if (cents > 0) requireWithinLimits(await listCallerLimits(db, actor), cents)
}

function requireWithinLimits(limitsToApply: readonly TopupLimit[], credits: number): void {
  const exceeded = limitsToApply.find(({ limit, used }) => used + credits > limit)
  if (!exceeded) return
  const { name, limit, used, expirations } = exceeded
  const detail = `The ${name} would be exceeded: it is ${limit} credits, ${used} were bought and ${credits} are requested.`
  const frees_at = credits > limit ? null : findTimeWhenSpendFreed(expirations, used + credits - limit)
  throw createSpendLimitExceededProblem(detail, { limit, used, requested: credits, frees_at })
}

/** True if an automatic top-up would exceed the daily limit of the organization; the ledger must be locked. */
export async function exceedsDailyTopupLimit(db: SqlStatementRunner, actor: Actor, credits: number): Promise<boolean> {
  const { limit, used } = await readDailyLimit(db, actor)
  return used + credits > limit
}

/**
 * Throws `spend-limit-exceeded` for a caller with a limit on its purchases: automatic top-ups repeat, so that no limit
 * of the user who set them would bind them.
 */
export async function requireNoTopupLimit(db: SqlStatementRunner, actor: Actor): Promise<void> {
  const [limited] = await listCallerLimits(db, actor)
  if (!limited) return
  const { name, limit, used } = limited
  const detail = `A caller with a limit cannot set automatic top-ups, which repeat: the ${name} is ${limit} credits.`
  throw createSpendLimitExceededProblem(detail, { limit, used, requested: null, frees_at: null })
}

async function readDailyLimit(db: SqlStatementRunner, { organization, clock }: Actor): Promise<TopupLimit> {
  const today = findStartOfUtcDay(clock.now())
  const used = await sumTopupsSince(db, organization, today)
  const limit = await readDailyTopupLimit(db, organization)
  const expirations = [{ at: shiftTime(today, day_ms), credits: used }]
  return { name: 'daily limit of the organization', limit, used, expirations }
}

/** The limits of the calling API key, and of the member who calls or created the key. */
const listCallerLimits = async (db: SqlStatementRunner, actor: Actor): Promise<TopupLimit[]> => [
  ...(await listApiKeyLimits(db, actor)),
  ...(await listMemberLimits(db, actor)),
]

async function listApiKeyLimits(db: SqlStatementRunner, { organization, principal }: Actor): Promise<TopupLimit[]> {
  const api_key = getCallingApiKeyId(principal)
  const limit = api_key === null ? null : await findApiKeySpendCap(db, organization, api_key)
  if (api_key === null || limit === null) return []
  const used = await sumTopupsOfApiKey(db, organization, api_key)
  return [{ name: 'cap of the API key', limit, used, expirations: [] }]
}

async function listMemberLimits(
  db: SqlStatementRunner,
  { organization, principal, clock }: Actor,
): Promise<TopupLimit[]> {
  const member = principal.user === null ? null : await findMembership(db, organization, principal.user)
  if (!member) return []
  const { user_id, per_order_limit_credits: perOrder, spend_limit_credits: limit } = member
  const found: TopupLimit[] = []
  if (perOrder !== null)
    found.push({ name: 'limit of the member per order', limit: perOrder, used: 0, expirations: [] })
  if (limit === null) return found
  const bought = await listTopupsOfMember(db, organization, user_id, shiftTime(clock.now(), -member_spend_window_ms))
  const used = bought.reduce((sum, { credits }) => sum + credits, 0)
  const expirations = bought.map(({ created_at, credits }) => ({
    at: new Date(created_at.getTime() + member_spend_window_ms),
    credits,
  }))
  return [...found, { name: '30-day limit of the member', limit, used, expirations }]
}
