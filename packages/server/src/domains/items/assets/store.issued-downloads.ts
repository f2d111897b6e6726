import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

export interface IssuedDownloadRow {
  readonly sealed_url: string
  readonly expires_at: Date
}

/** The URL under a key, if it is still valid at the time. */
export async function findIssuedUrl(
  db: SqlStatementRunner,
  organization: string,
  name: string,
  min_expires_at: Date,
): Promise<IssuedDownloadRow | null> {
  const [row] = await db.query<IssuedDownloadRow>(sql`
    select sealed_url, expires_at from given_downloads
    where organization_id = ${organization} and name = ${name} and expires_at >= ${min_expires_at}`)
  return row ?? null
}

/** Saves a URL under a key; false if a saved one is still valid at the time. Waits for concurrent inserts. */
export async function insertIssuedDownloadUrl(
  tx: Tx,
  {
    organization,
    name,
    row,
    min_expires_at,
  }: {
    readonly organization: string
    readonly name: string
    readonly row: IssuedDownloadRow
    readonly min_expires_at: Date
  },
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into given_downloads as known (organization_id, name, sealed_url, expires_at)
    values (${organization}, ${name}, ${row.sealed_url}, ${row.expires_at})
    on conflict (organization_id, name) do update set sealed_url = excluded.sealed_url, expires_at = excluded.expires_at
    where known.expires_at < ${min_expires_at}
    returning name`)
  return rows.length > 0
}

/** Deletes expired URLs of the organization, in limited batches: every saved URL triggers it. */
export async function deleteExpiredDownloadUrls(tx: Tx, organization: string, now: Date): Promise<void> {
  await tx.query(sql`
    delete from given_downloads
    where organization_id = ${organization} and name in (
      select name from given_downloads
      where organization_id = ${organization} and expires_at < ${now}
      order by expires_at limit 100 for update skip locked)`)
}
