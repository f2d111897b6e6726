import type { GeometryRepairBudget } from '@swath/geo/repair-cost.ts'
import { Problem, validationProblem } from '../../../../engine/problem.ts'
import { createGeometryBudget } from '../../geometry.ts'
import { addCql2Cost, cql2_costs_ms, type Cql2CostCounter } from './costs.ts'
import { cql2Operators } from './ast.ts'

/** Limits of one filter, so that parsing, compiling and evaluating it stay bounded. */
export const cql2Limits = {
  /** Each level is two levels of JSON, which the HTTP layer limits too. */
  depth: 30,
  /** Operators, properties and literals outside of lists. */
  nodes: 1000,
  /** Literals inside of lists, all lists together. */
  terms: 10_000,
  /** Arithmetic operators: a product of that many numbers still fits into `numeric`. */
  arithmetic: 50,
  /** Positions of literal geometries, all together. */
  positions: 10_000,
  text: 10_000,
  pattern: 1000,
  name: 255,
} as const

/** Counters of the elements parsed so far. */
export interface Cql2ParseState extends Cql2CostCounter {
  /** The budget for literal geometries whose edges cross: relations make them nodes. */
  readonly crossings: GeometryRepairBudget
  nodes: number
  terms: number
  arithmetic: number
  positions: number
}

export const createCql2ParseState = (): Cql2ParseState => ({
  crossings: createGeometryBudget(),
  nodes: 0,
  terms: 0,
  arithmetic: 0,
  positions: 0,
  cost_ms: 0,
})

/** 422 with the path in the filter. */
export const createInvalidCql2Problem = (path: string, message: string): Problem =>
  validationProblem([{ path, message }])

/** 400 for parts of CQL2 and custom functions that are not supported. */
export const createUnsupportedCql2Problem = (path: string, detail: string): Problem =>
  new Problem('unsupported-filter', detail, { errors: [{ path, message: detail }] })

/** Rejects an operator that CQL2 does not define, which is a custom function. Called for misplaced operators. */
export function rejectCustomFunction(node: unknown, path: string): void {
  const op = isJsonRecord(node) ? node['op'] : undefined
  if (typeof op !== 'string' || cql2Operators.has(op.toLowerCase())) return
  throw createUnsupportedCql2Problem(
    `${path}.op`,
    `The function "${op.toWellFormed().slice(0, 100)}" is not supported: only the operators of CQL2 are.`,
  )
}

/** Counts an element of the filter. Throws `validation` beyond its limit, `budget-exceeded` beyond the total cost. */
export function countCql2Element(
  state: Cql2ParseState,
  counter: Exclude<keyof Cql2ParseState, 'cost_ms' | 'crossings'>,
  path: string,
): void {
  state[counter] += 1
  if (state[counter] > cql2Limits[counter])
    throw createInvalidCql2Problem(path, `the filter has more than ${cql2Limits[counter]} ${counter}`)
  addCql2Cost(state, path, cql2_costs_ms[counter])
}

export const isJsonRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Text that PostgreSQL can store: no NUL character, no unpaired surrogate. */
export function validateStorableText(value: string, path: string, max_length: number = cql2Limits.text): string {
  if (value.length > max_length) throw createInvalidCql2Problem(path, `is longer than ${max_length} characters`)
  if (!value.isWellFormed() || value.includes('\u0000'))
    throw createInvalidCql2Problem(path, 'contains a NUL character or an unpaired surrogate')
  return value
}

export function parsePropertyName(value: unknown, path: string): string {
  if (typeof value !== 'string' || value === '') throw createInvalidCql2Problem(path, 'is not a property name')
  return validateStorableText(value, path, cql2Limits.name)
}

/** The arguments of an operator, with their number checked. */
export function parseCql2Arguments(
  node: Readonly<Record<string, unknown>>,
  path: string,
  min_count: number,
  max_count = min_count,
): unknown[] {
  const { args } = node
  if (!Array.isArray(args)) throw createInvalidCql2Problem(`${path}.args`, 'is not a list')
  if (args.length < min_count || args.length > max_count) {
    throw createInvalidCql2Problem(
      `${path}.args`,
      min_count === max_count ? `takes ${min_count} arguments` : `takes at least ${min_count} arguments`,
    )
  }
  return args
}
