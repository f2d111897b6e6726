import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { publishItemAccessChange } from '../../platform/database/item-access.ts'
import { sql } from '../../platform/database/sql.ts'
import { memberColumns, type MemberRow, type OrganizationPlan } from './store.ts'

/** All members of the organization, the newest first. */
export async function listMembers(db: SqlStatementRunner, organization: string): Promise<MemberRow[]> {
  return db.query<MemberRow>(sql`
    select ${memberColumns} from memberships m where m.organization_id = ${organization} order by m.created_at desc, m.user_id desc`)
}

/** The membership of a user in one of several organizations. */
export interface UserMembershipRow {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly plan: OrganizationPlan
  readonly status: 'active' | 'suspended'
  readonly role: OrganizationRole
  readonly delete_after: Date | null
  readonly joined_at: Date
}

/** The memberships of a user in the organizations among these that are not deleted; needs the unscoped connection. */
export const listUserMemberships = (
  unscoped: SqlStatementRunner,
  organizations: readonly string[],
  user: string,
): Promise<UserMembershipRow[]> =>
  unscoped.query<UserMembershipRow>(sql`
    select o.organization_id as id, o.name, o.slug, o.plan, o.status, m.role, o.delete_after, m.created_at as joined_at
    from memberships m join organizations o on o.organization_id = m.organization_id
    where m.organization_id = any(${[...organizations]}::uuid[]) and m.user_id = ${user} and o.status <> 'deleted'`)

/** The role of a member; null for a user who is disabled or not in the organization. */
export async function findActiveMemberRole(
  db: SqlStatementRunner,
  organization: string,
  user: string,
): Promise<OrganizationRole | null> {
  const [row] = await db.query<{ role: OrganizationRole }>(sql`
    select m.role from memberships m
    where m.organization_id = ${organization} and m.user_id = ${user} and m.disabled_at is null`)
  return row?.role ?? null
}

/** Repeats in the membership from when on its user is disabled, or with null that the user is not. */
export async function updateMembershipDisabled(
  tx: SqlStatementRunner,
  {
    organization,
    user,
    disabled_at,
  }: { readonly organization: string; readonly user: string; readonly disabled_at: Date | null },
): Promise<void> {
  await tx.query(sql`
    update memberships set disabled_at = ${disabled_at} where organization_id = ${organization} and user_id = ${user}`)
}

/** Repeats in the membership what its user is called. */
export async function updateMemberProfile(
  tx: Tx,
  organization: string,
  user: string,
  { email, name }: { readonly email: string; readonly name: string | null },
): Promise<void> {
  await tx.query(sql`
    update memberships set email = ${email}, name = ${name}
    where organization_id = ${organization} and user_id = ${user}`)
}

/** False if the user is not in the organization. */
export async function updateMemberSpendLimits(
  db: SqlStatementRunner,
  {
    organization,
    user,
    limits,
    now,
  }: {
    readonly organization: string
    readonly user: string
    readonly limits: Pick<MemberRow, 'per_order_limit_credits' | 'spend_limit_credits'>
    readonly now: OrganizationTime
  },
): Promise<boolean> {
  const rows = await db.query(sql`
    update memberships
    set per_order_limit_credits = ${limits.per_order_limit_credits}, spend_limit_credits = ${limits.spend_limit_credits},
        updated_at = ${now}
    where organization_id = ${organization} and user_id = ${user}
    returning user_id`)
  return rows.length > 0
}

/** A member whose row is locked. */
export interface LockedMember extends Pick<MemberRow, 'user_id' | 'email' | 'name' | 'role'> {
  readonly disabled_at: Date | null
}

/**
 * Locks the owners of the organization and the named members, in the order of their ids: whoever changes one of them comes after
 * another who does, and sees whether an owner is left.
 */
export const lockOwnersAndMembers = (tx: Tx, organization: string, users: readonly string[]): Promise<LockedMember[]> =>
  tx.query<LockedMember>(sql`
    select m.user_id, m.email, m.name, m.role, m.disabled_at from memberships m
    where m.organization_id = ${organization} and (m.role = 'owner' or m.user_id = any(${[...users]}::uuid[]))
    order by m.user_id
    for update of m`)

export async function updateMemberRole(
  tx: Tx,
  organization: string,
  user: string,
  change: { readonly role: OrganizationRole; readonly now: OrganizationTime },
): Promise<void> {
  publishItemAccessChange(tx, organization)
  await tx.query(sql`
    update memberships set role = ${change.role}, updated_at = ${change.now}
    where organization_id = ${organization} and user_id = ${user}`)
}

/** Ends the membership of a user, whose project memberships have ended before. */
export async function deleteMember(tx: Tx, organization: string, user: string): Promise<void> {
  publishItemAccessChange(tx, organization)
  await tx.query(sql`delete from memberships where organization_id = ${organization} and user_id = ${user}`)
}

/** The name that the members of an organization see of one of them. */
export async function updateMembershipName(
  tx: Tx,
  organization: string,
  user: string,
  change: { readonly name: string; readonly now: OrganizationTime },
): Promise<void> {
  await tx.query(sql`
    update memberships set name = ${change.name}, updated_at = ${change.now}
    where organization_id = ${organization} and user_id = ${user}`)
}
