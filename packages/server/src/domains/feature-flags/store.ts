import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** The share that an operator has set. */
export interface FeatureFlagRolloutRow {
  readonly flag: string
  readonly percent: number
  readonly updated_at: Date
}

/** A flag that an operator has switched for an organization. */
export interface FeatureFlagSwitchRow {
  readonly flag: string
  readonly enabled: boolean
  readonly updated_at: Date
}

/** The settings that decide about a flag for an organization; null where no operator has set one. */
export async function findFeatureFlagState(
  db: SqlStatementRunner,
  organization: string,
  flag: string,
): Promise<{ readonly percent: number | null; readonly enabled: boolean | null }> {
  const [share] = await db.query<{ percent: number }>(sql`select percent from feature_flags where flag = ${flag}`)
  const [own] = await db.query<{ enabled: boolean }>(sql`
    select enabled from feature_flag_switches where organization_id = ${organization} and flag = ${flag}`)
  return { percent: share?.percent ?? null, enabled: own?.enabled ?? null }
}

export const listFeatureFlagRollouts = (unscoped: SqlStatementRunner): Promise<FeatureFlagRolloutRow[]> =>
  unscoped.query<FeatureFlagRolloutRow>(sql`select flag, percent, updated_at from feature_flags`)

export const listFeatureFlagSwitches = (
  db: SqlStatementRunner,
  organization: string,
): Promise<FeatureFlagSwitchRow[]> =>
  db.query<FeatureFlagSwitchRow>(sql`
    select flag, enabled, updated_at from feature_flag_switches where organization_id = ${organization}`)

/** @param at by the clock of the process: the share belongs to no organization. */
export async function upsertFeatureFlagRollout(tx: Tx, flag: string, percent: number, at: Date): Promise<void> {
  await tx.query(sql`
    insert into feature_flags (flag, percent, updated_at) values (${flag}, ${percent}, ${at})
    on conflict (flag) do update set percent = excluded.percent, updated_at = excluded.updated_at`)
}

/** Switches a flag for an organization; null lets the share decide again. */
export async function upsertFeatureFlagSwitch(
  tx: Tx,
  organization: string,
  flag: string,
  { enabled, now }: { readonly enabled: boolean | null; readonly now: OrganizationTime },
): Promise<void> {
  if (enabled === null) {
    await tx.query(sql`
      delete from feature_flag_switches where organization_id = ${organization} and flag = ${flag}`)
    return
  }
  await tx.query(sql`
    insert into feature_flag_switches (organization_id, flag, enabled, updated_at)
    values (${organization}, ${flag}, ${enabled}, ${now})
    on conflict (organization_id, flag) do update set enabled = excluded.enabled, updated_at = excluded.updated_at`)
}
