// The projection extension 1.2 has two fields for a reference system: `proj:epsg`, a number that readers of STAC 1.0 know, and
// `proj:code`, a text with the authority, which replaces it in version 2. Items store the number, and show both.

type JsonObject = Record<string, unknown>

const codePattern = /^EPSG:(\d{1,9})$/i

/**
 * Stores a code of EPSG as its number, so that one fact is stored once; of a contradiction the code counts, because the number is
 * deprecated. A code of another authority stays, with no number.
 */
export function storeProjectionCode(members: JsonObject): void {
  if (!Object.hasOwn(members, 'proj:code')) return
  const code = members['proj:code']
  const [, number] = (typeof code === 'string' && codePattern.exec(code.trim())) || []
  if (number !== undefined) members['proj:epsg'] = Number(number)
  else if (!Object.hasOwn(members, 'proj:epsg')) members['proj:epsg'] = null
  if (number !== undefined || code === null) delete members['proj:code']
}

/** Adds the code of a stored number, modifying the caller's object. */
export function addProjectionCode(members: JsonObject): void {
  const number = members['proj:epsg']
  if (Number.isInteger(number) && !Object.hasOwn(members, 'proj:code')) members['proj:code'] = `EPSG:${String(number)}`
}

/** True for a code that says no more than the number beside it. */
const isDerived = (members: JsonObject): boolean => members['proj:code'] === `EPSG:${String(members['proj:epsg'])}`

const withoutDerivedCode = <T extends object>(members: T): T =>
  isDerived(members as JsonObject)
    ? (Object.fromEntries(Object.entries(members).filter(([name]) => name !== 'proj:code')) as T)
    : members

/** A Feature whose codes are only those that its numbers do not say: what a patch changes of either is then not contradicted. */
export const withoutDerivedCodes = <T extends { readonly properties: object; readonly assets: object }>(
  feature: T,
): T => ({
  ...feature,
  properties: withoutDerivedCode(feature.properties),
  assets: Object.fromEntries(
    Object.entries(feature.assets).map(([key, asset]) => [key, withoutDerivedCode(asset as object)]),
  ),
})
