import type { ItemType } from '@swath/contract/schemas/item.ts'
import { validationProblem, type FieldError } from '../../../engine/problem.ts'
import { parseTimeInterval, type TimeInterval } from '../datetime.ts'
import { normalizePropertyName } from './store.properties.ts'
import type { PropertyCondition } from './store.property-conditions.ts'
import type { SpatialSearchBox } from './store.spatial.ts'
import type { ItemFilter } from './store.search-conditions.ts'
import type { SortKey } from './store.sort.ts'

/** The search input of `items.search` and `items.search_org`, as in the contract. */
export interface ItemSearchInput {
  readonly bbox?: readonly number[] | null
  readonly datetime?: string | null
  readonly collections?: readonly string[] | null
  readonly type?: ItemType | null
  readonly query?: Readonly<Record<string, unknown>> | null
  readonly sortby?: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[]
  readonly limit: number
  readonly offset: number
}

const max_conditions = 50
const max_values = 1000

/** A parsed search without its project scope and page. */
export type ParsedSearch = Omit<ItemFilter, 'projects' | 'now'> & { readonly sort: readonly SortKey[] }

/** A search without conditions, newest first. */
export const unfilteredSearch: ParsedSearch = {
  ids: null,
  boxes: null,
  area: null,
  from: null,
  to: null,
  collections: null,
  type: null,
  tests: [],
  filter: null,
  sort: [],
}

/** Parses the search input. Throws `validation` with all errors. */
export function parseItemSearch(input: ItemSearchInput): ParsedSearch {
  const errors: FieldError[] = []
  const span = parseSearchInterval(input.datetime, errors)
  const tests = parseQueryConditions(input.query ?? {}, errors)
  const sort = parseSortOrder(input.sortby ?? [], errors)
  if (errors.length > 0) throw validationProblem(errors)
  return {
    ...unfilteredSearch,
    boxes: input.bbox ? splitBboxAtAntimeridian(input.bbox) : null,
    from: span.from,
    to: span.to,
    collections: input.collections ? { collections: input.collections, projects: [] } : null,
    type: input.type ?? null,
    tests,
    sort,
  }
}

/** Parses the searched time interval; adds an error for invalid text. */
export function parseSearchInterval(datetime: string | null | undefined, errors: FieldError[]): TimeInterval {
  const span = datetime ? parseTimeInterval(datetime) : { from: null, to: null }
  if (typeof span !== 'string') return span
  errors.push({ path: 'datetime', message: span })
  return { from: null, to: null }
}

const wrapLongitude = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180

/**
 * Splits a bbox into boxes within ±180 degrees: two if it crosses the antimeridian (west greater than east, or a longitude
 * beyond 180), none if south is greater than north.
 */
export function splitBboxAtAntimeridian(bbox: readonly number[]): SpatialSearchBox[] {
  const [west, south, east, north] = bbox as [number, number, number, number]
  if (south > north) return []
  if (east - west >= 360) return [[-180, south, 180, north]]
  const beyond = Math.max(Math.abs(west), Math.abs(east)) > 180
  const [left, right] = beyond ? [wrapLongitude(west), wrapLongitude(east)] : [west, east]
  if (left <= right) return [[left, south, right, north]]
  return [
    [left, south, 180, north],
    [-180, south, right, north],
  ]
}

/** Text that PostgreSQL can store: no NUL character, no unpaired surrogate. */
export const isStorableText = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\u0000')
const isScalar = (value: unknown): boolean =>
  value === null || isStorableText(value) || typeof value === 'number' || typeof value === 'boolean'
const isComparable = (value: unknown): boolean => isStorableText(value) || typeof value === 'number'

/** Parses the sort order; adds an error for a property name that cannot be stored. */
export function parseSortOrder(sortby: NonNullable<ItemSearchInput['sortby']>, errors: FieldError[]): SortKey[] {
  const invalidIndex = sortby.findIndex(({ field }) => !isStorableText(field))
  if (invalidIndex >= 0) errors.push({ path: `sortby.${invalidIndex}.field`, message: 'is not a property name' })
  return sortby.map(({ field, direction }) => ({ property: normalizePropertyName(field), direction }))
}

/** The operators of the STAC query extension with the values that they accept. */
const queryOperators: Readonly<
  Record<PropertyCondition['operator'], { fits(value: unknown): boolean; needs: string }>
> = {
  eq: { fits: isScalar, needs: 'a text, number, boolean or null' },
  neq: { fits: isScalar, needs: 'a text, number, boolean or null' },
  lt: { fits: isComparable, needs: 'a number or text' },
  lte: { fits: isComparable, needs: 'a number or text' },
  gt: { fits: isComparable, needs: 'a number or text' },
  gte: { fits: isComparable, needs: 'a number or text' },
  startsWith: { fits: isStorableText, needs: 'a text' },
  endsWith: { fits: isStorableText, needs: 'a text' },
  contains: { fits: isScalar, needs: 'a text, number or boolean' },
  in: {
    fits: (value) => Array.isArray(value) && value.length <= max_values && value.every(isScalar),
    needs: `a list of at most ${max_values} texts, numbers or booleans`,
  },
}

const isOperator = (name: string): name is PropertyCondition['operator'] => Object.hasOwn(queryOperators, name)

/** Parses the conditions of the query extension; adds an error for each invalid one. */
export function parseQueryConditions(
  query: Readonly<Record<string, unknown>>,
  errors: FieldError[],
): PropertyCondition[] {
  const tests: PropertyCondition[] = []
  for (const [field, conditions] of Object.entries(query)) {
    const path = `query.${field}`
    if (!isStorableText(field)) {
      errors.push({ path: 'query', message: 'contains an invalid property name' })
      continue
    }
    if (typeof conditions !== 'object' || conditions === null || Array.isArray(conditions)) {
      errors.push({ path, message: 'is not an object of operators such as {"lt": 20}' })
      continue
    }
    for (const [operator, value] of Object.entries(conditions)) {
      if (!isOperator(operator)) {
        errors.push({ path: `${path}.${operator}`, message: `is not one of ${Object.keys(queryOperators).join(', ')}` })
      } else if (!queryOperators[operator].fits(value)) {
        errors.push({ path: `${path}.${operator}`, message: `requires ${queryOperators[operator].needs}` })
      } else {
        tests.push({ property: normalizePropertyName(field), operator, value })
      }
    }
  }
  if (tests.length > max_conditions)
    errors.push({ path: 'query', message: `has more than ${max_conditions} conditions` })
  return tests
}
