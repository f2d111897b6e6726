import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { FederatedSubject } from './store.identities.ts'

/** What a provider said about a session of a browser that began with it. */
export interface ProviderSessionRow extends FederatedSubject {
  readonly session_id: string
  readonly organization_id: string
  /** The session at the provider. */
  readonly sid: string | null
  readonly amr: readonly string[]
  readonly acr: string | null
  readonly created_at: Date
}

export async function upsertProviderSession(db: SqlStatementRunner, row: ProviderSessionRow): Promise<void> {
  await db.query(sql`
    insert into provider_sessions (session_id, organization_id, issuer, subject, sid, amr, acr, created_at)
    values (${row.session_id}, ${row.organization_id}, ${row.issuer}, ${row.subject}, ${row.sid}, ${[...row.amr]}, ${row.acr},
            ${row.created_at})
    on conflict (session_id) do update
    set sid = excluded.sid, amr = excluded.amr, acr = excluded.acr, created_at = excluded.created_at`)
}

/** Which sessions of an organization: those of a session at its provider, of a subject, or all that any provider began. */
export interface ProviderSessionFilter {
  readonly organization: string
  readonly issuer: string | null
  readonly sid: string | null
  readonly subject: string | null
}

/** Active sessions of browsers that match a filter. */
export async function listProviderSessionIds(
  tx: Tx,
  { organization, issuer, sid, subject }: ProviderSessionFilter,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select s.id from provider_sessions p join sessions s on s.id = p.session_id
    where p.organization_id = ${organization} and s.revoked_at is null
      and (${issuer}::text is null or p.issuer = ${issuer})
      and (${sid}::text is null or p.sid = ${sid})
      and (${subject}::text is null or p.subject = ${subject})`)
  return rows.map((row) => row.id)
}

/** Active sessions of programs on other devices, which such a session allowed: of a user, or of everybody. */
export async function listDeviceSessionIds(tx: Tx, organization: string, user: string | null): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from sessions
    where provider_organization_id = ${organization} and revoked_at is null and kind = 'human' and cookie_hash is null
      and browser_session_id is null and (${user}::uuid is null or user_id = ${user})`)
  return rows.map((row) => row.id)
}
