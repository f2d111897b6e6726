import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { cardAuthorisationLifecycle } from './authorisation-lifecycle.ts'

/** True while a card has an authorisation or top-up that is not complete. */
export async function isCardInUse(db: SqlStatementRunner, organization: string, card: string): Promise<boolean> {
  const rows = await db.query(sql`
    select id from card_authorisations
    where organization_id = ${organization} and payment_method_id = ${card} 
      and state <> all(${[...cardAuthorisationLifecycle.terminal]}::text[])
    union all
    select id from topups
    where organization_id = ${organization} and payment_method_id = ${card} and state in ('starting', 'action')
    limit 1`)
  return rows.length > 0
}

/** True if auto top-up is enabled. */
export async function hasAutoTopup(db: SqlStatementRunner, organization: string): Promise<boolean> {
  const rows = await db.query(sql`
    select organization_id from auto_topups where organization_id = ${organization} and enabled`)
  return rows.length > 0
}
