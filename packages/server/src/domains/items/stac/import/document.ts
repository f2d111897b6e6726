/** An untrusted JSON object. */
export type JsonObject = Record<string, unknown>

/** A STAC Item being imported: a copy that the version migrations modify. */
export interface ItemDocument {
  readonly properties: JsonObject
  /** The assets by key. */
  readonly assets: Record<string, JsonObject>
  links: JsonObject[]
  stac_extensions: string[]
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isString = (value: unknown): value is string => typeof value === 'string'

/** Renames a member and optionally converts its value; an existing member with the new name is kept. */
export function renameJsonMember(
  members: JsonObject,
  from: string,
  to: string,
  convert: (value: unknown) => unknown = (value) => value,
): void {
  if (!Object.hasOwn(members, from)) return
  const value = members[from]
  delete members[from]
  if (!Object.hasOwn(members, to)) members[to] = convert(value)
}

/** The objects that may contain extension fields: the properties and each asset. */
export const listExtensionFieldScopes = (item: ItemDocument): JsonObject[] => [
  item.properties,
  ...Object.values(item.assets),
]
