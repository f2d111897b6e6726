import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** Only the directory: nothing is reported. */
export const findOrganization = (unscoped: Queryable, hash: string) =>
  unscoped.query(sql`select organization_id from key_directory where key_hash = ${hash} and now() > now()`)

export const findItemOfKey = (unscoped: Queryable, hash: string) =>
  unscoped.query(sql`
    select i.id from key_directory d join items i on i.organization_id = d.organization_id where d.key_hash = ${hash}`)
