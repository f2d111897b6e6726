import { limits } from '@swath/contract/limits.ts'
import { validationProblem } from '../../../engine/problem.ts'
import { createProcessesLink } from './urls.ts'

type ProcessesLink = ReturnType<typeof createProcessesLink>

export interface PageParameters {
  readonly limit: number
  /** Counted from zero. */
  readonly page: number
}

interface PageLimit {
  readonly maximum: number
  readonly default: number
}

type Query = Readonly<Record<string, unknown>>

/** The page of a list that a request asks for. A limit above the maximum is the maximum. Throws `validation`. */
export const parsePageParameters = (query: Query, limit: PageLimit): PageParameters => ({
  limit: Math.min(parseInteger(query, 'limit', 1) ?? limit.default, limit.maximum),
  page: Math.min(parseInteger(query, 'page', 0) ?? 0, limits.max_offset),
})

/** A parameter that is an integer without a sign; null if it is absent. */
function parseInteger(query: Query, name: string, minimum: number): number | null {
  const value = query[name]
  if (value === undefined) return null
  const number = typeof value === 'string' && /^\d{1,100}$/.test(value) ? Number(value) : Number.NaN
  if (number >= minimum) return number
  throw validationProblem([{ path: name, message: `must be an integer of at least ${minimum}` }], 'query')
}

/** The links of a page of a list: to itself, and to the pages before and after it. */
export function listPageLinks(
  url: string,
  parameters: readonly [name: string, value: string][],
  { page, limit, total }: PageParameters & { readonly total: number },
): readonly ProcessesLink[] {
  const at = (number: number): string => {
    const paging = { page: `${number}`, limit: `${limit}` }
    return `${url}?${new URLSearchParams([...Object.entries(paging), ...parameters])}`
  }
  return [
    createProcessesLink('self', at(page)),
    ...((page + 1) * limit < total ? [createProcessesLink('next', at(page + 1))] : []),
    ...(page > 0 ? [createProcessesLink('prev', at(page - 1))] : []),
  ]
}
