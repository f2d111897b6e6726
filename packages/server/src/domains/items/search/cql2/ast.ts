import type { Geometry } from '@swath/contract/schemas/geojson.ts'

export const cql2ComparisonOperators = ['=', '<>', '<', '<=', '>', '>='] as const
export type ComparisonOperator = (typeof cql2ComparisonOperators)[number]

export const arithmeticOperators = ['+', '-', '*', '/', '%', 'div', '^'] as const
export type ArithmeticOperator = (typeof arithmeticOperators)[number]

export const textFoldings = ['casei', 'accenti'] as const
export type TextFolding = (typeof textFoldings)[number]

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
export const cql2Operators: ReadonlySet<string> = new Set(
  [
    ['and', 'or', 'not', 'like', 'between', 'in', 'isNull'],
    [
      cql2ComparisonOperators,
      arithmeticOperators,
      textFoldings,
      spatialOperators,
      temporalOperators,
      arrayOperators,
    ].flat(),
  ]
    .flat()
    .map((name) => name.toLowerCase()),
)

export type Cql2Literal =
  | { readonly is: 'text'; readonly value: string }
  | { readonly is: 'number'; readonly value: number }
  | { readonly is: 'boolean'; readonly value: boolean }
  /** A timestamp, or the start of a date in UTC; in milliseconds. */
  | { readonly is: 'instant'; readonly value: Date }

export interface PropertyReference {
  readonly is: 'property'
  readonly name: string
}

/** A scalar value per item. Foldings of literals are evaluated by the parser. */
export type ScalarExpression =
  | Cql2Literal
  | PropertyReference
  | {
      readonly is: 'fold'
      readonly how: TextFolding
      readonly of: PropertyReference | Extract<ScalarExpression, { is: 'fold' }>
    }
  | {
      readonly is: 'arithmetic'
      readonly operator: ArithmeticOperator
      readonly left: ScalarExpression
      readonly right: ScalarExpression
    }

/** A null shape is an invalid literal geometry: predicates on it are unknown. */
export type GeometryOperand = { readonly is: 'geometry' } | { readonly is: 'shape'; readonly shape: Geometry | null }

export type InstantOperand = { readonly is: 'open' } | Extract<Cql2Literal, { is: 'instant' }> | PropertyReference

/** Closed at both ends; an instant is an interval with equal ends. */
export interface IntervalOperand {
  readonly start: InstantOperand
  readonly end: InstantOperand
}

export type ListOperand =
  | PropertyReference
  | { readonly is: 'list'; readonly members: readonly (ScalarExpression | ListOperand)[] }

/** True, false or unknown for an item. */
export type Cql2Predicate =
  | { readonly is: 'and' | 'or'; readonly of: readonly Cql2Filter[] }
  | { readonly is: 'not'; readonly of: Cql2Filter }
  | {
      readonly is: 'compare'
      readonly operator: ComparisonOperator
      readonly left: Cql2Operand
      readonly right: Cql2Operand
    }
  | { readonly is: 'like'; readonly value: ScalarExpression; readonly pattern: string }
  | {
      readonly is: 'between'
      readonly value: ScalarExpression
      readonly low: ScalarExpression
      readonly high: ScalarExpression
    }
  | { readonly is: 'in'; readonly value: Cql2Operand; readonly list: readonly Cql2Operand[] }
  | { readonly is: 'isNull'; readonly of: Cql2Operand | Extract<GeometryOperand, { is: 'geometry' }> }
  | {
      readonly is: 'spatial'
      readonly operator: SpatialOperator
      readonly left: GeometryOperand
      readonly right: GeometryOperand
    }
  | {
      readonly is: 'temporal'
      readonly operator: TemporalOperator
      readonly left: IntervalOperand
      readonly right: IntervalOperand
    }
  | { readonly is: 'array'; readonly operator: ArrayOperator; readonly left: ListOperand; readonly right: ListOperand }

export type Cql2Operand = ScalarExpression | Cql2Predicate

/** A filter: a predicate, or a property or literal that holds a boolean. */
export type Cql2Filter = Cql2Predicate | PropertyReference | Extract<Cql2Literal, { is: 'boolean' }>
