import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { splitIntoBatches, buildValuesList } from '../../platform/database/statements/values-list.ts'

/** Bytes sent for one subject on one day, to be added to the stored row. */
export interface EgressRow {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  readonly subject_type: 'asset' | 'item' | 'order'
  readonly subject_id: string
  /** The id of the share link that was used; empty for none. */
  readonly share_link: string
  readonly bytes: number
  readonly transfers: number
}

export interface EgressDay {
  readonly day: string
  readonly bytes: number
  readonly transfers: number
}

/** Adds to the journal; rows must be unique by subject, day and link. */
export async function upsertEgress(
  tx: Tx,
  organization: string,
  rows: readonly EgressRow[],
  at: OrganizationTime,
): Promise<void> {
  for (const batch of splitIntoBatches(rows))
    await tx.query(sql`
      insert into egress_journal as journal
        (organization_id, day, subject_type, subject_id, share_link, bytes, transfers, updated_at)
      values ${buildValuesList(
        batch,
        (sent) => sql`
          (${organization}, ${sent.day}, ${sent.subject_type}, ${sent.subject_id}, ${sent.share_link}, ${sent.bytes},
           ${sent.transfers}, ${at})`,
      )}
      on conflict (organization_id, day, subject_type, subject_id, share_link) do update
      set bytes = journal.bytes + excluded.bytes, transfers = journal.transfers + excluded.transfers,
          updated_at = excluded.updated_at`)
}

export async function sumEgressOfDay(db: SqlStatementRunner, organization: string, day: string): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(sql`
    select coalesce(sum(bytes), 0)::bigint as bytes from egress_journal
    where organization_id = ${organization} and day = ${day}::date`)
  return row?.bytes ?? 0
}

/** Total egress of these share links; links without egress are left out. */
export async function sumEgressByShareLink(
  db: SqlStatementRunner,
  organization: string,
  links: readonly string[],
): Promise<Map<string, number>> {
  if (links.length === 0) return new Map()
  const rows = await db.query<{ share_link: string; bytes: number }>(sql`
    select share_link, sum(bytes)::bigint as bytes from egress_journal
    where organization_id = ${organization} and share_link = any(${links}::text[]) and share_link <> ''
    group by share_link`)
  return new Map(rows.map((row) => [row.share_link, row.bytes]))
}

/** The days with egress from one day to another (both inclusive), in order. */
export const listEgressByDay = (
  db: SqlStatementRunner,
  organization: string,
  from: string,
  to: string,
): Promise<EgressDay[]> =>
  db.query<EgressDay>(sql`
    select to_char(day, 'YYYY-MM-DD') as day, sum(bytes)::bigint as bytes, sum(transfers)::bigint as transfers
    from egress_journal
    where organization_id = ${organization} and day between ${from}::date and ${to}::date
    group by egress_journal.day order by egress_journal.day`)

/** Counts one more download of each asset; returns those that had not reached the cap (0: no cap). */
export async function upsertDownloadCounts(
  tx: Tx,
  {
    organization,
    assets,
    day,
    cap,
  }: { readonly organization: string; readonly assets: readonly string[]; readonly day: string; readonly cap: number },
): Promise<string[]> {
  const counted: string[] = []
  // In the order of their ids: two writers of the same rows then wait for each other instead of in a circle.
  for (const batch of splitIntoBatches(assets.toSorted())) {
    const rows = await tx.query<{ asset_id: string }>(sql`
      insert into asset_downloads as known (organization_id, day, asset_id, downloads)
      values ${buildValuesList(batch, (asset_id) => sql`(${organization}, ${day}, ${asset_id}, 1)`)}
      on conflict (organization_id, day, asset_id) do update set downloads = known.downloads + 1
      where ${cap}::integer = 0 or known.downloads < ${cap}::integer
      returning asset_id`)
    counted.push(...rows.map((row) => row.asset_id))
  }
  return counted
}
