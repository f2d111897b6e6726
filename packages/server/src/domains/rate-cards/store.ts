import type { Queryable, Tx } from '../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import {
  markTermsVersionDecided,
  newestVersionFirst,
  findNextTermsVersion,
  productVersionColumns,
  termsVersionsCondition,
  type NewTermsVersion,
  type TermsVersionDecision,
  type TermsVersionFilter,
  type TermsVersionRow,
} from './store.decisions.ts'

/** One version of the list price of a product, which one operator requests and another one decides. */
export interface RateCardRow extends TermsVersionRow {
  /** Credits for each square kilometre, as decimal text. */
  readonly rate_credits: string
  /** Null: the minimum that the host declares. */
  readonly minimum_km2: number | null
}

const columns = sql`${productVersionColumns}, rate_credits, minimum_km2`

/** Writes the next version of a product. */
export async function insertRateCard(tx: Tx, card: NewTermsVersion<RateCardRow>): Promise<RateCardRow> {
  const version = await findNextTermsVersion(tx, 'rate_cards', card.product)
  const [row] = await tx.query<RateCardRow>(sql`
    insert into rate_cards (id, product, version, rate_credits, minimum_km2, effective_from, reason, status, requested_by,
                            requested_at)
    values (${card.id}, ${card.product}, ${version}, ${card.rate_credits}, ${card.minimum_km2},
            ${card.effective_from}, ${card.reason}, 'pending', ${card.requested_by}, ${card.requested_at})
    returning ${columns}`)
  return row!
}

export async function findRateCard(db: Queryable, id: string): Promise<RateCardRow | null> {
  const [row] = await db.query<RateCardRow>(sql`select ${columns} from rate_cards where id = ${id}`)
  return row ?? null
}

/** Null, with nothing written, if it is not pending any more. */
export const markRateCardDecided = (tx: Tx, id: string, decision: TermsVersionDecision): Promise<RateCardRow | null> =>
  markTermsVersionDecided(tx, { table: 'rate_cards', columns }, id, decision)

/** Versions of all products or of one, newest first. */
export const listRateCards = (db: Queryable, filter: TermsVersionFilter): Promise<RowPage<RateCardRow>> =>
  selectPage<RateCardRow>(db, {
    columns,
    from: sql`rate_cards`,
    where: termsVersionsCondition(filter),
    orderBy: newestVersionFirst,
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
