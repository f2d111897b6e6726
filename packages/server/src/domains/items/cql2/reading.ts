import { Problem, validationProblem } from '../../../engine/problem.ts'
import { charge, costs_ms, type Spending } from './costs.ts'
import { operators } from './tree.ts'

/** What one filter may hold, so that reading, compiling and answering it stay bounded. */
export const cql2Limits = {
  /** Each level is two of the JSON around it, which the doors bound too. */
  depth: 30,
  /** Operators, properties and literals outside of lists. */
  nodes: 1000,
  /** Literals inside of lists, all lists together. */
  terms: 10_000,
  /** Operators of arithmetic: products of so many numbers still fit the numbers of the database. */
  arithmetic: 50,
  /** Positions of literal geometries, all together. */
  positions: 10_000,
  text: 10_000,
  pattern: 1000,
  name: 255,
} as const

/** What has been read so far. */
export interface Reading extends Spending {
  nodes: number
  terms: number
  arithmetic: number
  positions: number
}

export const startReading = (): Reading => ({ nodes: 0, terms: 0, arithmetic: 0, positions: 0, cost_ms: 0 })

/** 422 that names the place in the filter. */
export const malformed = (path: string, message: string): Problem => validationProblem([{ path, message }])

/** 400 for what CQL2 knows, or lets others add, and is not served here. */
export const unsupported = (path: string, sentence: string): Problem =>
  new Problem('unsupported-filter', sentence, { errors: [{ path, message: sentence }] })

/** Refuses what no operator of CQL2 is: a function. Called where a node has an operator that does not belong there. */
export function refuseFunction(node: unknown, path: string): void {
  const op = isRecord(node) ? node['op'] : undefined
  if (typeof op !== 'string' || operators.has(op.toLowerCase())) return
  throw unsupported(
    `${path}.op`,
    `The function "${op.toWellFormed().slice(0, 100)}" is not served: every operator of CQL2 is, and no further function.`,
  )
}

/** Counts something of the filter; throws 422 beyond its limit, or where the filter as a whole costs too much. */
export function count(reading: Reading, what: Exclude<keyof Reading, 'cost_ms'>, path: string): void {
  reading[what] += 1
  if (reading[what] > cql2Limits[what]) throw malformed(path, `the filter has more than ${cql2Limits[what]} ${what}`)
  charge(reading, path, costs_ms[what])
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Text that the database can hold: no zero character, no half of a surrogate pair. */
export function readText(value: string, path: string, longest: number = cql2Limits.text): string {
  if (value.length > longest) throw malformed(path, `is longer than ${longest} characters`)
  if (!value.isWellFormed() || value.includes('\u0000')) throw malformed(path, 'holds a character that no text can')
  return value
}

export function readName(value: unknown, path: string): string {
  if (typeof value !== 'string' || value === '') throw malformed(path, 'is no name of a property')
  return readText(value, path, cql2Limits.name)
}

/** The arguments of an operator, as many as it takes. */
export function readArguments(
  node: Readonly<Record<string, unknown>>,
  path: string,
  least: number,
  most = least,
): unknown[] {
  const { args } = node
  if (!Array.isArray(args)) throw malformed(`${path}.args`, 'is not a list')
  if (args.length < least || args.length > most) {
    throw malformed(`${path}.args`, least === most ? `takes ${least} members` : `takes at least ${least} members`)
  }
  return args
}
