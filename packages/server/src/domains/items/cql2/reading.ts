import { Problem, validationProblem } from '../../../engine/problem.ts'
import { charge, costs_ms, type Spending } from './costs.ts'
import { operators } from './tree.ts'

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
export interface Reading extends Spending {
  nodes: number
  terms: number
  arithmetic: number
  positions: number
}

export const startReading = (): Reading => ({ nodes: 0, terms: 0, arithmetic: 0, positions: 0, cost_ms: 0 })

/** 422 with the path in the filter. */
export const malformed = (path: string, message: string): Problem => validationProblem([{ path, message }])

/** 400 for parts of CQL2 and custom functions that are not supported. */
export const unsupported = (path: string, sentence: string): Problem =>
  new Problem('unsupported-filter', sentence, { errors: [{ path, message: sentence }] })

/** Rejects an operator that CQL2 does not define, which is a custom function. Called for misplaced operators. */
export function refuseFunction(node: unknown, path: string): void {
  const op = isRecord(node) ? node['op'] : undefined
  if (typeof op !== 'string' || operators.has(op.toLowerCase())) return
  throw unsupported(
    `${path}.op`,
    `The function "${op.toWellFormed().slice(0, 100)}" is not supported: only the operators of CQL2 are.`,
  )
}

/** Counts an element of the filter. Throws `validation` beyond its limit, `budget-exceeded` beyond the total cost. */
export function count(reading: Reading, what: Exclude<keyof Reading, 'cost_ms'>, path: string): void {
  reading[what] += 1
  if (reading[what] > cql2Limits[what]) throw malformed(path, `the filter has more than ${cql2Limits[what]} ${what}`)
  charge(reading, path, costs_ms[what])
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Text that PostgreSQL can store: no NUL character, no unpaired surrogate. */
export function readText(value: string, path: string, longest: number = cql2Limits.text): string {
  if (value.length > longest) throw malformed(path, `is longer than ${longest} characters`)
  if (!value.isWellFormed() || value.includes('\u0000'))
    throw malformed(path, 'contains a NUL character or an unpaired surrogate')
  return value
}

export function readName(value: unknown, path: string): string {
  if (typeof value !== 'string' || value === '') throw malformed(path, 'is not a property name')
  return readText(value, path, cql2Limits.name)
}

/** The arguments of an operator, with their number checked. */
export function readArguments(
  node: Readonly<Record<string, unknown>>,
  path: string,
  least: number,
  most = least,
): unknown[] {
  const { args } = node
  if (!Array.isArray(args)) throw malformed(`${path}.args`, 'is not a list')
  if (args.length < least || args.length > most) {
    throw malformed(`${path}.args`, least === most ? `takes ${least} arguments` : `takes at least ${least} arguments`)
  }
  return args
}
