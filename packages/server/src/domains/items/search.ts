import type { ItemType } from '@swath/contract/shapes/item.ts'
import { validationProblem, type Fault } from '../../engine/problem.ts'
import { readSpan, type Span } from './datetime.ts'
import { propertyName } from './store.properties.ts'
import type { PropertyTest } from './store.property-tests.ts'
import type { Box } from './store.places.ts'
import type { ItemConditions } from './store.search.ts'
import type { SortKey } from './store.sort.ts'

/** The search input of `items.search` and `items.search_org`, as in the contract. */
export interface SearchInput {
  readonly bbox?: readonly number[] | null
  readonly datetime?: string | null
  readonly collections?: readonly string[] | null
  readonly type?: ItemType | null
  readonly query?: Readonly<Record<string, unknown>> | null
  readonly sortby?: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[]
  readonly limit: number
  readonly offset: number
}

const limit_tests = 50
const limit_values = 1000

/** A parsed search without its project scope and page. */
export type ReadSearch = Omit<ItemConditions, 'projects' | 'now'> & { readonly sort: readonly SortKey[] }

/** A search without conditions, newest first. */
export const everything: ReadSearch = {
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
export function readSearch(input: SearchInput): ReadSearch {
  const faults: Fault[] = []
  const span = spanOf(input.datetime, faults)
  const tests = testsOf(input.query ?? {}, faults)
  const sort = sortOf(input.sortby ?? [], faults)
  if (faults.length > 0) throw validationProblem(faults)
  return {
    ...everything,
    boxes: input.bbox ? boxesOf(input.bbox) : null,
    from: span.from,
    to: span.to,
    collections: input.collections ?? null,
    type: input.type ?? null,
    tests,
    sort,
  }
}

/** Parses the searched time interval; adds an error for invalid text. */
export function spanOf(datetime: string | null | undefined, faults: Fault[]): Span {
  const span = datetime ? readSpan(datetime) : { from: null, to: null }
  if (typeof span !== 'string') return span
  faults.push({ path: 'datetime', message: span })
  return { from: null, to: null }
}

const wrap = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180

/**
 * Splits a bbox into boxes within ±180 degrees: two if it crosses the antimeridian (west greater than east, or a longitude
 * beyond 180), none if south is greater than north.
 */
export function boxesOf(bbox: readonly number[]): Box[] {
  const [west, south, east, north] = bbox as [number, number, number, number]
  if (south > north) return []
  if (east - west >= 360) return [[-180, south, 180, north]]
  const beyond = Math.max(Math.abs(west), Math.abs(east)) > 180
  const [left, right] = beyond ? [wrap(west), wrap(east)] : [west, east]
  if (left <= right) return [[left, south, right, north]]
  return [
    [left, south, 180, north],
    [-180, south, right, north],
  ]
}

/** Text that PostgreSQL can store: no NUL character, no unpaired surrogate. */
export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\u0000')
const isScalar = (value: unknown): boolean =>
  value === null || isText(value) || typeof value === 'number' || typeof value === 'boolean'
const isOrdered = (value: unknown): boolean => isText(value) || typeof value === 'number'

/** Parses the sort order; adds an error for a property name that cannot be stored. */
export function sortOf(sortby: NonNullable<SearchInput['sortby']>, faults: Fault[]): SortKey[] {
  const bad = sortby.findIndex(({ field }) => !isText(field))
  if (bad >= 0) faults.push({ path: `sortby.${bad}.field`, message: 'is not a property name' })
  return sortby.map(({ field, direction }) => ({ property: propertyName(field), direction }))
}

/** The operators of the STAC query extension with the values that they accept. */
const operators: Readonly<Record<PropertyTest['operator'], { fits(value: unknown): boolean; needs: string }>> = {
  eq: { fits: isScalar, needs: 'a text, number, boolean or null' },
  neq: { fits: isScalar, needs: 'a text, number, boolean or null' },
  lt: { fits: isOrdered, needs: 'a number or text' },
  lte: { fits: isOrdered, needs: 'a number or text' },
  gt: { fits: isOrdered, needs: 'a number or text' },
  gte: { fits: isOrdered, needs: 'a number or text' },
  startsWith: { fits: isText, needs: 'a text' },
  endsWith: { fits: isText, needs: 'a text' },
  contains: { fits: isScalar, needs: 'a text, number or boolean' },
  in: {
    fits: (value) => Array.isArray(value) && value.length <= limit_values && value.every(isScalar),
    needs: `a list of at most ${limit_values} texts, numbers or booleans`,
  },
}

const isOperator = (name: string): name is PropertyTest['operator'] => Object.hasOwn(operators, name)

/** Parses the conditions of the query extension; adds an error for each invalid one. */
export function testsOf(query: Readonly<Record<string, unknown>>, faults: Fault[]): PropertyTest[] {
  const tests: PropertyTest[] = []
  for (const [field, conditions] of Object.entries(query)) {
    const path = `query.${field}`
    if (!isText(field)) {
      faults.push({ path: 'query', message: 'contains an invalid property name' })
      continue
    }
    if (typeof conditions !== 'object' || conditions === null || Array.isArray(conditions)) {
      faults.push({ path, message: 'is not an object of operators such as {"lt": 20}' })
      continue
    }
    for (const [operator, value] of Object.entries(conditions)) {
      if (!isOperator(operator)) {
        faults.push({ path: `${path}.${operator}`, message: `is not one of ${Object.keys(operators).join(', ')}` })
      } else if (!operators[operator].fits(value)) {
        faults.push({ path: `${path}.${operator}`, message: `requires ${operators[operator].needs}` })
      } else {
        tests.push({ property: propertyName(field), operator, value })
      }
    }
  }
  if (tests.length > limit_tests) faults.push({ path: 'query', message: `has more than ${limit_tests} conditions` })
  return tests
}
