import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** A token with which an operator reads as a user of an organization. */
export interface ImpersonationRow {
  readonly id: string
  readonly administrator_id: string
  readonly organization_id: string
  readonly user_id: string
  /** The permission of an owner; null in tokens of the previous version, which needed none. */
  readonly support_access_id: string | null
  readonly reason: string
  readonly created_at: Date
  readonly expires_at: Date
}

/** Needs the unscoped connection, as all functions of this file. */
export async function insertImpersonation(tx: Tx, row: ImpersonationRow, token_hash: string): Promise<void> {
  await tx.query(sql`
    insert into impersonations (token_hash, id, administrator_id, organization_id, user_id, support_access_id, reason, created_at,
                                expires_at)
    values (${token_hash}, ${row.id}, ${row.administrator_id}, ${row.organization_id}, ${row.user_id},
            ${row.support_access_id}, ${row.reason}, ${row.created_at}, ${row.expires_at})`)
}

const columns = sql`id, administrator_id, organization_id, user_id, support_access_id, reason, created_at, expires_at`

export async function findImpersonation(
  unscoped: SqlStatementRunner,
  token_hash: string,
): Promise<ImpersonationRow | null> {
  const [row] = await unscoped.query<ImpersonationRow>(sql`
    select ${columns} from impersonations where token_hash = ${token_hash}`)
  return row ?? null
}

export async function findImpersonationById(
  unscoped: SqlStatementRunner,
  id: string,
): Promise<ImpersonationRow | null> {
  const [row] = await unscoped.query<ImpersonationRow>(sql`select ${columns} from impersonations where id = ${id}`)
  return row ?? null
}
