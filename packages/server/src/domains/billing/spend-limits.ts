import type { SqlStatementRunner } from '../../platform/database/database.ts'
import type { Principal } from '../../engine/call.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import { findApiKeySpendCap } from '../api_keys/store.ts'
import { requireWithinSpendLimits, requireWithinApiKeyCap, type PendingMemberSpend } from '../ledger/spend-limits.ts'
import { findMembership } from '../organizations/store.ts'
import { listPendingCardAuthorisations } from '../card-payments/store.authorisations.ts'

/**
 * Throws `spend-limit-exceeded` if the amount exceeds the cap of the calling API key, or a spend limit of the calling
 * member or of the member who created the key. The ledger must be locked.
 */
export async function requirePrincipalSpendLimits(
  db: SqlStatementRunner,
  { organization, principal }: { readonly organization: string; readonly principal: Principal },
  {
    amount_credits,
    now,
    excludedAuthorisations,
  }: {
    readonly amount_credits: number
    readonly now: OrganizationTime
    readonly excludedAuthorisations: readonly string[]
  },
): Promise<void> {
  const { kind, id: api_key, user } = principal
  const cap = kind === 'api_key' ? await findApiKeySpendCap(db, organization, api_key) : null
  if (cap !== null) {
    await requireWithinApiKeyCap(db, { organization, api_key, spend_cap_credits: cap, amount_credits })
  }
  if (user !== null)
    await requireAmountWithinSpendLimits(db, { organization, user, amount_credits, now, excludedAuthorisations })
}

/**
 * Throws `spend-limit-exceeded` if the amount exceeds a spend limit of the member; a former member has none. The ledger
 * must be locked. `excludedAuthorisations` are those of the payment itself, which must not count twice.
 */
export async function requireAmountWithinSpendLimits(
  db: SqlStatementRunner,
  {
    organization,
    user,
    amount_credits,
    now,
    excludedAuthorisations,
  }: {
    readonly organization: string
    readonly user: string
    readonly amount_credits: number
    readonly now: OrganizationTime
    readonly excludedAuthorisations: readonly string[]
  },
): Promise<void> {
  const limits = await findMembership(db, organization, user)
  if (!limits || (limits.per_order_limit_credits === null && limits.spend_limit_credits === null)) return
  const pending: PendingMemberSpend = (await listPendingCardAuthorisations(db, organization, [user])).filter(
    ({ id }) => !excludedAuthorisations.includes(id),
  )
  await requireWithinSpendLimits(db, { organization, user, caps: limits, amount_credits, now, pending })
}
