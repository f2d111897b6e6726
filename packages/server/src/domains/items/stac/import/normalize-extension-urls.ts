import type { ItemDocument } from './document.ts'

const extensionsHost = 'https://stac-extensions.github.io'

/** Extension shortcuts before 1.0.0, with the repository and first version of their schemas. */
const shortcuts: Readonly<Record<string, string>> = {
  checksum: 'file/v1.0.0',
  datacube: 'datacube/v1.0.0',
  eo: 'eo/v1.0.0',
  file: 'file/v1.0.0',
  'item-assets': 'item-assets/v1.0.0',
  label: 'label/v1.0.0',
  pointcloud: 'pointcloud/v1.0.0',
  proj: 'projection/v1.0.0',
  projection: 'projection/v1.0.0',
  sar: 'sar/v1.0.0',
  sat: 'sat/v1.0.0',
  scientific: 'scientific/v1.0.0',
  'tiled-assets': 'tiled-assets/v1.0.0',
  timestamps: 'timestamps/v1.0.0',
  version: 'version/v1.0.0',
  view: 'view/v1.0.0',
}

/** Extensions that became part of the core specification. */
const coreExtensions: ReadonlySet<string> = new Set([
  'asset',
  'collection-assets',
  'commons',
  'datetime-range',
  'dtr',
  'single-item',
])

/**
 * Schema URLs that cannot be satisfied, with an equivalent. The published schema of processing 1.0.0 requires that the
 * item declares 1.1.0.
 */
const replacedUrls: Readonly<Record<string, string>> = {
  [`${extensionsHost}/processing/v1.0.0/schema.json`]: `${extensionsHost}/processing/v1.2.0/schema.json`,
}

/**
 * Replaces extension shortcuts by schema URLs. Unknown shortcuts are kept as a property.
 */
export function normalizeExtensionUrls(item: ItemDocument): void {
  const urls: string[] = []
  const unknown: string[] = []
  for (const name of item.stac_extensions) {
    const trimmed = name.trim()
    const shortcut = trimmed.toLowerCase()
    if (/^https?:\/\//i.test(trimmed)) urls.push(replacedUrls[trimmed] ?? trimmed)
    else if (Object.hasOwn(shortcuts, shortcut)) urls.push(`${extensionsHost}/${shortcuts[shortcut]}/schema.json`)
    else if (trimmed !== '' && !coreExtensions.has(trimmed)) unknown.push(trimmed)
  }
  item.stac_extensions = [...new Set(urls)]
  if (unknown.length > 0) item.properties['given_stac_extensions'] = unknown
}
