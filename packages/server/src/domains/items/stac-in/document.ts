/** An untrusted JSON object. */
export type Members = Record<string, unknown>

/** A STAC Item being imported: a copy that the version migrations modify. */
export interface Document {
  readonly properties: Members
  /** By key. */
  readonly assets: Record<string, Members>
  links: Members[]
  stac_extensions: string[]
}

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isText = (value: unknown): value is string => typeof value === 'string'

/** Renames a member and optionally converts its value; an existing member with the new name is kept. */
export function rename(
  members: Members,
  from: string,
  to: string,
  turn: (value: unknown) => unknown = (value) => value,
): void {
  if (!Object.hasOwn(members, from)) return
  const value = members[from]
  delete members[from]
  if (!Object.hasOwn(members, to)) members[to] = turn(value)
}

/** The objects that may contain extension fields: the properties and each asset. */
export const scopesOf = (item: Document): Members[] => [item.properties, ...Object.values(item.assets)]
