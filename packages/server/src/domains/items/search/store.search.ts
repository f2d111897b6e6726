import type { ItemType } from '@swath/contract/schemas/item.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'
import type { Cql2Filter } from './cql2/ast.ts'
import { cql2ToSql } from './store.cql2-to-sql.ts'
import { isNarrowSearch, spatialConditions, type SearchPolygon, type SearchBox } from './store.spatial.ts'
import { propertyConditionSql, type PropertyCondition } from './store.property-conditions.ts'
import {
  afterCursorCondition,
  sortAliases,
  sortCursorOfRow,
  datetimeExpressions,
  sortExpressions,
  orderByList,
  sortTerms,
  sortTermColumns,
  sortTermsAsText,
  type SortCursor,
  type SortKey,
  type SortTerm,
} from './store.sort.ts'
import { wholeMonths } from '../retention/whole-months.ts'
import { countRowsWithin, defaultPageSizes, type PageSizes } from './page-size.ts'
import { storedItemCount, storedMonthsCount } from '../store.counts.ts'
import { firstRowsInScope, projectScopeCondition, readableProjectsCte, type ProjectScope } from './store.scope.ts'
import { responseBytes, itemColumnsIf, type MeasuredRow } from '../store.ts'

/** The conditions of an item search. */
export interface ItemFilter {
  readonly projects: ProjectScope
  /** STAC ids. */
  readonly ids: readonly string[] | null
  /** Items that intersect any of them; null matches all, an empty list none. */
  readonly boxes: readonly SearchBox[] | null
  readonly area: SearchPolygon | null
  readonly from: Date | null
  readonly to: Date | null
  readonly collections: readonly string[] | null
  readonly type: ItemType | null
  readonly tests: readonly PropertyCondition[]
  readonly filter: Cql2Filter | null
  /** Items that expire by then are not found. */
  readonly now: OrganizationTime
}

export interface ItemSearch extends ItemFilter {
  readonly sort: readonly SortKey[]
  readonly limit: number
  readonly offset: number
  /** The page starts after this row; null is the beginning. */
  readonly after: SortCursor | null
}

/** The items in stored counts: neither deleted nor marked as expired. */
const countedCondition = (organization: string): Sql =>
  sql`i.organization_id = ${organization} and i.deleted_at is null and i.lifecycle_state <> 'expired'`

const isPastRetention = (now: OrganizationTime): Sql => sql`i.expires_at <= ${now}::timestamptz`

/** The condition of visible items: neither deleted nor expired, whether or not a sweep has marked them. */
export const visibleItemCondition = (organization: string, now: OrganizationTime): Sql =>
  sql`${countedCondition(organization)} and (i.expires_at is null or i.expires_at > ${now}::timestamptz)`

/** All conditions on the table `i` except those of time. */
const filterConditions = (
  organization: string,
  search: ItemFilter,
  kind = visibleItemCondition(organization, search.now),
): Sql[] => [
  kind,
  projectScopeCondition(search.projects, sql`i.project_id`),
  ...(search.ids ? [sql`i.stac_id = any(${search.ids}::text[])`] : []),
  ...spatialConditions(search),
  ...(search.collections ? [sql`i.collection_id = any(${search.collections}::uuid[])`] : []),
  ...(search.type ? [sql`i.type = ${search.type}`] : []),
  ...search.tests.map(propertyConditionSql),
  ...(search.filter ? [cql2ToSql(search.filter)] : []),
]

const and = sql` and `

/**
 * Conditions of two disjoint sets of items that intersect a time interval: those that start in it (nearly all; one range
 * of the time index), and the few that started before it and last into it.
 */
function intervalConditions({ from, to }: ItemFilter): Sql[][] {
  const beginCondition = to ? [sql`i.covers_from <= ${to}::timestamptz`] : []
  if (!from) return [beginCondition]
  const start = sql`${from}::timestamptz`
  return [
    [...beginCondition, sql`i.covers_from >= ${start}`],
    [sql`i.lasts and i.covers_from < ${start} and i.covers_to >= ${start}`],
  ]
}

/** All conditions on the table `i`; requires the CTE `readable`. */
export function searchCondition(organization: string, search: ItemFilter): Sql {
  const kinds = intervalConditions(search).map((conditions) => sql.join(conditions, and))
  const time = kinds.length > 1 ? [sql`(${sql.join(kinds, sql` or `)})`] : intervalConditions(search).flat()
  return sql.join([...filterConditions(organization, search), ...time], and)
}

/** True if a search has only project, collection and time conditions, which stored counts can answer. */
export const isAnsweredByCounts = (search: ItemFilter): boolean =>
  search.ids === null &&
  search.boxes === null &&
  search.area === null &&
  search.filter === null &&
  search.type === null &&
  search.tests.length === 0

/**
 * True if all matches are materialized before sorting and counting: best for selective or expensive conditions. Otherwise
 * the page is read from the index of its order, and the count from stored counts.
 */
const materializeFirst = (search: ItemSearch): boolean =>
  !isAnsweredByCounts(search) || search.sort.some(({ property }) => property !== 'datetime')

/**
 * The beginning of a statement: a CTE `page` with the rows of the page, plus one if there is a next page, and their sort
 * columns; and an expression of the exact count of all matches.
 */
export function searchPageQuery(organization: string, search: ItemSearch): { page: Sql; matched: Sql } {
  const terms = sortTerms(search.sort)
  return materializeFirst(search)
    ? materializedPage(organization, search, terms)
    : indexedPage(organization, search, terms)
}

/**
 * The exact count of items that start in the searched interval: stored counts for whole months, index-only scans for the
 * rest. Expired items that no sweep has marked are included there and subtracted: the expiry index finds those few.
 */
function countBeginningInInterval(organization: string, search: ItemFilter): Sql {
  const { from, to, now } = search
  const countedConditions = filterConditions(organization, search, countedCondition(organization))
  const countQuery = (...more: Sql[]): Sql =>
    sql`(select count(*) from items i where ${sql.join([...countedConditions, ...more], and)})`
  const fromCondition = from ? [sql`i.covers_from >= ${from}::timestamptz`] : []
  const toCondition = to ? [sql`i.covers_from <= ${to}::timestamptz`] : []
  return sql`(${countFromStoredCounts(organization, search, countQuery, [fromCondition, toCondition])} - ${countQuery(isPastRetention(now), ...fromCondition, ...toCondition)})`
}

function countFromStoredCounts(
  organization: string,
  { projects, collections, from, to }: ItemFilter,
  countQuery: (...time: Sql[]) => Sql,
  [fromCondition, toCondition]: readonly [from: readonly Sql[], to: readonly Sql[]],
): Sql {
  if (!from && !to) return storedItemCount(organization, projects, collections)
  const months = wholeMonths(from, to)
  if (!months) return countQuery(...fromCondition, ...toCondition)
  return sql`(${sql.join(
    [
      storedMonthsCount(organization, projects, collections, months),
      ...(months.from ? [countQuery(...fromCondition, sql`i.covers_from < ${months.from}::timestamptz`)] : []),
      ...(months.before ? [countQuery(sql`i.covers_from >= ${months.before}::timestamptz`, ...toCondition)] : []),
    ],
    sql` + `,
  )})`
}

const pageColumns = (terms: readonly SortTerm[]): Sql => sql`i.id, i.revision, ${sortTermColumns(terms)}`

function materializedPage(
  organization: string,
  search: ItemSearch,
  terms: readonly SortTerm[],
): { page: Sql; matched: Sql } {
  const aliases = sortAliases(terms)
  const after = search.after ? sql`where ${afterCursorCondition(terms, aliases, sql`p.id`, search.after)}` : sql.empty
  const page = sql`
    ${readableProjectsCte(search.projects)},
    found as materialized (select ${pageColumns(terms)} from items i where ${searchCondition(organization, search)}),
    page as materialized (
      select p.* from found p ${after}
      order by ${orderByList(terms, aliases, sql`p.id`)} limit ${sql.integer(search.limit + 1)} offset ${search.offset})`
  return { page, matched: sql`(select count(*) from found)` }
}

function indexedPage(
  organization: string,
  search: ItemSearch,
  terms: readonly SortTerm[],
): { page: Sql; matched: Sql } {
  const aliases = sortAliases(terms)
  const after = (expressions: Sql[], id: Sql): Sql[] =>
    search.after ? [afterCursorCondition(terms, expressions, id, search.after)] : []
  const [beginCondition = [], lastingCondition] = intervalConditions(search)
  const lastingConditions = lastingCondition && [...filterConditions(organization, search), ...lastingCondition]
  const rowLimit = search.offset === 0 ? sql.integer(search.limit + 1) : sql`${search.limit + 1 + search.offset}`
  const firstRowsIn =
    (sortTermsOfIndex: readonly SortTerm[], extraConditions: readonly Sql[]) =>
    (conditions: readonly Sql[]): Sql => {
      const values = sortExpressions(sortTermsOfIndex)
      const where = [
        visibleItemCondition(organization, search.now),
        ...extraConditions,
        ...conditions,
        ...beginCondition,
        ...after(values, sql`i.id`),
      ]
      return sql`
        select ${pageColumns(sortTermsOfIndex)} from items i
        where ${sql.join(where, and)} order by ${orderByList(sortTermsOfIndex, values, sql`i.id`)} limit ${rowLimit}`
    }
  const listFromIndexes = (first: (conditions: readonly Sql[]) => Sql): Sql =>
    firstRowsInScope(organization, search.projects, search.collections, first)
  // Items whose datetime differs from their start have separate, nearly empty indexes.
  const listed =
    search.sort.length === 0
      ? listFromIndexes(firstRowsIn(terms, []))
      : sql`(select l.* from ${listFromIndexes(firstRowsIn(sortTerms(search.sort, datetimeExpressions.undated), [sql`not i.dated`]))} l
          union all
          select l.* from ${listFromIndexes(firstRowsIn(sortTerms(search.sort, datetimeExpressions.dated), [sql`i.dated`]))} l)`
  const countQuery = countBeginningInInterval(organization, search)
  const ordered = sql`order by ${orderByList(terms, aliases, sql`p.id`)} limit ${sql.integer(search.limit + 1)} offset ${search.offset}`
  if (!lastingConditions) {
    const page = sql`${readableProjectsCte(search.projects)}, page as materialized (select p.* from ${listed} p ${ordered})`
    return { page, matched: countQuery }
  }
  const page = sql`
    ${readableProjectsCte(search.projects)},
    lasting as materialized (select ${pageColumns(terms)} from items i where ${sql.join(lastingConditions, and)}),
    page as materialized (
      select p.* from (
        ${listed} union all
        select p.* from lasting p where ${sql.join([sql`true`, ...after(aliases, sql`p.id`)], and)}) p
      ${ordered})`
  return { page, matched: sql`(${countQuery} + (select count(*) from lasting))` }
}

/** A measured page of flat items with the count of all matches; an empty page is one row without an item. */
export function itemSearchStatement(organization: string, search: ItemSearch, part_bytes: number): Sql {
  const { page, matched } = searchPageQuery(organization, search)
  const terms = sortTerms(search.sort)
  const order = orderByList(terms, sortAliases(terms), sql`p.id`)
  return sql`
    with ${page}
    select i.matched, i.organization_id, i.answer_bytes as bytes, i.whole, ${itemColumnsIf(sql`i.whole`)}
    from (
      select c.matched, i.*, ${responseBytes} as answer_bytes, sum(${responseBytes}) over () <= ${part_bytes} as whole,
        row_number() over (order by ${order}) as place
      from (select ${matched} as matched) c
      left join (select p.* from page p order by ${order} limit ${sql.integer(search.limit)}) p on true
      left join items i on i.organization_id = ${organization} and i.id = p.id) i
    order by i.place`
}

/**
 * For large search areas the best plan depends on their size, so those statements are not prepared. Items in the order of time are
 * read from an index whatever the interval is, so that one plan fits all searches without other conditions.
 */
const prepareIfNarrow = (search: ItemSearch, statement: Sql): Sql => {
  if (!isNarrowSearch(search)) return statement
  return materializeFirst(search) ? sql.preparedWhenFrequent(statement) : sql.genericWhenFrequent(statement)
}

/** True if the search cannot match anything. */
export const isEmptySearch = ({ boxes, ids, collections }: ItemFilter): boolean =>
  boxes?.length === 0 || ids?.length === 0 || collections?.length === 0

type CountedRow = MeasuredRow & { readonly matched: number }

const withoutCount = (row: CountedRow): MeasuredRow => {
  const { matched: _matched, ...item } = row
  return item
}

/** One measured page of items and the exact count of all matches. */
export async function searchItemRows(
  db: Queryable,
  organization: string,
  search: ItemSearch,
  sizes: PageSizes = defaultPageSizes,
): Promise<{ page: MeasuredRow[]; matched: number }> {
  if (isEmptySearch(search)) return { page: [], matched: 0 }
  const found = await db.query<CountedRow>(
    prepareIfNarrow(search, itemSearchStatement(organization, search, sizes.part_bytes)),
  )
  return {
    matched: found[0]?.matched ?? 0,
    page: found.filter((row) => row.id !== null).map(withoutCount),
  }
}

/** A matching item with the size of its Feature, and its text; null if it is not cached, or the page is large. */
export interface MeasuredFeature {
  readonly id: string
  readonly bytes: number
  readonly feature: string | null
}

/** A measured page of STAC Features. */
export interface MeasuredFeaturePage {
  /** At most the requested number, fewer if the page would be too large. */
  readonly features: readonly MeasuredFeature[]
  /** False if they are too large to be read in the measuring statement. */
  readonly whole: boolean
  readonly matched: number
  /** Where the next page begins; null if there is none. */
  readonly next: SortCursor | null
}

/** Adjusts the number of Features of a page that ends early. */
export type AdjustPageCount = (fittingCount: number) => number

/**
 * Features are measured before they are read, because they may exceed the memory; those that are not cached are estimated
 * from their item. An empty page is one row without an item.
 */
export function featureSearchStatement(
  organization: string,
  search: ItemSearch,
  part_bytes: number = defaultPageSizes.part_bytes,
): Sql {
  const { page, matched } = searchPageQuery(organization, search)
  const terms = sortTerms(search.sort)
  return sql`
    with ${page},
    texts as materialized (
      select p.*,
        (select f.feature from item_features f
          where f.organization_id = ${organization} and f.item_id = p.id and f.revision = p.revision) as feature
      from page p),
    measured as materialized (
      select t.*, coalesce(
        octet_length(t.feature),
        (select ${responseBytes} from items i where i.organization_id = ${organization} and i.id = t.id)) as bytes
      from texts t)
    select c.matched, c.whole, p.id, p.bytes, case when c.whole then p.feature end as feature, ${sortTermsAsText(terms)}
    from (
      select ${matched} as matched,
        (select coalesce(sum(m.bytes), 0) from measured m) <= ${part_bytes} as whole) c
    left join measured p on true
    order by ${orderByList(terms, sortAliases(terms), sql`p.id`)}`
}

export interface FeaturePageOptions {
  readonly adjustCount?: AdjustPageCount
  readonly sizes?: PageSizes
}

interface FeaturesRow extends MeasuredFeature {
  readonly matched: number
  readonly whole: boolean
}

type NullableFeaturesRow = Omit<FeaturesRow, 'id'> & { readonly id: string | null }

/** One page of STAC Features and the exact count of all matches. */
export async function searchFeatureRows(
  db: Queryable,
  organization: string,
  search: ItemSearch,
  { adjustCount = (count) => count, sizes = defaultPageSizes }: FeaturePageOptions = {},
): Promise<MeasuredFeaturePage> {
  if (isEmptySearch(search)) return { features: [], whole: true, matched: 0, next: null }
  const rows = await db.query<NullableFeaturesRow>(
    prepareIfNarrow(search, featureSearchStatement(organization, search, sizes.part_bytes)),
  )
  const [first] = rows
  if (!first) return { features: [], whole: true, matched: 0, next: null }
  const { matched, whole } = first
  const found = rows.filter((row): row is FeaturesRow => row.id !== null)
  const requested = found.slice(0, search.limit)
  const fittingCount = whole ? requested.length : countRowsWithin(requested, sizes.max_bytes)
  const count = fittingCount < requested.length ? adjustCount(fittingCount) : fittingCount
  const last = found[count - 1]
  const next = last && found.length > count ? sortCursorOfRow(sortTerms(search.sort), last) : null
  return { features: found.slice(0, count), whole, matched, next }
}
