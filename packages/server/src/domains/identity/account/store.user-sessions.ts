import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** A session of a user: of a browser, or of a program that has tokens. */
export interface UserSessionRow {
  readonly id: string
  /** Null for a session of before. */
  readonly grant_type: string | null
  readonly is_browser: boolean
  readonly client_id: string | null
  readonly browser_session_id: string | null
  readonly organization_id: string | null
  readonly address: string | null
  readonly user_agent: string | null
  readonly amr: readonly string[] | null
  readonly created_at: Date
  readonly expires_at: Date
}

const columns = sql`s.id, s.grant_type, s.cookie_hash is not null as is_browser, s.client_id, s.browser_session_id,
  s.organization_id, s.address, s.user_agent, s.amr, s.created_at, s.expires_at`

const isOpen = (user: string, time: Date) => sql`
  s.user_id = ${user} and s.kind = 'human' and s.revoked_at is null and b.revoked_at is null and s.expires_at > ${time}`

/** The sessions of a user that have not ended, newest first. */
export const listUserSessions = (db: SqlStatementRunner, user: string, time: Date): Promise<UserSessionRow[]> =>
  db.query<UserSessionRow>(sql`
    select ${columns} from sessions s left join sessions b on b.id = s.browser_session_id
    where ${isOpen(user, time)}
    order by s.created_at desc, s.id desc`)

/** How the user of a session signed in. */
export interface SessionSignIn {
  /** When the user entered the password for it, or for the browser that it began in; null if an earlier sign-in was used. */
  readonly authenticated_at: Date | null
  readonly amr: readonly string[] | null
  readonly browser_session_id: string | null
}

export async function findSessionSignIn(
  db: SqlStatementRunner,
  session: string,
  user: string,
): Promise<SessionSignIn | null> {
  const [row] = await db.query<SessionSignIn>(sql`
    select authenticated_at, amr, browser_session_id from sessions where id = ${session} and user_id = ${user}`)
  return row ?? null
}

/** Ends a session of a user that has not ended. False if there is none. */
export async function markUserSessionRevoked(
  tx: Tx,
  user: string,
  { session, reason, at }: { readonly session: string; readonly reason: string; readonly at: Date },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update sessions set revoked_at = ${at}, revoked_because = ${reason}
    where id = ${session} and user_id = ${user} and kind = 'human' and revoked_at is null and expires_at > ${at}
    returning id`)
  return rows.length > 0
}
