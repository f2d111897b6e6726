import type { Geometry } from '@swath/contract/shapes/geojson.ts'

export const comparisons = ['=', '<>', '<', '<=', '>', '>='] as const
export type Comparison = (typeof comparisons)[number]

export const arithmetics = ['+', '-', '*', '/', '%', 'div', '^'] as const
export type Arithmetic = (typeof arithmetics)[number]

export const foldings = ['casei', 'accenti'] as const
export type Folding = (typeof foldings)[number]

export const spatialOperators = [
  's_intersects',
  's_equals',
  's_disjoint',
  's_touches',
  's_within',
  's_overlaps',
  's_crosses',
  's_contains',
] as const
export type SpatialOperator = (typeof spatialOperators)[number]

export const temporalOperators = [
  't_after',
  't_before',
  't_contains',
  't_disjoint',
  't_during',
  't_equals',
  't_finishedBy',
  't_finishes',
  't_intersects',
  't_meets',
  't_metBy',
  't_overlappedBy',
  't_overlaps',
  't_startedBy',
  't_starts',
] as const
export type TemporalOperator = (typeof temporalOperators)[number]

export const arrayOperators = ['a_equals', 'a_contains', 'a_containedBy', 'a_overlaps'] as const
export type ArrayOperator = (typeof arrayOperators)[number]

/** All CQL2 operators in lower case; operator names are case-insensitive, as in CQL2 Text. */
export const operators: ReadonlySet<string> = new Set(
  [
    ['and', 'or', 'not', 'like', 'between', 'in', 'isNull'],
    [comparisons, arithmetics, foldings, spatialOperators, temporalOperators, arrayOperators].flat(),
  ]
    .flat()
    .map((name) => name.toLowerCase()),
)

export type Literal =
  | { readonly is: 'text'; readonly value: string }
  | { readonly is: 'number'; readonly value: number }
  | { readonly is: 'boolean'; readonly value: boolean }
  /** A timestamp, or the start of a date in UTC; in milliseconds. */
  | { readonly is: 'instant'; readonly value: Date }

export interface Property {
  readonly is: 'property'
  readonly name: string
}

/** A scalar value per item. Foldings of literals are evaluated by the parser. */
export type Value =
  | Literal
  | Property
  | { readonly is: 'fold'; readonly how: Folding; readonly of: Property | Extract<Value, { is: 'fold' }> }
  | { readonly is: 'arithmetic'; readonly operator: Arithmetic; readonly left: Value; readonly right: Value }

/** A null shape is an invalid literal geometry: predicates on it are unknown. */
export type Shape = { readonly is: 'geometry' } | { readonly is: 'shape'; readonly shape: Geometry | null }

export type Moment = { readonly is: 'open' } | Extract<Literal, { is: 'instant' }> | Property

/** Closed at both ends; an instant is an interval with equal ends. */
export interface Interval {
  readonly start: Moment
  readonly end: Moment
}

export type List = Property | { readonly is: 'list'; readonly members: readonly (Value | List)[] }

/** True, false or unknown for an item. */
export type Predicate =
  | { readonly is: 'and' | 'or'; readonly of: readonly Cql2[] }
  | { readonly is: 'not'; readonly of: Cql2 }
  | { readonly is: 'compare'; readonly operator: Comparison; readonly left: Operand; readonly right: Operand }
  | { readonly is: 'like'; readonly value: Value; readonly pattern: string }
  | { readonly is: 'between'; readonly value: Value; readonly low: Value; readonly high: Value }
  | { readonly is: 'in'; readonly value: Operand; readonly list: readonly Operand[] }
  | { readonly is: 'isNull'; readonly of: Operand | Extract<Shape, { is: 'geometry' }> }
  | { readonly is: 'spatial'; readonly operator: SpatialOperator; readonly left: Shape; readonly right: Shape }
  | { readonly is: 'temporal'; readonly operator: TemporalOperator; readonly left: Interval; readonly right: Interval }
  | { readonly is: 'array'; readonly operator: ArrayOperator; readonly left: List; readonly right: List }

export type Operand = Value | Predicate

/** A filter: a predicate, or a property or literal that holds a boolean. */
export type Cql2 = Predicate | Property | Extract<Literal, { is: 'boolean' }>
