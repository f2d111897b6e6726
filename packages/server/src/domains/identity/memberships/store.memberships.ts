import type { Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** A user whose row is locked: nobody else lets this user join or leave an organization meanwhile. */
export interface LockedUser {
  readonly id: string
  readonly email: string
  readonly name: string | null
  /** The organization that the user chose last; null exactly if the user is in none. */
  readonly organization_id: string | null
  readonly disabled_at: Date | null
}

/** Needs the unscoped connection, as all functions of this file. */
export async function lockUser(tx: Tx, user: string): Promise<LockedUser | null> {
  const [row] = await tx.query<LockedUser>(sql`
    select id, email, name, organization_id, disabled_at from users where id = ${user} for update`)
  return row ?? null
}

export async function insertUserOrganization(
  tx: Tx,
  row: { readonly user_id: string; readonly organization_id: string; readonly joined_at: Date },
): Promise<void> {
  await tx.query(sql`
    insert into user_organizations (user_id, organization_id, joined_at)
    values (${row.user_id}, ${row.organization_id}, ${row.joined_at})
    on conflict (user_id, organization_id) do nothing`)
}

export async function countUserOrganizations(tx: Tx, user: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from user_organizations where user_id = ${user}`)
  return row?.count ?? 0
}

export async function deleteUserOrganization(tx: Tx, user: string, organization: string): Promise<void> {
  await tx.query(sql`
    delete from user_organizations where user_id = ${user} and organization_id = ${organization}`)
}

/** Makes an organization the one that a user chose last; null for a user who is in none any more. */
export async function updateDefaultOrganization(
  tx: Tx,
  user: string,
  organization: string | null,
  at: Date,
): Promise<void> {
  await tx.query(sql`
    update users set organization_id = ${organization}, updated_at = ${at} where id = ${user}`)
}

/** The same for a user who is in the organization; nothing happens for one who has left it meanwhile. */
export async function updateChosenOrganization(tx: Tx, user: string, organization: string, at: Date): Promise<void> {
  await tx.query(sql`
    update users set organization_id = ${organization}, updated_at = ${at}
    where id = ${user} and organization_id is distinct from ${organization}::uuid and exists (
      select 1 from user_organizations uo where uo.user_id = ${user} and uo.organization_id = ${organization})`)
}

/** Sessions that began before their user was in an organization name it from now on. */
export async function updateSessionsWithoutOrganization(tx: Tx, user: string, organization: string): Promise<void> {
  await tx.query(sql`
    update sessions set organization_id = ${organization}
    where user_id = ${user} and organization_id is null and kind = 'human' and cookie_hash is null`)
}

/** Ends the sessions of a user that name an organization. Those of browsers go on: they are of no organization. */
export async function markOrganizationSessionsRevoked(
  tx: Tx,
  user: string,
  organization: string,
  { reason, at }: { readonly reason: string; readonly at: Date },
): Promise<void> {
  await tx.query(sql`
    update sessions set revoked_at = ${at}, revoked_because = ${reason}
    where user_id = ${user} and organization_id = ${organization} and kind = 'human' and cookie_hash is null
      and revoked_at is null`)
}
