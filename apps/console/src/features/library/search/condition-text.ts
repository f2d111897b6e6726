import type { OutputOf } from '@swath/client/operations.ts'

/** A property that a filter can use. */
export interface FilterProperty {
  readonly name: string
  readonly kind: 'text' | 'number' | 'time' | 'flag'
  /** All values that there are, if they are few. */
  readonly values: readonly string[]
}

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=' | 'contains'

export const comparisonsOf: Readonly<Record<FilterProperty['kind'], readonly Comparison[]>> = {
  text: ['contains', '=', '<>'],
  number: ['<=', '>=', '=', '<>', '<', '>'],
  time: ['>=', '<='],
  flag: ['='],
}

/** Conditions of their own, and what nobody types. */
const hidden = new Set([
  'geometry',
  'id',
  'collection',
  'service:item_id',
  'service:item_type',
  'datetime',
  'eo:cloud_cover',
])

function kindOf({ type, format }: Readonly<Record<string, unknown>>): FilterProperty['kind'] | null {
  if (type === 'string') return format === 'date-time' ? 'time' : 'text'
  if (type === 'boolean') return 'flag'
  return type === 'number' || type === 'integer' ? 'number' : null
}

/** The properties that can be chosen for a condition, by name; lists and objects are left to CQL2 text. */
export const listFilterProperties = ({ properties }: OutputOf<'stac.queryables'>): FilterProperty[] =>
  Object.entries(properties)
    .flatMap(([name, schema]) => {
      const kind = kindOf(schema)
      if (!kind || hidden.has(name)) return []
      return [{ name, kind, values: Array.isArray(schema['enum']) ? schema['enum'].map(String) : [] }]
    })
    .toSorted((one, other) => one.name.localeCompare(other.name))

const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`
const quoteName = (name: string): string => (/^[\p{L}_][\p{L}\p{N}_:.]*$/u.test(name) ? name : `"${name}"`)

/** A condition as CQL2 text. */
export function writeCondition({ name, kind }: FilterProperty, comparison: Comparison, value: string): string {
  if (comparison === 'contains') {
    const words = value.replaceAll(/[\\%_]/g, String.raw`\$&`)
    return `casei(${quoteName(name)}) LIKE casei(${quoteText(`%${words}%`)})`
  }
  const literal = kind === 'text' ? quoteText(value) : kind === 'time' ? `TIMESTAMP('${value}T00:00:00Z')` : value
  return `${quoteName(name)} ${comparison} ${literal}`
}

/** A condition as a person reads it on a chip: that of `writeCondition` in short. */
export function describeCondition(text: string): string {
  const [, name, words] = /^casei\((.+)\) LIKE casei\('%(.*)%'\)$/.exec(text) ?? []
  if (name !== undefined) return `${name} ∋ ${words!.replaceAll("''", "'").replaceAll(/\\(.)/g, '$1')}`
  return text.replace(/TIMESTAMP\('(\d{4}-\d\d-\d\d)T00:00:00Z'\)/, '$1')
}
