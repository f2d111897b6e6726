import type { TSchema } from 'typebox'

/** Changes a value in place; null for a schema that needs no change. */
export type SchemaTransform = ((value: unknown) => void) | null

/** Changes the direct members of one object in place; null if the schema needs no change. */
export type JsonObjectTransform = ((members: Record<string, unknown>) => void) | null

/** The members that an object schema declares. */
export interface ObjectMembers {
  readonly properties: Readonly<Record<string, TSchema>>
  readonly required: readonly string[]
}

interface SchemaKeywords extends Partial<ObjectMembers> {
  readonly format?: string
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  readonly patternProperties?: Readonly<Record<string, TSchema>>
}

/** True if a schema, or one of its alternatives, is a string of this format. */
export function hasStringFormat(schema: TSchema, expected: string): boolean {
  const { format, anyOf } = schema as SchemaKeywords
  return format === expected || (anyOf ?? []).some((inner) => hasStringFormat(inner, expected))
}

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Compiles a transform that applies `toObjectTransform` to every object of a schema, at any depth. */
export function compileSchemaTransform(
  schema: TSchema,
  toObjectTransform: (members: ObjectMembers) => JsonObjectTransform,
): SchemaTransform {
  const { anyOf, items, properties = {}, required = [], patternProperties } = schema as SchemaKeywords
  const transformsOf = (schemas: readonly TSchema[]): NonNullable<SchemaTransform>[] =>
    schemas.map((inner) => compileSchemaTransform(inner, toObjectTransform)).filter((transform) => transform !== null)
  const onlyElement = <T>(list: readonly T[]): T | null => (list.length === 1 ? list[0]! : null)
  // The alternative that a value matches is not known before validation.
  if (anyOf) return onlyElement(transformsOf(anyOf))
  if (items) return forEachValue(onlyElement(transformsOf([items])))
  if (patternProperties) {
    const schemas = Object.values(patternProperties)
    return schemas.length === 1 ? forEachValue(onlyElement(transformsOf(schemas))) : null
  }
  const objectTransform = toObjectTransform({ properties, required })
  const memberTransforms = Object.entries(properties).flatMap(([name, member]) => {
    const transform = compileSchemaTransform(member, toObjectTransform)
    return transform ? [[name, transform] as const] : []
  })
  if (objectTransform === null && memberTransforms.length === 0) return null
  return (value) => {
    if (!isPlainObject(value)) return
    objectTransform?.(value)
    for (const [name, transform] of memberTransforms) if (value[name] !== undefined) transform(value[name])
  }
}

const forEachValue = (transform: SchemaTransform): SchemaTransform =>
  transform &&
  ((value) => (typeof value === 'object' && value !== null ? Object.values(value).forEach(transform) : undefined))
