export type Row = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The rows of an output: of a list its entries, of a page the entries of its only list of objects, of anything else
 * itself. Null if it has no rows.
 */
export function findRows(output: unknown): readonly Row[] | null {
  if (Array.isArray(output)) return output.every(isObject) ? output : output.map((value) => ({ value }))
  if (!isObject(output)) return null
  const lists = Object.values(output).filter(
    (value): value is Row[] => Array.isArray(value) && value.length > 0 && value.every(isObject),
  )
  return isPage(output) ? (lists[0] ?? []) : null
}

/** A page of a list: a list, and how it goes on. */
const isPage = (output: Row): boolean => {
  const lists = Object.values(output).filter(Array.isArray)
  const isCounted = ['limit', 'total', 'next', 'totalElements', 'numberReturned', 'numberMatched'].some((name) => name in output) // prettier-ignore
  return lists.length > 0 && (isCounted || Object.keys(output).length === 1)
}

/** A row with its members flat: `a.b` for nested objects, JSON for lists. A feature has its properties without a prefix. */
export function flattenRow(row: Row): Record<string, unknown> {
  const flat: Record<string, unknown> = {}
  const add = (prefix: string, value: unknown): void => {
    if (isObject(value)) for (const [name, member] of Object.entries(value)) add(`${prefix}.${name}`, member)
    else flat[prefix] = Array.isArray(value) ? JSON.stringify(value) : value
  }
  for (const [name, value] of Object.entries(row)) {
    if (row['type'] === 'Feature' && name === 'properties' && isObject(value))
      for (const [member, inner] of Object.entries(value)) add(member in row ? `properties.${member}` : member, inner)
    else add(name, value)
  }
  return flat
}
