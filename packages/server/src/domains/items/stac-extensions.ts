import { fitsExtension } from './stac-in/fields.ts'

/** The extensions that this platform writes, by field prefix. */
export const extensions = {
  eo: 'https://stac-extensions.github.io/eo/v1.1.0/schema.json',
  file: 'https://stac-extensions.github.io/file/v2.1.0/schema.json',
  proj: 'https://stac-extensions.github.io/projection/v1.1.0/schema.json',
  raster: 'https://stac-extensions.github.io/raster/v1.1.0/schema.json',
  view: 'https://stac-extensions.github.io/view/v1.0.0/schema.json',
} as const

/** The first version that allows view angles on assets only. */
const viewOfAssets = 'https://stac-extensions.github.io/view/v1.1.0/schema.json'

/** Other versions that are compatible with the written fields: an item that declares one keeps it. */
const earlier: ReadonlySet<string> = new Set(
  ['eo/v1.0.0', 'file/v2.0.0', 'projection/v1.0.0', 'raster/v1.0.0', 'view/v1.0.0', 'view/v1.1.0'].map(
    (version) => `https://stac-extensions.github.io/${version}/schema.json`,
  ),
)

const familyOf = (address: string): string => address.replace(/v\d+\.\d+\.\d+\/.*$/, '')

const prefixes = new Map<string, string>(Object.entries(extensions))

/** Schema URL prefixes of our extensions, without version. */
const families = Object.values(extensions).map(familyOf)

/** True for any version of an extension that this platform writes. */
export const isOwnExtension = (address: string): boolean => families.some((family) => address.startsWith(family))

/** Declared URLs of our extensions that the Feature will not declare, because none of their fields is present unchanged. */
export const droppedFrom = (given: readonly string[], named: readonly string[]): string[] =>
  given.filter((address) => isOwnExtension(address) && !named.some((one) => familyOf(one) === familyOf(address)))

/** Collects our extensions whose field prefix (before the first colon) occurs among the members. */
function usedBy(members: object, used: Set<string>): void {
  for (const name in members) {
    const colon = name.indexOf(':')
    const address = colon > 0 ? prefixes.get(name.slice(0, colon)) : undefined
    if (address !== undefined) used.add(address)
  }
}

/** Our extensions whose schemas reject one of the properties: declaring them would make the item invalid. */
function brokenBy(properties: object): Set<string> {
  const broken = Object.entries(properties).filter(([name, value]) => !fitsExtension(name, value))
  const used = new Set<string>()
  usedBy(Object.fromEntries(broken), used)
  return used
}

/**
 * The `stac_extensions` of a Feature: our extensions whose fields are present, and all other declared ones.
 *
 * @param declared schema URLs from the source of the item. Incompatible versions of our extensions are replaced.
 */
export function extensionsOf(
  given: readonly string[],
  properties: object,
  assets: Readonly<Record<string, object>>,
): string[] {
  const used = new Set<string>()
  usedBy(properties, used)
  const byAssets = new Set<string>()
  for (const key in assets) usedBy(assets[key]!, byAssets)
  for (const address of byAssets) {
    used.add(address === extensions.view && !used.has(address) ? viewOfAssets : address)
  }
  for (const address of brokenBy(properties)) used.delete(address)
  const named = new Map(given.filter((address) => earlier.has(address)).map((address) => [familyOf(address), address]))
  const own = [...used].map((address) => named.get(familyOf(address)) ?? address)
  return [...new Set([...own.toSorted(), ...given.filter((address) => !isOwnExtension(address))])]
}
