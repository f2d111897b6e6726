import { fitsExtension } from './stac-in/fields.ts'

/** The extensions that we write, each at the version whose fields the platform document names, by the prefix of their fields. */
export const extensions = {
  eo: 'https://stac-extensions.github.io/eo/v1.1.0/schema.json',
  file: 'https://stac-extensions.github.io/file/v2.1.0/schema.json',
  proj: 'https://stac-extensions.github.io/projection/v1.1.0/schema.json',
  raster: 'https://stac-extensions.github.io/raster/v1.1.0/schema.json',
  view: 'https://stac-extensions.github.io/view/v1.0.0/schema.json',
} as const

/** The first version that takes angles beside a file alone, without some in the properties. */
const viewOfAssets = 'https://stac-extensions.github.io/view/v1.1.0/schema.json'

/** Earlier versions that take the fields as we write them: an item that names one of them goes on naming it. */
const earlier: ReadonlySet<string> = new Set(
  ['eo/v1.0.0', 'file/v2.0.0', 'projection/v1.0.0', 'raster/v1.0.0', 'view/v1.0.0', 'view/v1.1.0'].map(
    (version) => `https://stac-extensions.github.io/${version}/schema.json`,
  ),
)

const familyOf = (address: string): string => address.replace(/v\d+\.\d+\.\d+\/.*$/, '')

const prefixes = new Map<string, string>(Object.entries(extensions))

/** What the addresses of an extension of ours begin with, whatever their version. */
const families = Object.values(extensions).map(familyOf)

/** True for any version of an extension of which we write one. */
export const isOwnExtension = (address: string): boolean => families.some((family) => address.startsWith(family))

/** Addresses of extensions of ours that an item was given and will not name: none of their fields is there as it was written. */
export const droppedFrom = (given: readonly string[], named: readonly string[]): string[] =>
  given.filter((address) => isOwnExtension(address) && !named.some((one) => familyOf(one) === familyOf(address)))

/** The extensions of ours whose fields are among the members; a prefix is what stands before the first colon. */
function usedBy(members: object, used: Set<string>): void {
  for (const name in members) {
    const colon = name.indexOf(':')
    const address = colon > 0 ? prefixes.get(name.slice(0, colon)) : undefined
    if (address !== undefined) used.add(address)
  }
}

/** The extensions of ours whose schemas refuse one of the properties: an item that named them would be invalid. */
function brokenBy(properties: object): Set<string> {
  const broken = Object.entries(properties).filter(([name, value]) => !fitsExtension(name, value))
  const used = new Set<string>()
  usedBy(Object.fromEntries(broken), used)
  return used
}

/**
 * What a Feature names in `stac_extensions`: ours where one of their fields is there, and whatever else it was given.
 *
 * @param given addresses that came with the item. Versions of ours that do not take the fields as they are written here are
 *   replaced by those that do.
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
