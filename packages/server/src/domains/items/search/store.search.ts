import type { Queryable } from '../../../platform/database/database.ts'
import { sortCursorOfRow, sortTerms, type SortCursor } from './store.sort.ts'
import { isEmptySearch, type ItemSearch } from './store.search-conditions.ts'
import { itemSearchStatement, prepareIfNarrow } from './store.search-statements.ts'
import { featureSearchQuery } from './store.search-template.ts'
import { countRowsWithin, defaultPageSizes, type PageSizes } from './page-size.ts'
import { listInScope } from './store.scope.ts'
import type { MeasuredRow } from '../store.ts'

interface SearchRow {
  readonly matched: number
}

const toItemRow = (row: MeasuredRow & SearchRow): MeasuredRow => {
  const { matched: _matched, ...item } = row
  return item
}

/** One measured page of items and the exact count of all matches. */
export async function listFoundItemRows(
  db: Queryable,
  organization: string,
  search: ItemSearch,
  sizes: PageSizes = defaultPageSizes,
): Promise<{ page: MeasuredRow[]; matched: number }> {
  if (isEmptySearch(search)) return { page: [], matched: 0 }
  const found = await listInScope(search.projects, (projects) =>
    db.query<MeasuredRow & SearchRow>(
      prepareIfNarrow(search, itemSearchStatement(organization, { ...search, projects }, sizes.part_bytes)),
    ),
  )
  return {
    matched: found[0]?.matched ?? 0,
    page: found.filter((row) => row.id !== null).map(toItemRow),
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
  /** The cursor of the next page; null if there is none. */
  readonly next: SortCursor | null
}

/** Adjusts the number of Features of a page that ends early. */
export type AdjustPageCount = (fittingCount: number) => number

export interface FeaturePageOptions {
  readonly adjustCount?: AdjustPageCount
  readonly sizes?: PageSizes
}

interface FeaturesRow extends MeasuredFeature, SearchRow {
  readonly whole: boolean
}

type NullableFeaturesRow = Omit<FeaturesRow, 'id'> & { readonly id: string | null }

/** One page of STAC Features and the exact count of all matches. */
export async function listFoundFeatureRows(
  db: Queryable,
  organization: string,
  search: ItemSearch,
  { adjustCount = (count) => count, sizes = defaultPageSizes }: FeaturePageOptions = {},
): Promise<MeasuredFeaturePage> {
  if (isEmptySearch(search)) return { features: [], whole: true, matched: 0, next: null }
  const rows = await listInScope(search.projects, (projects) =>
    db.query<NullableFeaturesRow>(featureSearchQuery(organization, { ...search, projects }, sizes.part_bytes)),
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
