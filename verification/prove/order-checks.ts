import { join } from 'node:path'
import { findTemplateCacheFolder } from '../../packages/server/src/platform/database/embedded/cache-folder.ts'
import type { Database } from '../../packages/server/src/platform/database/database.ts'
import { openEmbeddedPostgres } from '../../packages/server/src/platform/database/embedded/open.ts'
import { sql, type Sql } from '../../packages/server/src/platform/database/sql.ts'
import { ledgerInvariants, allOrganizations } from '../../packages/server/test/ledger-invariants.ts'

/** An order placement of the proof, sent again with its idempotency key until it gets a response. */
export interface OrderPlacement {
  readonly key: string
  readonly captures: readonly object[]
  readonly credits: number
  order: string | null
}

/** Invariants after all orders have ended; each row that a statement returns is a violation. */
const orderRules: readonly (readonly [string, Sql])[] = [
  [
    'a hold is open although its order has ended',
    sql`select h.id from credit_holds h left join credit_hold_resolutions r
          on r.organization_id = h.organization_id and r.hold_id = h.id
        where r.hold_id is null`,
  ],
  [
    'credits are held although every order has ended',
    sql`
    select name from ledger_accounts where name = 'wallet.held' and balance_credits <> 0`,
  ],
  [
    'an item was delivered twice',
    sql`
    select order_id from items where order_id is not null group by organization_id, order_id, scene_key having count(*) > 1`,
  ],
  [
    'a capture has no item',
    sql`
    select c.item_id from order_captures c left join items i on i.organization_id = c.organization_id and i.id = c.item_id
    where i.id is null`,
  ],
  [
    'an item of an order was not ordered',
    sql`
    select i.id from items i left join order_captures c on c.organization_id = i.organization_id and c.item_id = i.id
    where i.order_id is not null and c.item_id is null`,
  ],
  [
    'an order has more than one order.fulfilled event',
    sql`
    select entity_id from events where kind = 'order.fulfilled' group by organization_id, entity_id having count(*) <> 1`,
  ],
  [
    'an order does not have exactly one order.created event',
    sql`
    select entity_id from events where kind = 'order.created' group by organization_id, entity_id having count(*) <> 1`,
  ],
  [
    'an item does not have exactly one provenance edge to its order',
    sql`
    select i.id from items i left join provenance_edges e
      on e.organization_id = i.organization_id and e.src_type = 'item' and e.src_id = i.id::text and e.relation = 'delivered_by'
    where i.order_id is not null group by i.id having count(e.dst_id) <> 1`,
  ],
  ['an asset is not ready', sql`select id from assets where not ready`],
]

/** Opens the database of the stopped server and checks orders and ledger. */
export async function checkStoppedDatabase(data_dir: string, placements: readonly OrderPlacement[]): Promise<string[]> {
  const database = await openEmbeddedPostgres({
    dir: join(data_dir, 'database'),
    cacheDir: findTemplateCacheFolder(data_dir),
    statement_timeout_ms: 60_000,
  })
  try {
    return await checkOrdersAndLedger(database, placements)
  } finally {
    await database.close()
  }
}

/** The same for an open database. */
export async function checkOrdersAndLedger(
  { unscoped }: Pick<Database, 'unscoped'>,
  placements: readonly OrderPlacement[],
): Promise<string[]> {
  const violations: string[] = []
  const rules = [
    ...ledgerInvariants.map(([sentence, statement]) => [sentence, statement(allOrganizations)] as const),
    ...orderRules,
  ]
  for (const [sentence, statement] of rules) {
    const rows = await unscoped.query(statement)
    if (rows.length > 0) violations.push(`${sentence}: ${JSON.stringify(rows.slice(0, 3))}`)
  }
  const spent = placements.reduce((sum, placement) => sum + placement.credits, 0)
  const [wallet] = await unscoped.query<{ spent: number }>(sql`
      select coalesce(sum(captured_credits), 0)::bigint as spent from credit_lots`)
  if (wallet?.spent !== spent) violations.push(`the wallet was charged ${wallet?.spent} credits instead of ${spent}`)
  return violations
}
