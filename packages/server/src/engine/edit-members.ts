import type { TSchema } from 'typebox'

/** Changes a value in place; null for a schema that needs no change. */
export type Edit = ((value: unknown) => void) | null

/** Changes the direct members of one object in place; null if the schema needs no change. */
export type ObjectEdit = ((members: Record<string, unknown>) => void) | null

/** The members that an object schema declares. */
export interface MemberSchemas {
  readonly properties: Readonly<Record<string, TSchema>>
  readonly required: readonly string[]
}

interface Shape extends Partial<MemberSchemas> {
  readonly format?: string
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  readonly patternProperties?: Readonly<Record<string, TSchema>>
}

/** True if a schema, or one of its alternatives, is a string of this format. */
export function isOfFormat(schema: TSchema, wanted: string): boolean {
  const { format, anyOf } = schema as Shape
  return format === wanted || (anyOf ?? []).some((inner) => isOfFormat(inner, wanted))
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Compiles a transform that applies `toObjectTransform` to every object of a schema, at any depth. */
export function editMembersOf(schema: TSchema, objectEdit: (members: MemberSchemas) => ObjectEdit): Edit {
  const { anyOf, items, properties = {}, required = [], patternProperties } = schema as Shape
  const editsOf = (schemas: readonly TSchema[]): NonNullable<Edit>[] =>
    schemas.map((inner) => editMembersOf(inner, objectEdit)).filter((edit) => edit !== null)
  const only = <T>(list: readonly T[]): T | null => (list.length === 1 ? list[0]! : null)
  // Which of several alternatives a value matches is not known before validation.
  if (anyOf) return only(editsOf(anyOf))
  if (items) return inAll(only(editsOf([items])))
  if (patternProperties) {
    const schemas = Object.values(patternProperties)
    return schemas.length === 1 ? inAll(only(editsOf(schemas))) : null
  }
  const own = objectEdit({ properties, required })
  const deep = Object.entries(properties).flatMap(([name, member]) => {
    const edit = editMembersOf(member, objectEdit)
    return edit ? [[name, edit] as const] : []
  })
  if (own === null && deep.length === 0) return null
  return (value) => {
    if (!isRecord(value)) return
    own?.(value)
    for (const [name, edit] of deep) if (value[name] !== undefined) edit(value[name])
  }
}

const inAll = (edit: Edit): Edit =>
  edit && ((value) => (typeof value === 'object' && value !== null ? Object.values(value).forEach(edit) : undefined))
