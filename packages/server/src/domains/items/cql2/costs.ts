import { Problem } from '../../../engine/problem.ts'
import { knownColumns, propertyName } from '../store.properties.ts'
import type { Property, Value } from './tree.ts'

/** What running over the text of a property takes. */
interface TextCosts {
  /** Finding it and looking through it once. */
  readonly read: number
  readonly casei: number
  readonly accenti: number
  /** Comparing it with one more character of a pattern, at worst. */
  readonly patternCharacter: number
}

/**
 * What the parts of a filter cost: milliseconds that the embedded database takes for one item whose texts are as long as
 * they may be (256 KiB of prose with accents in `properties`, 10,000 characters in a column), measured and rounded.
 */
export const costs_ms = {
  /** Operators, properties and literals outside of lists. */
  nodes: 0.1,
  /** Literals inside of lists. */
  terms: 0.01,
  positions: 0.03,
  arithmetic: 2,
  temporal: 2,
  /** A relation of two arrays, one of which may be as long as the item. */
  array: 30,
  /** A relation of two geometries, one of which may be that of the item. */
  spatial: 10,
  /** Folding one character of a literal: on the thread that answers everybody, so it weighs ten times what it takes. */
  literalCharacter: 0.005,
  member: { read: 5, casei: 250, accenti: 200, patternCharacter: 1 } satisfies TextCosts,
  column: { read: 0.1, casei: 10, accenti: 8, patternCharacter: 0.04 } satisfies TextCosts,
} as const

/** A filter that would take longer for one such item than a search may for all is not begun. */
export const max_cost_ms = 5000

/** What the filter costs so far. */
export interface Spending {
  cost_ms: number
}

/** Adds to the cost of a filter. Throws `budget-exceeded` beyond the bound, before anything is asked of the database. */
export function charge(spending: Spending, path: string, cost_ms: number): void {
  spending.cost_ms += cost_ms
  if (spending.cost_ms <= max_cost_ms) return
  const sentence =
    'The filter asks too much of each item. Use `casei` and `accenti` fewer times, shorter patterns, or fewer conditions on `properties`.'
  throw new Problem('budget-exceeded', sentence, {
    errors: [{ path, message: 'the filter costs too much up to here' }],
  })
}

/** Columns hold short texts; a name that items also have among their own properties may be one of those. */
const shadowed: ReadonlySet<string> = new Set(['name'])

/** What the text of the property costs, or that of the property that is folded. */
export function textCostsOf(value: Value): TextCosts {
  if (value.is === 'fold') return textCostsOf(value.of)
  return value.is === 'property' && isColumn(value) ? costs_ms.column : costs_ms.member
}

const isColumn = ({ name }: Property): boolean => !shadowed.has(name) && knownColumns.has(propertyName(name))
