import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { type SortCursor, toSortCursor, buildSortTerms } from './store.sort.ts'
import { type ItemSearch, hasOnlyTimeAndAreaConditions, isEmptySearch } from './store.search-conditions.ts'
import { featureSearchStatement, itemSearchStatement, chooseSearchPreparationMode } from './store.search-statements.ts'
import { type PageByteLimits, countRowsWithinBytes, defaultPageByteLimits } from './page-size.ts'
import { listRowsInProjectScope } from './store.scope.ts'
import type { ItemRowWithSize } from '../store.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import { findWholeMonths } from '../retention/whole-months.ts'
import { isSmallAreaSearch } from './store.spatial.ts'

/**
 * The sort order as text if a search is of the most frequent kind: the first page of an interval or of an area in the order of
 * time, of all projects and collections. Null for others, whose statements have unlimited shapes.
 */
function describeFrequentSearch(search: ItemSearch): string | null {
  const { sort, collections, offset, after, limit } = search
  if (collections !== null || offset !== 0 || after !== null) return null
  if (!hasOnlyTimeAndAreaConditions(search) || !isSmallAreaSearch(search)) return null
  let text = `features, at most ${limit},`
  for (const { property, direction } of sort) {
    if (property !== 'datetime') return null
    text += ` ${direction}`
  }
  return text
}

/**
 * The statement of a page of Features. To compose that of an interval from its hundred fragments takes as long as
 * PostgreSQL needs to find its rows, so its text is cached.
 */
export function buildFeatureSearchQuery(organization: string, search: ItemSearch, part_bytes: number): Sql {
  const { projects } = search
  const shape = 'presumed' in projects ? describeFrequentSearch(search) : null
  if (shape === null || !('presumed' in projects))
    return chooseSearchPreparationMode(search, featureSearchStatement(organization, search, part_bytes))
  const months = findWholeMonths(search.from, search.to)
  const parameters = {
    organization,
    presumed: projects.presumed,
    now: search.now,
    from: search.from,
    to: search.to,
    geojson: search.area?.geojson ?? null,
    months_from: months?.from ?? null,
    months_before: months?.before ?? null,
    part_bytes,
  }
  return sql.template(months === null ? `${shape} no whole month` : shape, parameters, (values) => {
    const { now, from, to, presumed, geojson } = values
    // Only the size of its box is in the text, which is small.
    const area = search.area && geojson !== null ? { ...search.area, geojson } : null
    const whole = months && { from: values.months_from, before: values.months_before }
    const templated = { ...search, now, from, to, area, months: whole, projects: { presumed } }
    return chooseSearchPreparationMode(
      search,
      featureSearchStatement(values.organization, templated, values.part_bytes),
    )
  })
}

interface SearchRow {
  readonly matched: number
}

const toItemRow = (row: ItemRowWithSize & SearchRow): ItemRowWithSize => {
  const { matched: _matched, ...item } = row
  return item
}

/** One measured page of items and the exact count of all matches. */
export async function listFoundItemRows(
  db: SqlStatementRunner,
  organization: string,
  search: ItemSearch,
  sizes: PageByteLimits = defaultPageByteLimits,
): Promise<{ page: ItemRowWithSize[]; matched: number }> {
  if (isEmptySearch(search)) return { page: [], matched: 0 }
  const found = await listRowsInProjectScope(search.projects, (projects) =>
    db.query<ItemRowWithSize & SearchRow>(
      chooseSearchPreparationMode(search, itemSearchStatement(organization, { ...search, projects }, sizes.part_bytes)),
    ),
  )
  return {
    matched: found[0]?.matched ?? 0,
    page: found.filter((row) => row.id !== null).map(toItemRow),
  }
}

/** A matching item with the size of its Feature, and its text; null if it is not cached, or the page is large. */
export interface FeatureWithSize {
  readonly id: string
  readonly bytes: number
  readonly feature: string | null
}

/** A measured page of STAC Features. */
export interface FeaturePageWithSizes {
  /** At most the requested number, fewer if the page would be too large. */
  readonly features: readonly FeatureWithSize[]
  /** False if they are too large to be read in the measuring statement. */
  readonly whole: boolean
  readonly matched: number
  /** The cursor of the next page; null if there is none. */
  readonly next: SortCursor | null
}

/** Adjusts the number of Features of a page that ends early. */
export type AdjustPageFeatureCount = (fittingCount: number) => number

export interface FeaturePageOptions {
  readonly adjustCount?: AdjustPageFeatureCount
  readonly sizes?: PageByteLimits
}

interface FeaturesRow extends FeatureWithSize, SearchRow {
  readonly whole: boolean
}

type NullableFeaturesRow = Omit<FeaturesRow, 'id'> & { readonly id: string | null }

/** One page of STAC Features and the exact count of all matches. */
export async function listFoundFeatureRows(
  db: SqlStatementRunner,
  organization: string,
  search: ItemSearch,
  { adjustCount = (count) => count, sizes = defaultPageByteLimits }: FeaturePageOptions = {},
): Promise<FeaturePageWithSizes> {
  if (isEmptySearch(search)) return { features: [], whole: true, matched: 0, next: null }
  const rows = await listRowsInProjectScope(search.projects, (projects) =>
    db.query<NullableFeaturesRow>(buildFeatureSearchQuery(organization, { ...search, projects }, sizes.part_bytes)),
  )
  const [first] = rows
  if (!first) return { features: [], whole: true, matched: 0, next: null }
  const { matched, whole } = first
  const found = rows.filter((row): row is FeaturesRow => row.id !== null)
  const requested = found.slice(0, search.limit)
  const fittingCount = whole ? requested.length : countRowsWithinBytes(requested, sizes.max_bytes)
  const count = fittingCount < requested.length ? adjustCount(fittingCount) : fittingCount
  const last = found[count - 1]
  const next = last && found.length > count ? toSortCursor(buildSortTerms(search.sort), last) : null
  return { features: found.slice(0, count), whole, matched, next }
}
