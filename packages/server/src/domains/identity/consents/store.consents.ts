import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** What a person has granted to a program for one organization. */
export interface ConsentRow {
  readonly user_id: string
  readonly client_id: string
  readonly organization_id: string
  readonly client_name: string
  readonly scopes: readonly string[]
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql`user_id, client_id, organization_id, client_name, scopes, created_at, updated_at`

/** Needs the unscoped connection, as all functions of this file. The latest first. */
export const listConsents = (
  db: SqlStatementRunner,
  user: string,
  client: string | null = null,
): Promise<ConsentRow[]> =>
  db.query<ConsentRow>(sql`
    select ${columns} from user_consents where user_id = ${user} and (${client}::text is null or client_id = ${client})
    order by updated_at desc, client_id, organization_id`)

/** Adds scopes to those that were granted before. */
export async function upsertConsent(db: SqlStatementRunner, consent: ConsentRow): Promise<void> {
  const { scopes } = consent
  await db.query(sql`
    insert into user_consents (${columns})
    values (${consent.user_id}, ${consent.client_id}, ${consent.organization_id}, ${consent.client_name}, ${[...scopes]},
            ${consent.created_at}, ${consent.updated_at})
    on conflict (user_id, client_id, organization_id) do update
    set client_name = excluded.client_name, updated_at = excluded.updated_at,
        scopes = array(select distinct unnest(user_consents.scopes || excluded.scopes) order by 1)`)
}

/** Deletes the consents of a user that name a client and, if one is given, an organization. Returns how many there were. */
export async function deleteConsents(
  tx: Tx,
  user: string,
  { client, organization }: { readonly client: string | null; readonly organization: string | null },
): Promise<number> {
  const rows = await tx.query(sql`
    delete from user_consents
    where user_id = ${user} and (${client}::text is null or client_id = ${client})
      and (${organization}::uuid is null or organization_id = ${organization}::uuid)
    returning client_id`)
  return rows.length
}

/** Deletes what all persons have granted to a client. */
export async function deleteConsentsOfClient(tx: Tx, client: string): Promise<void> {
  await tx.query(sql`delete from user_consents where client_id = ${client}`)
}

/** Ends the sessions that a user has begun with a client, for one organization or all. */
export async function markConsentedSessionsRevoked(
  tx: Tx,
  user: string,
  { client, organization, at }: { readonly client: string; readonly organization: string | null; readonly at: Date },
): Promise<void> {
  await tx.query(sql`
    update sessions set revoked_at = ${at}, revoked_because = 'consent-revoked'
    where user_id = ${user} and client_id = ${client} and revoked_at is null
      and (${organization}::uuid is null or organization_id = ${organization}::uuid)`)
}
