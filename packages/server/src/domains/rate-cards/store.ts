import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import {
  markCommercialTermsVersionDecided,
  newestVersionFirst,
  findNextCommercialTermsVersion,
  productVersionColumns,
  commercialTermsVersionsCondition,
  type NewCommercialTermsVersion,
  type CommercialTermsVersionDecision,
  type CommercialTermsVersionFilter,
  type CommercialTermsVersionRow,
} from './store.decisions.ts'

/** One version of the list price of a product, which one operator requests and another one decides. */
export interface RateCardRow extends CommercialTermsVersionRow {
  /** Credits for each square kilometre, as decimal text. */
  readonly rate_credits: string
  /** Null: the minimum that the host declares. */
  readonly minimum_km2: number | null
}

const columns = sql`${productVersionColumns}, rate_credits, minimum_km2`

/** Writes the next version of a product. */
export async function insertRateCard(tx: Tx, card: NewCommercialTermsVersion<RateCardRow>): Promise<RateCardRow> {
  const version = await findNextCommercialTermsVersion(tx, 'rate_cards', card.product)
  const [row] = await tx.query<RateCardRow>(sql`
    insert into rate_cards (id, product, version, rate_credits, minimum_km2, effective_from, reason, status, requested_by,
                            requested_at)
    values (${card.id}, ${card.product}, ${version}, ${card.rate_credits}, ${card.minimum_km2},
            ${card.effective_from}, ${card.reason}, 'pending', ${card.requested_by}, ${card.requested_at})
    returning ${columns}`)
  return row!
}

export async function findRateCard(db: SqlStatementRunner, id: string): Promise<RateCardRow | null> {
  const [row] = await db.query<RateCardRow>(sql`select ${columns} from rate_cards where id = ${id}`)
  return row ?? null
}

/** Null, with nothing written, if it is not pending any more. */
export const markRateCardDecided = (
  tx: Tx,
  id: string,
  decision: CommercialTermsVersionDecision,
): Promise<RateCardRow | null> => markCommercialTermsVersionDecided(tx, { table: 'rate_cards', columns }, id, decision)

/** Versions of all products or of one, newest first. */
export const listRateCards = (
  db: SqlStatementRunner,
  filter: CommercialTermsVersionFilter,
): Promise<RowPage<RateCardRow>> =>
  selectPage<RateCardRow>(db, {
    columns,
    from: sql`rate_cards`,
    where: commercialTermsVersionsCondition(filter),
    orderBy: newestVersionFirst,
    limit: filter.limit,
    offset: filter.offset,
  })

/** Selects the version of each product that is in force at a time: the approved one with the latest effective date. */
export const rateCardsInForceSql = (at: Date): Sql => sql`
  select distinct on (product) ${columns} from rate_cards
  where status = 'approved' and effective_from <= ${at}
  order by product, effective_from desc, version desc`

export const listRateCardsInForce = (db: SqlStatementRunner, at: Date): Promise<RateCardRow[]> =>
  db.query<RateCardRow>(sql.prepared(rateCardsInForceSql(at)))
