/** The subset of JSON Schema that the contract uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly [keyword: string]: unknown
}

/** Named schemas, which documents reference instead of repeating them. */
export interface NamedSchemas {
  readonly schemas: ReadonlyMap<string, JsonSchema>
  /** Names by the text of the schema. */
  readonly names: ReadonlyMap<string, string>
}

const reference = '#/components/schemas/'

export const nameOfReference = ($ref: string): string => $ref.slice(reference.length)

/** The pattern that allows any property name; equivalent to `additionalProperties`. */
const anyMember = '^.*$'

/** A schema as plain JSON, without the members that only TypeBox needs. */
export function toPlainSchema(schema: unknown): JsonSchema {
  const text = JSON.stringify(schema)
  // Few schemas have such a pattern, and parsing with a reviver takes many times as long.
  return JSON.parse(text, text.includes(`"${anyMember}"`) ? withoutAnyMember : undefined) as JsonSchema
}

function withoutAnyMember(_key: string, value: unknown): unknown {
  const patterns = (value as JsonSchema | null)?.patternProperties
  if (patterns?.[anyMember] === undefined) return value
  const { patternProperties: _patterns, ...rest } = value as JsonSchema
  return { ...rest, additionalProperties: patterns[anyMember] }
}

/** Separates description and default, which do not make it another schema. */
function splitNotes(schema: JsonSchema): { core: JsonSchema; notes: JsonSchema } {
  const { description, default: defaultValue, ...core } = schema
  const notes = {
    ...(description === undefined ? {} : { description }),
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
  }
  return { core, notes }
}

export const schemaText = (schema: JsonSchema): string => JSON.stringify(splitNotes(schema).core)

/** The schema with named sub-schemas replaced by references; `keepRoot` leaves the root schema itself inline. */
export function withReferences(schema: JsonSchema, named: NamedSchemas, keepRoot = false): JsonSchema {
  const name = keepRoot ? undefined : named.names.get(schemaText(schema))
  if (name !== undefined) return { $ref: `${reference}${name}`, ...splitNotes(schema).notes }
  const inner = (part: JsonSchema): JsonSchema => withReferences(part, named)
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (keyword === 'properties') {
      const properties = Object.entries(value as Record<string, JsonSchema>)
      return [keyword, Object.fromEntries(properties.map(([key, part]) => [key, inner(part)]))]
    }
    if (keyword === 'anyOf') return [keyword, (value as JsonSchema[]).map(inner)]
    if (keyword === 'items' || (keyword === 'additionalProperties' && typeof value === 'object')) {
      return [keyword, inner(value as JsonSchema)]
    }
    return [keyword, value]
  })
  return Object.fromEntries(entries)
}
