import { sql, type Sql } from '../../../platform/database/sql.ts'
import { parseTimestampOrDate } from './cql2/parse-values.ts'
import type {
  ComparisonOperator,
  Cql2Filter,
  Cql2Literal,
  Cql2Operand,
  Cql2Predicate,
  PropertyReference,
  ScalarExpression,
} from './cql2/ast.ts'
import { arrayRelationCondition } from './store.cql2-to-sql-arrays.ts'
import { spatialRelationCondition } from './store.cql2-to-sql-spatial.ts'
import { temporalRelationCondition } from './store.cql2-to-sql-temporal.ts'
import type { PropertyColumn } from './store.properties.ts'
import {
  findPropertyColumn,
  isAbsentSql,
  isPropertiesMember,
  jsonTypeSql,
  textWithinTimeSql,
  findCql2ValueKind,
  valueAsKindSql,
  type Cql2ValueKind,
} from './store.cql2-to-sql-values.ts'

type ComparisonPredicate = Extract<Cql2Predicate, { is: 'compare' }>

const comparisonSql: Readonly<Record<ComparisonOperator, Sql>> = {
  '=': sql`=`,
  '<>': sql`<>`,
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
}

const mirroredOperators: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

const unknownSql = sql`null::boolean`

/** Maximum number of IN values that are looked up in the index one by one. */
const max_indexed_values = 20

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Compiles a filter to a condition on `items i`: true, false, or null if an item lacks a property. Every value and property
 * name is a bound parameter. Throws `unsupported-filter` for undefined spatial relations.
 */
export const cql2ToSql = (filter: Cql2Filter): Sql => predicateSql(filter, true)

/** `isTopLevel`: false may stand for unknown, because only true matters; not so below a NOT. */
function predicateSql(operand: Cql2Operand, isTopLevel: boolean): Sql {
  switch (operand.is) {
    case 'and':
    case 'or':
      return sql`(${sql.join(
        operand.of.map((part) => predicateSql(part, isTopLevel)),
        operand.is === 'and' ? sql` and ` : sql` or `,
      )})`
    case 'not':
      return sql`(not ${predicateSql(operand.of, false)})`
    case 'compare':
      return comparisonCondition(operand, isTopLevel)
    case 'like':
      return sql`(${textWithinTimeSql(operand.value)} collate "C" like ${operand.pattern}::text)`
    case 'between':
      return sql`(${comparisonCondition({ is: 'compare', operator: '>=', left: operand.value, right: operand.low }, isTopLevel)}
                  and ${comparisonCondition({ is: 'compare', operator: '<=', left: operand.value, right: operand.high }, isTopLevel)})`
    case 'in':
      return inCondition(operand.value, operand.list, isTopLevel)
    case 'isNull':
      return isNullCondition(operand.of)
    case 'spatial':
      return spatialRelationCondition(operand.operator, operand.left, operand.right)
    case 'temporal':
      return temporalRelationCondition(operand.operator, operand.left, operand.right)
    case 'array':
      return arrayRelationCondition(operand.operator, operand.left, operand.right, isTopLevel)
    default:
      return isTopLevel && isPropertiesMember(operand)
        ? containmentCondition(operand, true)
        : valueAsKindSql('boolean', operand)
  }
}

const predicates: ReadonlySet<string> = new Set<Cql2Predicate['is']>([
  'and',
  'or',
  'not',
  'compare',
  'like',
  'between',
  'in',
  'isNull',
  'spatial',
  'temporal',
  'array',
])

const isPredicate = (operand: Cql2Operand): operand is Cql2Predicate => predicates.has(operand.is)

const operandKind = (operand: Cql2Operand): Cql2ValueKind | 'any' =>
  isPredicate(operand) ? 'boolean' : findCql2ValueKind(operand)

const operandAsKind = (kind: Cql2ValueKind, operand: Cql2Operand): Sql => {
  if (isPredicate(operand)) return kind === 'boolean' ? predicateSql(operand, false) : sql`null`
  return kind === 'text' ? sql`${valueAsKindSql(kind, operand)} collate "C"` : valueAsKindSql(kind, operand)
}

/** The kind as which two operands are compared; null if they have none in common. */
function commonKind(left: Cql2ValueKind | 'any', right: Cql2ValueKind | 'any'): Cql2ValueKind | 'any' | null {
  if (left === right) return left
  if (left === 'any') return right
  if (right === 'any') return left
  const kinds = [left, right]
  return kinds.includes('time') && kinds.includes('text') ? 'time' : null
}

function comparisonCondition({ operator, left, right }: ComparisonPredicate, isTopLevel: boolean): Sql {
  const indexable =
    indexableComparison(operator, left, right, isTopLevel) ??
    indexableComparison(mirroredOperators[operator], right, left, isTopLevel)
  if (indexable) return indexable
  const kind = commonKind(operandKind(left), operandKind(right))
  if (kind === null) return unknownSql
  if (kind === 'any') return dynamicComparison(operator, left as PropertyReference, right as PropertyReference)
  return sql`(${operandAsKind(kind, left)} ${comparisonSql[operator]} ${operandAsKind(kind, right)})`
}

/** Two properties of unknown type are compared by their type in each item, if both have the same. */
function dynamicComparison(operator: ComparisonOperator, left: PropertyReference, right: PropertyReference): Sql {
  const compareAs = (kind: Cql2ValueKind): Sql =>
    sql`${operandAsKind(kind, left)} ${comparisonSql[operator]} ${operandAsKind(kind, right)}`
  return sql`(case ${jsonTypeSql(left)} when 'number' then ${compareAs('number')} when 'string' then ${compareAs('text')}
                                       when 'boolean' then ${compareAs('boolean')} end)`
}

/** An equivalent comparison with a literal that can use an index; null if there is none. */
function indexableComparison(
  operator: ComparisonOperator,
  left: Cql2Operand,
  right: Cql2Operand,
  isTopLevel: boolean,
): Sql | null {
  if (left.is !== 'property') return null
  const column = findPropertyColumn(left)
  if (column?.kind === 'number' && right.is === 'number') {
    return sql`(${column.value} ${comparisonSql[operator]} ${right.value}::double precision)`
  }
  if (column?.uuid && operator === '=' && right.is === 'text' && uuidPattern.test(right.value)) {
    return withoutUnknown(column, sql`${column.uuid} = ${right.value}::uuid`)
  }
  const isJson = right.is === 'text' || right.is === 'number' || right.is === 'boolean'
  return isTopLevel && operator === '=' && isJson && isPropertiesMember(left)
    ? containmentCondition(left, right.value)
    : null
}

/** A comparison of a uuid column: where the column is null and the property has another text, it is false, not unknown. */
const withoutUnknown = ({ uuid, hasTextWithoutUuid }: PropertyColumn, comparison: Sql): Sql =>
  uuid && hasTextWithoutUuid ? sql`(${comparison} and ${uuid} is not null)` : sql`(${comparison})`

const containmentCondition = ({ name }: PropertyReference, value: Cql2Literal['value']): Sql =>
  sql`(i.properties @> ${sql.json({ [name]: value })}::jsonb)`

const isTextOrNumber = (operand: Cql2Operand): operand is Extract<Cql2Literal, { is: 'text' | 'number' }> =>
  operand.is === 'text' || operand.is === 'number'

/** IN: operands of one kind become one array, so that the value is evaluated once per kind. */
function inCondition(value: Cql2Operand, list: readonly Cql2Operand[], isTopLevel: boolean): Sql {
  if (isTopLevel && isPropertiesMember(value) && list.length <= max_indexed_values && list.every(isTextOrNumber)) {
    return anyOf(list.map((literal) => containmentCondition(value, literal.value)))
  }
  const kind = operandKind(value)
  const groups = Map.groupBy(list, (term) => commonKind(kind, operandKind(term)))
  return anyOf([...groups].map(([shared, operands]) => inGroupCondition(value, shared, operands)))
}

const anyOf = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`

function inGroupCondition(
  value: Cql2Operand,
  kind: Cql2ValueKind | 'any' | null,
  operands: readonly Cql2Operand[],
): Sql {
  if (kind === null) return unknownSql
  if (kind === 'any') return dynamicInCondition(value as PropertyReference, operands)
  const column = value.is === 'property' ? findPropertyColumn(value) : null
  const literals = operands.filter(isTextOrNumber).map((term) => term.value)
  if (literals.length < operands.length)
    return sql`(${operandAsKind(kind, value)} = any(${arrayExpression(kind, operands)}))`
  if (kind === 'number' && column) return sql`(${column.value} = any(${literals}::double precision[]))`
  return column?.uuid && literals.every((text) => uuidPattern.test(String(text)))
    ? withoutUnknown(column, sql`${column.uuid} = any(${literals}::uuid[])`)
    : sql`(${operandAsKind(kind, value)} = any(${arrayExpression(kind, operands)}))`
}

const arrayTypes = { number: sql`numeric[]`, text: sql`text[]`, boolean: sql`boolean[]`, time: sql`timestamptz[]` }

/** The literals as one array parameter, followed by expressions that depend on the item. */
function arrayExpression(kind: Cql2ValueKind, operands: readonly Cql2Operand[]): Sql {
  const [literals, others] = [operands.filter(isLiteral), operands.filter((term) => !isLiteral(term))]
  const values = literals.map((literal) =>
    kind === 'time' && literal.is === 'text' ? parseTimestampOrDate(literal.value) : literal.value,
  )
  const bound = sql`${values}::${arrayTypes[kind]}`
  return others.length === 0
    ? bound
    : sql`${bound} || array[${sql.join(others.map((term) => operandAsKind(kind, term)))}]::${arrayTypes[kind]}`
}

const isLiteral = (operand: Cql2Operand): operand is Cql2Literal =>
  operand.is === 'text' || operand.is === 'number' || operand.is === 'boolean' || operand.is === 'instant'

function dynamicInCondition(value: PropertyReference, operands: readonly Cql2Operand[]): Sql {
  const compareAs = (kind: Cql2ValueKind): Sql =>
    sql`${operandAsKind(kind, value)} = any(${arrayExpression(kind, operands)})`
  return sql`(case ${jsonTypeSql(value)} when 'number' then ${compareAs('number')} when 'string' then ${compareAs('text')}
                                        when 'boolean' then ${compareAs('boolean')} end)`
}

function isNullCondition(of: Extract<Cql2Predicate, { is: 'isNull' }>['of']): Sql {
  if (of.is === 'geometry') return sql`(i.geometry is null)`
  if (of.is === 'property') return sql`(${isAbsentSql(of)})`
  const kind = operandKind(of)
  return kind === 'any' ? unknownSql : sql`((${operandAsKind(kind, of as ScalarExpression | Cql2Predicate)}) is null)`
}
