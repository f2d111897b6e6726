/** As much of JSON Schema as the contract uses. */
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

/** Schemas that have a name of their own, so that documents can refer to them instead of repeating them. */
export interface NamedShapes {
  readonly schemas: ReadonlyMap<string, JsonSchema>
  /** The text of a schema to its name. */
  readonly names: ReadonlyMap<string, string>
}

const reference = '#/components/schemas/'

export const nameOfReference = ($ref: string): string => $ref.slice(reference.length)

/** The key under which any member is allowed; its plain spelling is `additionalProperties`. */
const anyMember = '^.*$'

/** A schema as plain JSON, without what only the library needs. */
export function plain(schema: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    const patterns = (value as JsonSchema | null)?.patternProperties
    if (patterns?.[anyMember] === undefined) return value
    const { patternProperties: _patterns, ...rest } = value as JsonSchema
    return { ...rest, additionalProperties: patterns[anyMember] }
  }) as JsonSchema
}

/** What a schema says besides what it is: a description or default does not make it another one. */
function split(schema: JsonSchema): { core: JsonSchema; notes: JsonSchema } {
  const { description, default: preset, ...core } = schema
  const notes = {
    ...(description === undefined ? {} : { description }),
    ...(preset === undefined ? {} : { default: preset }),
  }
  return { core, notes }
}

export const textOf = (schema: JsonSchema): string => JSON.stringify(split(schema).core)

/** The same schema with named parts referred to; its own root is kept when `keepRoot` says so. */
export function referring(schema: JsonSchema, shapes: NamedShapes, keepRoot = false): JsonSchema {
  const name = keepRoot ? undefined : shapes.names.get(textOf(schema))
  if (name !== undefined) return { $ref: `${reference}${name}`, ...split(schema).notes }
  const inner = (part: JsonSchema): JsonSchema => referring(part, shapes)
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
