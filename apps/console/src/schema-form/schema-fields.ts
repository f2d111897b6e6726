/** The part of JSON Schema that operations use for their input. */
export interface InputSchema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly InputSchema[]
  readonly items?: InputSchema
  readonly properties?: Readonly<Record<string, InputSchema>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
}

export type SchemaTable = Readonly<Record<string, InputSchema>>

export type FieldKind = 'text' | 'number' | 'boolean' | 'choice' | 'time' | 'list' | 'geojson' | 'json'

/** One field of the form of an operation. */
export interface InputField {
  readonly name: string
  readonly kind: FieldKind
  readonly isRequired: boolean
  readonly description: string
  /** As a person would enter it; empty if there is none. */
  readonly defaultText: string
  readonly choices: readonly string[]
  /** Whether the value, or each element of a list, is a number. */
  readonly isNumeric: boolean
}

const geojson: ReadonlySet<string> = new Set(['Geometry', 'Area', 'Polygon', 'MultiPolygon', 'FeatureCollection'])
const refPrefix = '#/components/schemas/'

interface Resolved {
  readonly schema: InputSchema
  readonly name: string | null
}

/** The GeoJSON type that a schema without a reference describes. */
const geojsonType = ({ properties }: InputSchema): unknown => properties?.['type']?.const

/** Alternatives that are values are a choice; those that are types of GeoJSON are one. */
function resolveAlternatives(alternatives: readonly InputSchema[]): Resolved | null {
  if (alternatives.length > 0 && alternatives.every((one) => one.const !== undefined))
    return { schema: { ...alternatives[0], enum: alternatives.map((one) => one.const) }, name: null }
  const types = alternatives.map(geojsonType)
  const [type] = types
  return typeof type === 'string' && types.every((one) => geojson.has(String(one)))
    ? { schema: { type: 'object' }, name: type }
    : null
}

/** The schema behind references, and behind an alternative of which only one is not null. */
function resolve(schema: InputSchema, schemas: SchemaTable): Resolved {
  if (schema.$ref) {
    const name = schema.$ref.replace(refPrefix, '')
    const target = schemas[name]
    return target ? { ...resolve(target, schemas), name } : { schema: {}, name }
  }
  const alternatives = schema.anyOf?.filter(({ type }) => type !== 'null')
  if (alternatives?.length === 1) return resolve(alternatives[0]!, schemas)
  const joined = resolveAlternatives(alternatives ?? [])
  if (joined) return joined
  const named = alternatives?.map(({ $ref }) => $ref?.replace(refPrefix, '')).find((name) => name && geojson.has(name))
  return { schema, name: named ?? null }
}

const isScalar = (schema: InputSchema | undefined): boolean =>
  ['string', 'number', 'integer'].includes(schema?.type ?? '') || schema?.enum !== undefined

const kindsOfType: Readonly<Record<string, FieldKind>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
}

function kindOf({ schema, name }: Resolved): FieldKind {
  if (name && geojson.has(name)) return 'geojson'
  if (schema.enum) return 'choice'
  if (schema.format === 'date-time') return 'time'
  if (schema.type === 'array') return isScalar(schema.items) ? 'list' : 'json'
  return kindsOfType[schema.type ?? ''] ?? 'json'
}

const toText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** The fields of an input, the required ones first. */
export function readFields(input: InputSchema, schemas: SchemaTable): InputField[] {
  const required = new Set(input.required)
  const fields = Object.entries(input.properties ?? {}).map(([name, schema]): InputField => {
    const resolved = resolve(schema, schemas)
    const { enum: choices, items, type } = resolved.schema
    return {
      name,
      kind: kindOf(resolved),
      isRequired: required.has(name),
      description: schema.description ?? resolved.schema.description ?? '',
      defaultText: toText(schema.default ?? resolved.schema.default),
      choices: (choices ?? []).filter((choice) => choice !== null).map(String),
      isNumeric: ['number', 'integer'].includes((type === 'array' ? items?.type : type) ?? ''),
    }
  })
  return fields.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
}

export type FieldFault = 'required' | 'number' | 'json'

/** The input of a form's texts, and their mistakes. */
export interface FormInput {
  readonly input: Readonly<Record<string, unknown>>
  readonly faults: Readonly<Record<string, FieldFault>>
}

type Parsed = { readonly value: unknown } | { readonly fault: FieldFault }

function parseNumber(text: string): Parsed {
  const value = Number(text)
  return Number.isFinite(value) ? { value } : { fault: 'number' }
}

function parseJson(text: string): Parsed {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { fault: 'json' }
  }
}

function parseList(text: string, { isNumeric }: InputField): Parsed {
  if (text.startsWith('[')) return parseJson(text)
  const parts = text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (!isNumeric) return { value: parts }
  const value = parts.map(Number)
  return value.every(Number.isFinite) ? { value } : { fault: 'number' }
}

const parsers: Readonly<Record<FieldKind, (text: string, field: InputField) => Parsed>> = {
  text: (value) => ({ value }),
  choice: (value, { isNumeric }) => ({ value: isNumeric ? Number(value) : value }),
  boolean: (text) => ({ value: text === 'true' }),
  number: parseNumber,
  // The control has neither seconds nor a zone; the form says that it is UTC.
  time: (text) => ({ value: /T\d\d:\d\d$/.test(text) ? `${text}:00Z` : text }),
  list: parseList,
  geojson: parseJson,
  json: parseJson,
}

/** Reads the texts of a form; fields that are empty are left out, so that their defaults hold. */
export function readForm(fields: readonly InputField[], texts: Readonly<Record<string, string>>): FormInput {
  const input: Record<string, unknown> = {}
  const faults: Record<string, FieldFault> = {}
  for (const field of fields) {
    const text = (texts[field.name] ?? '').trim()
    if (text === '' && field.isRequired) faults[field.name] = 'required'
    if (text === '') continue
    const parsed = parsers[field.kind](text, field)
    if ('fault' in parsed) faults[field.name] = parsed.fault
    else input[field.name] = parsed.value
  }
  return { input, faults }
}

/** The texts of a form that say an input. */
export function writeForm(
  fields: readonly InputField[],
  input: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const { name, kind } of fields) {
    const value = input[name]
    if (value === undefined || value === null) continue
    const text = toText(value)
    texts[name] = kind === 'time' ? text.replace(/:00(?:\.0+)?Z$/, '') : text
  }
  return texts
}
