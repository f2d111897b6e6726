import type { Queryable, Tx } from '../../platform/database/database.ts'
import { lockName } from '../../platform/database/named-lock.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

/** One version of the list price of a product, which one operator requests and another one decides. */
export interface RateCardRow {
  readonly id: string
  readonly product: string
  /** Counts the versions of the product from 1. */
  readonly version: number
  /** Credits for each square kilometre, as decimal text. */
  readonly rate_credits: string
  /** Null: the minimum that the host declares. */
  readonly minimum_km2: number | null
  readonly effective_from: Date
  readonly reason: string
  readonly status: 'pending' | 'approved' | 'rejected'
  readonly requested_by: string
  readonly requested_at: Date
  readonly decided_by: string | null
  readonly decided_at: Date | null
  readonly decision_reason: string | null
}

const columns = sql`id, product, version, rate_credits, minimum_km2, effective_from, reason, status, requested_by, requested_at,
  decided_by, decided_at, decision_reason`

export type NewRateCard = Omit<RateCardRow, 'version' | 'status' | 'decided_by' | 'decided_at' | 'decision_reason'>

/** Writes the next version of a product. */
export async function insertRateCard(tx: Tx, card: NewRateCard): Promise<RateCardRow> {
  await lockName(tx, `rate cards of ${card.product}`)
  const [last] = await tx.query<{ version: number | null }>(sql`
    select max(version) as version from rate_cards where product = ${card.product}`)
  const [row] = await tx.query<RateCardRow>(sql`
    insert into rate_cards (id, product, version, rate_credits, minimum_km2, effective_from, reason, status, requested_by,
                            requested_at)
    values (${card.id}, ${card.product}, ${(last?.version ?? 0) + 1}, ${card.rate_credits}, ${card.minimum_km2},
            ${card.effective_from}, ${card.reason}, 'pending', ${card.requested_by}, ${card.requested_at})
    returning ${columns}`)
  return row!
}

export async function findRateCard(db: Queryable, id: string): Promise<RateCardRow | null> {
  const [row] = await db.query<RateCardRow>(sql`select ${columns} from rate_cards where id = ${id}`)
  return row ?? null
}

/** Null, with nothing written, if it is not pending any more. */
export async function decideRateCard(
  tx: Tx,
  id: string,
  decision: Pick<RateCardRow, 'status' | 'decided_by' | 'decided_at' | 'decision_reason'>,
): Promise<RateCardRow | null> {
  const [row] = await tx.query<RateCardRow>(sql`
    update rate_cards
    set status = ${decision.status}, decided_by = ${decision.decided_by}, decided_at = ${decision.decided_at},
        decision_reason = ${decision.decision_reason}
    where id = ${id} and status = 'pending'
    returning ${columns}`)
  return row ?? null
}

/** Versions of all products or of one, newest first. */
export const listRateCards = (
  db: Queryable,
  filter: {
    readonly product: string | null
    readonly status: RateCardRow['status'] | null
    readonly limit: number
    readonly offset: number
  },
): Promise<RowPage<RateCardRow>> =>
  selectPage<RateCardRow>(db, {
    columns,
    from: sql`rate_cards`,
    where: sql`(${filter.product}::text is null or product = ${filter.product})
      and (${filter.status}::text is null or status = ${filter.status})`,
    orderBy: sql`requested_at desc, id desc`,
    limit: filter.limit,
    offset: filter.offset,
  })

/** Selects the version of each product that is in force at a time: the approved one with the latest effective date. */
export const selectRateCardsInForce = (at: Date): Sql => sql`
  select distinct on (product) ${columns} from rate_cards
  where status = 'approved' and effective_from <= ${at}
  order by product, effective_from desc, version desc`

export const listRateCardsInForce = (db: Queryable, at: Date): Promise<RateCardRow[]> =>
  db.query<RateCardRow>(sql.prepared(selectRateCardsInForce(at)))
