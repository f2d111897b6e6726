import { Problem } from '../../../../engine/problem.ts'
import { propertyColumns, normalizePropertyName } from '../store.properties.ts'
import type { PropertyReference, ScalarExpression } from './ast.ts'

/** Costs of processing the text of a property. */
interface TextCosts {
  /** Reading and scanning it once. */
  readonly read: number
  readonly casei: number
  readonly accenti: number
  /** Worst case per character of a LIKE pattern. */
  readonly patternCharacter: number
}

/**
 * Costs of filter elements: milliseconds that the embedded database takes for one item with texts of maximum length
 * (256 KiB of prose with accents in `properties`, 10,000 characters in a column), measured and rounded.
 */
export const cql2_costs_ms = {
  /** Operators, properties and literals outside of lists. */
  nodes: 0.1,
  /** Literals inside of lists. */
  terms: 0.01,
  positions: 0.03,
  arithmetic: 2,
  temporal: 2,
  /** A relation of two arrays, one of which may be as large as the item. */
  array: 30,
  /** A relation of two geometries, one of which may be that of the item. */
  spatial: 10,
  /** Folding one character of a literal: runs on the main thread, so it is weighted tenfold. */
  literalCharacter: 0.005,
  member: { read: 5, casei: 250, accenti: 200, patternCharacter: 1 } satisfies TextCosts,
  column: { read: 0.1, casei: 10, accenti: 8, patternCharacter: 0.04 } satisfies TextCosts,
} as const

/** Maximum cost: the time limit of a whole search. A costlier filter is rejected before it runs. */
export const max_cql2_cost_ms = 5000

/** Cost of the filter so far. */
export interface Cql2CostCounter {
  cost_ms: number
}

/** Adds to the cost of a filter. Throws `budget-exceeded` beyond the maximum, before any query runs. */
export function addCql2Cost(counter: Cql2CostCounter, path: string, cost_ms: number): void {
  counter.cost_ms += cost_ms
  if (counter.cost_ms <= max_cql2_cost_ms) return
  const detail =
    'The filter is too expensive to evaluate. Use `casei` and `accenti` less often, shorter patterns, or fewer conditions on `properties`.'
  throw new Problem('budget-exceeded', detail, {
    errors: [{ path, message: 'the filter exceeds the cost limit at this point' }],
  })
}

/** Column names that may also be names in `properties`, whose texts can be long. */
const shadowedNames: ReadonlySet<string> = new Set(['name'])

/** The costs of the property's text, or of the folded property's text. */
export function computeTextCosts(value: ScalarExpression): TextCosts {
  if (value.is === 'fold') return computeTextCosts(value.of)
  return value.is === 'property' && isColumn(value) ? cql2_costs_ms.column : cql2_costs_ms.member
}

const isColumn = ({ name }: PropertyReference): boolean =>
  !shadowedNames.has(name) && propertyColumns.has(normalizePropertyName(name))
