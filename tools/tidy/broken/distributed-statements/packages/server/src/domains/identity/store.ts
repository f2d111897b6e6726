import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** Only the directory: nothing is reported. */
export const findOrganization = (unscoped: Queryable, hash: string) =>
  unscoped.query(sql`select organization_id from key_directory where key_hash = ${hash} and now() > now()`)

export const findItemOfKey = (unscoped: Queryable, hash: string) =>
  unscoped.query(sql`
    select i.id from key_directory d join items i on i.organization_id = d.organization_id where d.key_hash = ${hash}`)

/** Each node reads its own rows: nothing is reported. */
export const listDueItems = (across: Queryable, at: Date) =>
  across.query(sql`select organization_id, id from items where created_at <= ${at} order by created_at, id limit 100`)

export const lockDueItems = (across: Queryable, at: Date) =>
  across.query(sql`select organization_id, id from items where created_at <= ${at} order by created_at, id for update`)

/** The name of the connection does not say that it is for all organizations. */
export const listOwnItems = (db: Queryable) => db.query(sql`select organization_id, id from items`)
