import { limits } from '@swath/contract/limits.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'
import { getTextFoldingMap, combiningMarks, type CharacterTranslation } from './cql2/case-folding.ts'
import { parseTimestampOrDate } from './cql2/parse-values.ts'
import type { ArithmeticOperator, TextFolding, Cql2Literal, PropertyReference, ScalarExpression } from './cql2/ast.ts'
import { propertyColumns, type PropertyColumn } from './store.properties.ts'

/** The type of a value; `any` is used if it depends on the item. */
export type Cql2ValueKind = 'number' | 'text' | 'boolean' | 'time'

/** Column names that may also occur in `properties`: the property takes precedence. */
const shadowedNames: ReadonlySet<string> = new Set(['name'])

/** The column of a property; null for a member of `properties`. */
export const findPropertyColumn = ({ name }: PropertyReference): PropertyColumn | null =>
  shadowedNames.has(name) ? null : (propertyColumns.get(name) ?? null)

/** True if a property is a direct member of `properties`, as the index on them requires. */
export const isPropertiesMember = (value: {
  readonly is: string
  readonly name?: string
}): value is PropertyReference =>
  value.is === 'property' && !value.name!.includes('.') && !propertyColumns.has(value.name!)

/** The property as JSON: the member of that name, or a nested member if the name has dots. */
function memberJson({ name }: PropertyReference): Sql {
  const member = sql`(i.properties -> ${name}::text)`
  const column = propertyColumns.get(name)
  if (column) return sql`coalesce(nullif(${member}, 'null'::jsonb), to_jsonb(${column.value}))`
  if (!name.includes('.')) return member
  return sql`coalesce(${member}, i.properties #> ${name.split('.')}::text[])`
}

export function findCql2ValueKind(value: ScalarExpression): Cql2ValueKind | 'any' {
  if (value.is === 'property') return findPropertyColumn(value)?.kind ?? 'any'
  return kindByNode[value.is]
}

const kindByNode: Readonly<Record<Exclude<ScalarExpression['is'], 'property'>, Cql2ValueKind>> = {
  text: 'text',
  number: 'number',
  boolean: 'boolean',
  instant: 'time',
  fold: 'text',
  arithmetic: 'number',
}

const nullOfKind = {
  number: sql`null::numeric`,
  text: sql`null::text`,
  boolean: sql`null::boolean`,
  time: sql`null::timestamptz`,
}

/** The value as a kind; null (unknown) if it is of another kind. No cast in it can fail. */
export function valueAsKindSql(kind: Cql2ValueKind, value: ScalarExpression): Sql {
  if (value.is === 'property') return propertyAsKind(kind, value)
  if (kind === 'time' && value.is === 'text') return sql`${parseTimestampOrDate(value.value)}::timestamptz`
  if (kindByNode[value.is] !== kind) return nullOfKind[kind]
  if (value.is === 'fold') return foldedTextSql(value.of, value.how)
  if (value.is === 'arithmetic')
    return arithmeticSql(value.operator, valueAsKindSql('number', value.left), valueAsKindSql('number', value.right))
  return literalSql(value)
}

const literalSql = (value: Cql2Literal): Sql => {
  if (value.is === 'text') return sql`${value.value}::text`
  if (value.is === 'number') return sql`${value.value}::numeric`
  return value.is === 'boolean' ? sql`${value.value}::boolean` : sql`${value.value}::timestamptz`
}

function propertyAsKind(kind: Cql2ValueKind, property: PropertyReference): Sql {
  const column = findPropertyColumn(property)
  if (column) return columnConversions[column.kind][kind]?.(column.value) ?? nullOfKind[kind]
  const member = memberJson(property)
  return memberConversions[kind](member)
}

/** Casting a double through JSON yields its shortest decimal representation. */
const columnConversions: Readonly<
  Record<PropertyColumn['kind'], Partial<Record<Cql2ValueKind, (column: Sql) => Sql>>>
> = {
  number: { number: (column) => sql`to_jsonb(${column})::numeric` },
  text: { text: (column) => sql`(${column})`, time: (column) => textToTimestamp(sql`(${column})`) },
  time: {
    time: (column) => column,
    text: (column) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  },
}

/** CASE, unlike AND, guarantees the evaluation order: only checked values are cast. */
const memberConversions: Readonly<Record<Cql2ValueKind, (member: Sql) => Sql>> = {
  number: (member) => sql`(case when jsonb_typeof(${member}) = 'number' then ${member}::numeric end)`,
  text: (member) => sql`(case when jsonb_typeof(${member}) = 'string' then ${member} #>> '{}' end)`,
  boolean: (member) => sql`(case when jsonb_typeof(${member}) = 'boolean' then ${member}::boolean end)`,
  time: (member) => textToTimestamp(sql`(${member} #>> '{}')`),
}

/**
 * Regular expression of valid dates from the year 1, optionally with an RFC 3339 time and an offset that PostgreSQL
 * accepts: every match can be cast.
 */
const timestampPattern = ((): string => {
  const year = '(?!0000)\\d{4}'
  const leap = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?!0000)(?:[02468][048]|[13579][26])00)'
  const day = `(?:${year}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|${leap}-02-29)`
  const time = '(?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d{1,9})?'
  return `^${day}(?:[Tt]${time}(?:[Zz]|[+-](?:0\\d|1[0-5]):[0-5]\\d))?$`
})()

/** The timestamp in a text, to the millisecond; null for other text. */
const textToTimestamp = (text: Sql): Sql => sql`
  (case when ${text} ~ ${timestampPattern}::text then date_trunc('milliseconds',
    (case when length(${text}) = 10 then ${text} || 'T00:00:00Z' else ${text} end)::timestamptz) end)`

const translateCharacters = (text: Sql, { pattern, from, to }: CharacterTranslation): Sql => {
  if (pattern === null) return sql`translate(${text}, ${from}::text, ${to}::text)`
  return sql`translate(${text}, case when f.text ~ ${pattern}::text then ${from}::text else '' end, ${to}::text)`
}

/** An item with less metadata has no text that takes long; for others, reading the clock costs nothing in comparison. */
const min_long_metadata_bytes = 16_384

const readsMember = (value: ScalarExpression): boolean =>
  value.is === 'fold' ? readsMember(value.of) : value.is === 'property' && findPropertyColumn(value) === null

/**
 * A value as text that is about to be scanned. It cancels the search if long texts have taken too long, since nothing else runs
 * meanwhile on the embedded database; columns have short ones.
 */
export function textWithinTimeSql(value: ScalarExpression): Sql {
  const text = valueAsKindSql('text', value)
  if (!readsMember(value)) return text
  return sql`
    (case when i.metadata_bytes > ${sql.integer(min_long_metadata_bytes)}
            and clock_timestamp() > statement_timestamp() + ${sql.integer(limits.max_long_texts_seconds)} * interval '1 second'
          then swath_cancel_search() else ${text} end)`
}

/**
 * `foldTextCaseOrAccents` for a text in the database; most texts are ASCII and need no tables. OFFSET 0 prevents the planner from
 * inlining the text expression repeatedly.
 */
function foldedTextSql(value: ScalarExpression, folding: TextFolding): Sql {
  const { translations, expansions } = getTextFoldingMap(folding)
  const asciiFolded = folding === 'casei' ? sql`lower(f.text collate "C")` : sql`f.text`
  const withoutMarks =
    folding === 'casei'
      ? asciiFolded
      : sql`normalize(regexp_replace(normalize(f.text, NFD), ${combiningMarks}::text, '', 'g'), NFC)`
  const folded = expansions.reduce(
    (inner, [letter, letters]) => sql`replace(${inner}, ${letter}::text, ${letters}::text)`,
    translations.reduce(translateCharacters, withoutMarks),
  )
  return sql`
    (select case when octet_length(f.text) = length(f.text) then ${asciiFolded} else ${folded} end
     from (select ${textWithinTimeSql(value)} as text offset 0) as f)`
}

/** Null for undefined arithmetic: division by zero, roots of negative numbers, results beyond a double. */
function arithmeticSql(operator: ArithmeticOperator, left: Sql, right: Sql): Sql {
  if (operator === '^') return powerSql(left, right)
  if (operator === '/') return sql`(${left} / nullif(${right}, 0))`
  if (operator === '%') return sql`(${left} % nullif(${right}, 0))`
  if (operator === 'div') return sql`div(${left}, nullif(${right}, 0))`
  return { '+': sql`(${left} + ${right})`, '-': sql`(${left} - ${right})`, '*': sql`(${left} * ${right})` }[operator]
}

/** Maximum natural logarithm of a power that fits into a double. */
const max_exponent_log = 709

/** OFFSET 0 prevents the planner from inlining both operands repeatedly. */
const powerSql = (left: Sql, right: Sql): Sql => sql`
  (select case
     when p.base is null or p.exponent is null then null
     when p.exponent = 0 then 1
     when p.base = 0 then case when p.exponent > 0 then 0 end
     when abs(p.base) not between 1e-324 and 1.8e308 or abs(p.exponent) > 1.8e308 then null
     when p.base < 0 and p.exponent <> trunc(p.exponent) then null
     when abs(p.exponent) < 1e-300 then 1
     when p.exponent * ln(abs(p.base)) > ${max_exponent_log}::numeric then null
     when p.exponent * ln(abs(p.base)) < -${max_exponent_log}::numeric then 0
     else power(p.base, p.exponent) end
   from (select ${left} as base, ${right} as exponent offset 0) as p)`

/** The value as JSON, for array elements; dates and timestamps as text. */
export function valueJsonSql(value: ScalarExpression): Sql {
  if (value.is === 'property') {
    const column = findPropertyColumn(value)
    return column
      ? sql`to_jsonb(${column.kind === 'time' ? propertyAsKind('text', value) : column.value})`
      : memberJson(value)
  }
  return value.is === 'instant'
    ? sql`to_jsonb(${value.value.toISOString()}::text)`
    : sql`to_jsonb(${valueAsKindSql(kindByNode[value.is], value)})`
}

/** The JSON type of a property, for comparing two properties of unknown type. */
export const jsonTypeSql = (property: PropertyReference): Sql => sql`jsonb_typeof(${memberJson(property)})`

export const isAbsentSql = (property: PropertyReference): Sql => {
  const column = findPropertyColumn(property)
  return column
    ? (column.absent ?? sql`(${column.value}) is null`)
    : sql`coalesce(jsonb_typeof(${memberJson(property)}), 'null') = 'null'`
}

/** The property if it is an array, else null. */
export function arrayJsonSql(property: PropertyReference): Sql {
  if (findPropertyColumn(property)) return sql`null::jsonb`
  const member = memberJson(property)
  return sql`(case when jsonb_typeof(${member}) = 'array' then ${member} end)`
}
