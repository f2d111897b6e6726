import type { DelegationStopReason } from '@swath/contract/delegations.ts'
import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { delegationStopReasonSql } from '../../../platform/database/statements/creator-condition.ts'
import type { PlanName } from '../../../platform/setting-types.ts'

/** Who issued a token, as the database has it now. */
export interface AssetTokenCreator {
  readonly user_id: string
  readonly key_id: string | null
  readonly key_expires_at: Date | null
  readonly key_rate_limit: number | null
  readonly organization_status: string
  readonly plan: PlanName
  readonly stop_reason: DelegationStopReason | null
}

/** The user or the API key of an organization; null if there is no such organization. */
export async function findAssetTokenCreator(
  db: SqlStatementRunner,
  organization: string,
  creator: string,
): Promise<AssetTokenCreator | null> {
  const [row] = await db.query<AssetTokenCreator>(sql`
    select coalesce(k.created_by, ${creator}::uuid) as user_id, k.id as key_id, k.expires_at as key_expires_at,
      k.rate_limit as key_rate_limit,
      o.status as organization_status, o.plan,
      ${delegationStopReasonSql({ organization: sql`o.organization_id`, creator: sql`${creator}::text` }, null)} as stop_reason
    from organizations o
    left join api_keys k on k.organization_id = o.organization_id and k.id = ${creator}
    where o.organization_id = ${organization}`)
  return row ?? null
}
