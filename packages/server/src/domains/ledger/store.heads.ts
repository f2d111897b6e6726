import type { Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export async function updateLowBalanceThreshold(tx: Tx, organization: string, credits: number): Promise<void> {
  await tx.query(sql`
    update ledger_heads set low_balance_credits = ${credits} where organization_id = ${organization}`)
}
