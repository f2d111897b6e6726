import { isValidExtensionField } from './import/normalize-extension-fields.ts'

/** The extensions that this platform writes, by field prefix. */
export const ownExtensions = {
  eo: 'https://stac-extensions.github.io/eo/v1.1.0/schema.json',
  file: 'https://stac-extensions.github.io/file/v2.1.0/schema.json',
  proj: 'https://stac-extensions.github.io/projection/v1.2.0/schema.json',
  raster: 'https://stac-extensions.github.io/raster/v1.1.0/schema.json',
  view: 'https://stac-extensions.github.io/view/v1.0.0/schema.json',
} as const

/** The first version that allows view angles on assets only. */
const assetViewExtension = 'https://stac-extensions.github.io/view/v1.1.0/schema.json'

/** Other versions that are compatible with the written fields: an item that declares one keeps it. */
const compatibleVersions: ReadonlySet<string> = new Set(
  ['eo/v1.0.0', 'file/v2.0.0', 'raster/v1.0.0', 'view/v1.0.0', 'view/v1.1.0'].map(
    (version) => `https://stac-extensions.github.io/${version}/schema.json`,
  ),
)

/** Items written before `proj:code` was shown declare a version that forbids it. */
const outdatedProjection = /^https:\/\/stac-extensions\.github\.io\/projection\/v1\.[01]\.0\/schema\.json$/

/** The stored extensions, in the versions of the fields that a Feature shows. */
export const toCurrentExtensions = (stored: readonly string[]): string[] =>
  stored.map((url) => (outdatedProjection.test(url) ? ownExtensions.proj : url))

const extensionFamily = (url: string): string => url.replace(/v\d+\.\d+\.\d+\/.*$/, '')

const extensionByPrefix = new Map<string, string>(Object.entries(ownExtensions))

/** Schema URL prefixes of our extensions, without version. */
const ownFamilies = Object.values(ownExtensions).map(extensionFamily)

/** True for any version of an extension that this platform writes. */
export const isPlatformStacExtension = (url: string): boolean => ownFamilies.some((family) => url.startsWith(family))

/** Declared URLs of our extensions that the Feature will not declare, because none of their fields is present unchanged. */
export const findDroppedExtensions = (declared: readonly string[], declaredOwn: readonly string[]): string[] =>
  declared.filter(
    (url) => isPlatformStacExtension(url) && !declaredOwn.some((one) => extensionFamily(one) === extensionFamily(url)),
  )

/** Collects our extensions whose field prefix (before the first colon) occurs among the members. */
function collectUsedExtensions(members: object, used: Set<string>): void {
  for (const name in members) {
    const colon = name.indexOf(':')
    const url = colon > 0 ? extensionByPrefix.get(name.slice(0, colon)) : undefined
    if (url !== undefined) used.add(url)
  }
}

/** Our extensions whose schemas reject one of the properties: declaring them would make the item invalid. */
function findViolatedExtensions(properties: object): Set<string> {
  const violations = Object.entries(properties).filter(([name, value]) => !isValidExtensionField(name, value))
  const used = new Set<string>()
  collectUsedExtensions(Object.fromEntries(violations), used)
  return used
}

/**
 * The `stac_extensions` of a Feature: our extensions whose fields are present, and all other declared ones.
 *
 * @param declared schema URLs from the source of the item. Incompatible versions of our extensions are replaced.
 */
export function resolveStacExtensions(
  declared: readonly string[],
  properties: object,
  assets: Readonly<Record<string, object>>,
): string[] {
  const used = new Set<string>()
  collectUsedExtensions(properties, used)
  const byAssets = new Set<string>()
  for (const key in assets) collectUsedExtensions(assets[key]!, byAssets)
  for (const url of byAssets) {
    used.add(url === ownExtensions.view && !used.has(url) ? assetViewExtension : url)
  }
  for (const url of findViolatedExtensions(properties)) used.delete(url)
  const declaredOwn = new Map(
    declared.filter((url) => compatibleVersions.has(url)).map((url) => [extensionFamily(url), url]),
  )
  const ownUsed = [...used].map((url) => declaredOwn.get(extensionFamily(url)) ?? url)
  return [...new Set([...ownUsed.toSorted(), ...declared.filter((url) => !isPlatformStacExtension(url))])]
}
