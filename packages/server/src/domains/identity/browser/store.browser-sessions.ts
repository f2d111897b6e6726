import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** The session of a browser, which clients get codes from while the user stays signed in. */
export interface BrowserSessionRow {
  readonly id: string
  readonly user_id: string
  /** When the user last entered the password. */
  readonly authenticated_at: Date
  /** The time when it expires unless it is used before. */
  readonly expires_at: Date
  /** The organization whose provider the user signed in with; null for a password. */
  readonly provider_organization_id: string | null
  /** How the user signed in (RFC 8176); null in sessions of before. */
  readonly amr: readonly string[] | null
}

/** The browser of a session. */
export interface BrowserOrigin {
  readonly address: string | null
  readonly user_agent: string | null
}

export async function insertBrowserSession(
  db: SqlStatementRunner,
  session: BrowserSessionRow &
    BrowserOrigin & { readonly organization_id: string | null; readonly cookie_hash: string },
): Promise<void> {
  await db.query(sql`
    insert into sessions (id, kind, user_id, organization_id, created_at, expires_at, cookie_hash, authenticated_at, amr, address,
                          user_agent, grant_type, provider_organization_id)
    values (${session.id}, 'human', ${session.user_id}, ${session.organization_id}, ${session.authenticated_at},
            ${session.expires_at}, ${session.cookie_hash}, ${session.authenticated_at}, ${session.amr && [...session.amr]},
            ${session.address}, ${session.user_agent}, 'browser', ${session.provider_organization_id})`)
}

/** Null for an unknown cookie, and for one whose session was ended. */
export async function findBrowserSession(
  db: SqlStatementRunner,
  cookie_hash: string,
): Promise<BrowserSessionRow | null> {
  const [row] = await db.query<BrowserSessionRow>(sql`
    select id, user_id, authenticated_at, expires_at, provider_organization_id, amr from sessions
    where cookie_hash = ${cookie_hash} and revoked_at is null`)
  return row ?? null
}

/** Gives a session another cookie, after its user signed in again in the same way. False if it was ended meanwhile. */
export async function updateBrowserSession(
  db: SqlStatementRunner,
  session: BrowserSessionRow & BrowserOrigin & { readonly cookie_hash: string },
): Promise<boolean> {
  const rows = await db.query(sql`
    update sessions
    set cookie_hash = ${session.cookie_hash}, authenticated_at = ${session.authenticated_at},
        expires_at = ${session.expires_at}, amr = ${session.amr && [...session.amr]}, address = ${session.address},
        user_agent = ${session.user_agent}
    where id = ${session.id} and user_id = ${session.user_id} and revoked_at is null
      and provider_organization_id is not distinct from ${session.provider_organization_id}::uuid
    returning id`)
  return rows.length > 0
}
