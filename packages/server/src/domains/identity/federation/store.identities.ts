import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** A subject of a provider. */
export interface FederatedSubject {
  readonly issuer: string
  readonly subject: string
}

/** The user who is a subject of the provider of an organization; null for an unknown one. */
export async function findIdentityUser(
  db: SqlStatementRunner,
  organization: string,
  { issuer, subject }: FederatedSubject,
): Promise<string | null> {
  const [row] = await db.query<{ user_id: string }>(sql`
    select user_id from federated_identities
    where organization_id = ${organization} and issuer = ${issuer} and subject = ${subject}`)
  return row?.user_id ?? null
}

export interface IdentityUse {
  readonly amr: readonly string[]
  readonly acr: string | null
  readonly now: OrganizationTime
}

/** False if the subject, or the user with another subject of the provider, is linked already. */
export async function insertIdentity(
  tx: Tx,
  organization: string,
  { issuer, subject, user_id, amr, acr, now }: FederatedSubject & IdentityUse & { readonly user_id: string },
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into federated_identities (organization_id, issuer, subject, user_id, created_at, last_sign_in_at, amr, acr)
    values (${organization}, ${issuer}, ${subject}, ${user_id}, ${now}, ${now}, ${[...amr]}, ${acr})
    on conflict do nothing
    returning user_id`)
  return rows.length > 0
}

export async function updateIdentityUse(
  tx: Tx,
  organization: string,
  { issuer, subject, amr, acr, now }: FederatedSubject & IdentityUse,
): Promise<void> {
  await tx.query(sql`
    update federated_identities set last_sign_in_at = ${now}, amr = ${[...amr]}, acr = ${acr}
    where organization_id = ${organization} and issuer = ${issuer} and subject = ${subject}`)
}

/** True if the user has a subject of the provider. */
export async function hasIdentity(
  db: SqlStatementRunner,
  organization: string,
  { issuer, user_id }: { readonly issuer: string; readonly user_id: string },
): Promise<boolean> {
  const rows = await db.query(sql`
    select user_id from federated_identities
    where organization_id = ${organization} and issuer = ${issuer} and user_id = ${user_id}`)
  return rows.length > 0
}
