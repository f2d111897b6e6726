import { sql, type Sql } from '../../platform/database/sql.ts'
import { readMoment } from './cql2/read-values.ts'
import type { Comparison, Cql2, Literal, Operand, Predicate, Property, Value } from './cql2/tree.ts'
import { arrayCondition } from './store.cql2-arrays.ts'
import { spatialCondition } from './store.cql2-shapes.ts'
import { temporalCondition } from './store.cql2-times.ts'
import { columnOf, isAbsent, isMember, jsonTypeOf, kindOf, valueAs, type Kind } from './store.cql2-values.ts'

type Compare = Extract<Predicate, { is: 'compare' }>

const comparisons: Readonly<Record<Comparison, Sql>> = {
  '=': sql`=`,
  '<>': sql`<>`,
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
}

const mirrored: Readonly<Record<Comparison, Comparison>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

const unknown = sql`null::boolean`

/** Maximum number of IN values that are looked up in the index one by one. */
const limit_indexed = 20

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Compiles a filter to a condition on `items i`: true, false, or null if an item lacks a property. Every value and property
 * name is a bound parameter. Throws `unsupported-filter` for undefined spatial relations.
 */
export const cql2Condition = (filter: Cql2): Sql => truthOf(filter, true)

/** `isTopLevel`: false may stand for unknown, because only true matters; not so below a NOT. */
function truthOf(operand: Operand, sure: boolean): Sql {
  switch (operand.is) {
    case 'and':
    case 'or':
      return sql`(${sql.join(
        operand.of.map((part) => truthOf(part, sure)),
        operand.is === 'and' ? sql` and ` : sql` or `,
      )})`
    case 'not':
      return sql`(not ${truthOf(operand.of, false)})`
    case 'compare':
      return comparison(operand, sure)
    case 'like':
      return sql`(${valueAs('text', operand.value)} collate "C" like ${operand.pattern}::text)`
    case 'between':
      return sql`(${comparison({ is: 'compare', operator: '>=', left: operand.value, right: operand.low }, sure)}
                  and ${comparison({ is: 'compare', operator: '<=', left: operand.value, right: operand.high }, sure)})`
    case 'in':
      return membership(operand.value, operand.list, sure)
    case 'isNull':
      return absence(operand.of)
    case 'spatial':
      return spatialCondition(operand.operator, operand.left, operand.right)
    case 'temporal':
      return temporalCondition(operand.operator, operand.left, operand.right)
    case 'array':
      return arrayCondition(operand.operator, operand.left, operand.right, sure)
    default:
      return sure && isMember(operand) ? isExactly(operand, true) : valueAs('boolean', operand)
  }
}

const predicates: ReadonlySet<string> = new Set<Predicate['is']>([
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

const isPredicate = (operand: Operand): operand is Predicate => predicates.has(operand.is)

const kindOfOperand = (operand: Operand): Kind | 'any' => (isPredicate(operand) ? 'boolean' : kindOf(operand))

const operandAs = (kind: Kind, operand: Operand): Sql => {
  if (isPredicate(operand)) return kind === 'boolean' ? truthOf(operand, false) : sql`null`
  return kind === 'text' ? sql`${valueAs(kind, operand)} collate "C"` : valueAs(kind, operand)
}

/** The kind as which two operands are compared; null if they have none in common. */
function sharedKind(left: Kind | 'any', right: Kind | 'any'): Kind | 'any' | null {
  if (left === right) return left
  if (left === 'any') return right
  if (right === 'any') return left
  const kinds = [left, right]
  return kinds.includes('time') && kinds.includes('text') ? 'time' : null
}

function comparison({ operator, left, right }: Compare, sure: boolean): Sql {
  const short = quickComparison(operator, left, right, sure) ?? quickComparison(mirrored[operator], right, left, sure)
  if (short) return short
  const kind = sharedKind(kindOfOperand(left), kindOfOperand(right))
  if (kind === null) return unknown
  if (kind === 'any') return dynamicComparison(operator, left as Property, right as Property)
  return sql`(${operandAs(kind, left)} ${comparisons[operator]} ${operandAs(kind, right)})`
}

/** Two properties of unknown type are compared by their type in each item, if both have the same. */
function dynamicComparison(operator: Comparison, left: Property, right: Property): Sql {
  const as = (kind: Kind): Sql => sql`${operandAs(kind, left)} ${comparisons[operator]} ${operandAs(kind, right)}`
  return sql`(case ${jsonTypeOf(left)} when 'number' then ${as('number')} when 'string' then ${as('text')}
                                       when 'boolean' then ${as('boolean')} end)`
}

/** An equivalent comparison with a literal that can use an index; null if there is none. */
function quickComparison(operator: Comparison, left: Operand, right: Operand, sure: boolean): Sql | null {
  if (left.is !== 'property') return null
  const column = columnOf(left)
  if (column?.kind === 'number' && right.is === 'number') {
    return sql`(${column.value} ${comparisons[operator]} ${right.value}::double precision)`
  }
  if (column?.uuid && operator === '=' && right.is === 'text' && uuid.test(right.value)) {
    return sql`(${column.uuid} = ${right.value}::uuid)`
  }
  const isJson = right.is === 'text' || right.is === 'number' || right.is === 'boolean'
  return sure && operator === '=' && isJson && isMember(left) ? isExactly(left, right.value) : null
}

const isExactly = ({ name }: Property, value: Literal['value']): Sql =>
  sql`(i.properties @> ${sql.json({ [name]: value })}::jsonb)`

const isListed = (operand: Operand): operand is Extract<Literal, { is: 'text' | 'number' }> =>
  operand.is === 'text' || operand.is === 'number'

/** IN: operands of one kind become one array, so that the value is evaluated once per kind. */
function membership(value: Operand, list: readonly Operand[], sure: boolean): Sql {
  if (sure && isMember(value) && list.length <= limit_indexed && list.every(isListed)) {
    return anyOf(list.map((literal) => isExactly(value, literal.value)))
  }
  const kind = kindOfOperand(value)
  const groups = Map.groupBy(list, (term) => sharedKind(kind, kindOfOperand(term)))
  return anyOf([...groups].map(([shared, terms]) => among(value, shared, terms)))
}

const anyOf = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`

function among(value: Operand, kind: Kind | 'any' | null, terms: readonly Operand[]): Sql {
  if (kind === null) return unknown
  if (kind === 'any') return dynamicMembership(value as Property, terms)
  const column = value.is === 'property' ? columnOf(value) : null
  const literals = terms.filter(isListed).map((term) => term.value)
  if (literals.length < terms.length) return sql`(${operandAs(kind, value)} = any(${arrayOf(kind, terms)}))`
  if (kind === 'number' && column) return sql`(${column.value} = any(${literals}::double precision[]))`
  const ids = column?.uuid && literals.every((text) => uuid.test(String(text))) ? column.uuid : null
  return ids
    ? sql`(${ids} = any(${literals}::uuid[]))`
    : sql`(${operandAs(kind, value)} = any(${arrayOf(kind, terms)}))`
}

const arrayTypes = { number: sql`numeric[]`, text: sql`text[]`, boolean: sql`boolean[]`, time: sql`timestamptz[]` }

/** The literals as one array parameter, followed by expressions that depend on the item. */
function arrayOf(kind: Kind, terms: readonly Operand[]): Sql {
  const [literals, others] = [terms.filter(isLiteral), terms.filter((term) => !isLiteral(term))]
  const values = literals.map((literal) =>
    kind === 'time' && literal.is === 'text' ? readMoment(literal.value) : literal.value,
  )
  const bound = sql`${values}::${arrayTypes[kind]}`
  return others.length === 0
    ? bound
    : sql`${bound} || array[${sql.join(others.map((term) => operandAs(kind, term)))}]::${arrayTypes[kind]}`
}

const isLiteral = (operand: Operand): operand is Literal =>
  operand.is === 'text' || operand.is === 'number' || operand.is === 'boolean' || operand.is === 'instant'

function dynamicMembership(value: Property, terms: readonly Operand[]): Sql {
  const as = (kind: Kind): Sql => sql`${operandAs(kind, value)} = any(${arrayOf(kind, terms)})`
  return sql`(case ${jsonTypeOf(value)} when 'number' then ${as('number')} when 'string' then ${as('text')}
                                        when 'boolean' then ${as('boolean')} end)`
}

function absence(of: Extract<Predicate, { is: 'isNull' }>['of']): Sql {
  if (of.is === 'geometry') return sql`(i.geometry is null)`
  if (of.is === 'property') return sql`(${isAbsent(of)})`
  const kind = kindOfOperand(of)
  return kind === 'any' ? unknown : sql`((${operandAs(kind, of as Value | Predicate)}) is null)`
}
