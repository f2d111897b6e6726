import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** The auto top-up settings of an organization. */
export interface AutoTopupSettingsRow {
  readonly enabled: boolean
  readonly threshold_credits: number
  readonly topup_amount_credits: number
  /** Null for no cap. */
  readonly daily_charge_cap_cents: number | null
  readonly max_consecutive_declines: number
  readonly consecutive_declines: number
}

const columns = sql`
  enabled, threshold_credits, topup_amount_credits, daily_charge_cap_cents, max_consecutive_declines, consecutive_declines`

export async function findAutoTopupSettings(
  db: SqlStatementRunner,
  organization: string,
): Promise<AutoTopupSettingsRow | null> {
  const [row] = await db.query<AutoTopupSettingsRow>(sql`
    select ${columns} from auto_topups where organization_id = ${organization}`)
  return row ?? null
}

export type AutoTopupSettings = Omit<AutoTopupSettingsRow, 'max_consecutive_declines' | 'consecutive_declines'>

/** Replaces the settings; enabling auto top-up resets the decline count. */
export async function upsertAutoTopup(
  tx: Tx,
  {
    organization,
    settings,
    by,
    at,
  }: {
    readonly organization: string
    readonly settings: AutoTopupSettings
    readonly by: string
    readonly at: OrganizationTime
  },
): Promise<AutoTopupSettingsRow> {
  const [row] = await tx.query<AutoTopupSettingsRow>(sql`
    insert into auto_topups as old
      (organization_id, enabled, threshold_credits, topup_amount_credits, daily_charge_cap_cents, updated_by, updated_at)
    values (${organization}, ${settings.enabled}, ${settings.threshold_credits}, ${settings.topup_amount_credits},
            ${settings.daily_charge_cap_cents}, ${by}, ${at})
    on conflict (organization_id) do update
      set enabled = excluded.enabled, threshold_credits = excluded.threshold_credits,
          topup_amount_credits = excluded.topup_amount_credits,
          daily_charge_cap_cents = excluded.daily_charge_cap_cents,
          consecutive_declines = case when excluded.enabled then 0 else old.consecutive_declines end,
          updated_by = excluded.updated_by, updated_at = excluded.updated_at
    returning ${columns}`)
  return row!
}

/** Increments the decline count and returns the updated row; null if auto top-up was never set. */
export async function updateAutoTopupDeclines(tx: Tx, organization: string): Promise<AutoTopupSettingsRow | null> {
  const [row] = await tx.query<AutoTopupSettingsRow>(sql`
    update auto_topups set consecutive_declines = consecutive_declines + 1
    where organization_id = ${organization} returning ${columns}`)
  return row ?? null
}

export async function updateAutoTopupDeclinesToZero(tx: Tx, organization: string): Promise<void> {
  await tx.query(sql`update auto_topups set consecutive_declines = 0 where organization_id = ${organization}`)
}

export async function markAutoTopupDisabled(
  tx: Tx,
  organization: string,
  by: string,
  at: OrganizationTime,
): Promise<void> {
  await tx.query(sql`
    update auto_topups set enabled = false, updated_by = ${by}, updated_at = ${at}
    where organization_id = ${organization}`)
}

/** The sum of auto top-ups since a time, and whether one is in progress; that one counts as charged. */
export async function sumAutoTopupsSince(
  db: SqlStatementRunner,
  organization: string,
  since: Date,
): Promise<{ charged_cents: number; under_way: boolean }> {
  const [row] = await db.query<{ charged_cents: number; under_way: boolean }>(sql`
    select
      coalesce(sum(credits) filter (where updated_at >= ${since}), 0)::bigint as charged_cents,
      coalesce(bool_or(state in ('starting', 'action')), false) as under_way
    from topups
    where organization_id = ${organization} and kind = 'auto' and state <> 'failed'
      and (updated_at >= ${since} or state in ('starting', 'action'))`)
  return row!
}
