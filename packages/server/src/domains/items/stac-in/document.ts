/** A JSON object that somebody else wrote. */
export type Members = Record<string, unknown>

/** A STAC Item on its way in: a copy that the changes of the versions may write into. */
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

/** Gives a member another name, and another value if wanted; one that is there under the new name stays. */
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

/** The properties, and what stands beside each file: fields of extensions may be in either. */
export const scopesOf = (item: Document): Members[] => [item.properties, ...Object.values(item.assets)]
