import { toNumberedPage, toOffsetPaging, type NumberedPaging } from './page.ts'

interface SortedPaging extends NumberedPaging {
  /** `field,asc` or `field,desc`; by name if null. */
  readonly sort: string | null
}

/** A page of rows that are in memory. Rows without a value of the field are last, equal ones are in order of their name. */
export function toSortedPage<Row extends { readonly name: string }>(rows: readonly Row[], paging: SortedPaging) {
  const { limit, offset } = toOffsetPaging(paging)
  const sorted = rows.toSorted(createComparison(paging.sort ?? 'name,asc'))
  return toNumberedPage({ rows: sorted.slice(offset, offset + limit), total: sorted.length }, paging)
}

function createComparison(sort: string): (left: { readonly name: string }, right: { readonly name: string }) => number {
  const [field = 'name', direction] = sort.split(',')
  const valueOf = (row: Readonly<Record<string, unknown>>): string | null => {
    const value = row[field]
    return typeof value === 'string' ? value : null
  }
  return (left, right) => {
    const values = [valueOf({ ...left }), valueOf({ ...right })] as const
    return compareValues(values, direction === 'desc' ? -1 : 1) || compareText(left.name, right.name)
  }
}

function compareValues([left, right]: readonly [string | null, string | null], factor: 1 | -1): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null)
  return factor * compareText(left, right)
}

const compareText = (left: string, right: string): number => (left < right ? -1 : Number(left > right))

/** The values of a comma-separated list; null if there is none. */
export const parseCommaSeparatedList = (text: string | null | undefined): string[] | null =>
  text
    ? text
        .split(',')
        .map((value) => value.trim())
        .filter(Boolean)
    : null
