import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** A person as the directory of an organization knows them. */
export interface ScimUserRow {
  readonly id: string
  /** The account. */
  readonly user_id: string
  readonly user_name: string
  readonly external_id: string | null
  readonly active: boolean
  /** What is only kept for the directory. */
  readonly attributes: Readonly<Record<string, unknown>>
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql`u.id, u.user_id, u.user_name, u.external_id, u.active, u.attributes, u.version, u.created_at, u.updated_at`

/** The row of an account; null if no directory has touched it. */
export async function findScimUserOfAccount(
  db: SqlStatementRunner,
  organization: string,
  user: string,
): Promise<ScimUserRow | null> {
  const [row] = await db.query<ScimUserRow>(sql`
    select ${columns} from scim_users u where u.organization_id = ${organization} and u.user_id = ${user}`)
  return row ?? null
}
