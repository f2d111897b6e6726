import type { StacLink } from '@swath/contract/shapes/stac.ts'
import type { Fault } from '../../../engine/problem.ts'
import type { AddedAsset, AddedItem } from '../add-item.ts'
import { numberIn, readPlace, type Times } from '../description.ts'
import { unknownType } from '../stac-asset.ts'
import { isExactly, isReserved } from '../stac-feature.ts'
import { fileAddress, linkAddress } from './addresses.ts'
import { changes } from './changes.ts'
import { isObject, isText, scopesOf, type Document, type Members } from './document.ts'
import { fitFields } from './fields.ts'
import { fitCommon } from './fit-common.ts'
import { readGeometry } from './read-geometry.ts'
import { readMoment } from './read-moment.ts'

const limit_assets = 500
const limit_links = 200

/** A Feature as an item to be made, without the ids that its maker gives. */
export type ReadFeature = Omit<AddedItem, 'id' | 'project_id' | 'collection_id' | 'type' | 'assets'> & {
  readonly stac_id: string
  /** The collection that the Feature names; an id of its own catalogue, which may be one of ours. */
  readonly collection: string | null
  readonly assets: readonly Omit<AddedAsset, 'id'>[]
}

/** Links that place the item in the catalogue it comes from; in ours we place it ourselves. */
const placing: ReadonlySet<string> = new Set(['self', 'root', 'parent', 'collection', 'items', 'item', 'child'])

/** Times that columns hold, and that our Feature says from them. */
const timeColumns = ['datetime', 'start_datetime', 'end_datetime', 'created', 'updated'] as const
/** Texts that do. */
const textColumns: ReadonlySet<string> = new Set(['title', 'description'])

/** How a Feature is read. */
export interface FeatureReading {
  /**
   * Properties whose value an extension of ours does not take keep their name, and the item does not name the extension:
   * it is read as it was written. Otherwise they get a plain name.
   */
  readonly verbatim?: boolean
}

/**
 * Reads a STAC Item of any version from 0.6 to 1.1 as one of 1.0.0. Faults are added to the list; what is answered may
 * be used when there are none. Extra properties and unknown extensions are kept.
 */
export function readFeature(
  feature: Members,
  faults: Fault[],
  { verbatim = false }: FeatureReading = {},
): ReadFeature | null {
  const item = documentOf(feature, faults)
  if (!item || faults.length > 0) return null
  for (const change of changes) change.apply(item)
  const { properties } = item
  const times = readFeatureTimes(properties, faults)
  const exact =
    verbatim && isExactly(properties['datetime'], times.datetime) ? { datetime: properties['datetime'] } : {}
  for (const name of timeColumns) delete properties[name]
  for (const members of scopesOf(item)) {
    if (!verbatim || members !== properties) fitFields(members)
    fitCommon(members)
  }
  const self = selfOf(item)
  const place = readPlace(readGeometry(feature['geometry'], feature['bbox']), null, faults)
  const assets = assetsOf(item, self, faults)
  const stac_id = textOf(feature['id'])
  if (!stac_id || stac_id.length > 500) faults.push({ path: 'id', message: 'is no text of 1 to 500 characters' })
  return {
    ...place,
    ...times,
    stac_id: stac_id ?? '',
    collection: textOf(feature['collection']),
    name: textOf(properties['title']) ?? stac_id ?? '',
    description: textOf(properties['description'])?.slice(0, 10_000) ?? null,
    cloud_cover: numberIn(properties, 'eo:cloud_cover', [0, 100]),
    gsd: numberIn(properties, 'gsd', [0, Infinity]),
    properties: {
      ...Object.fromEntries(Object.entries(properties).filter(([name]) => !textColumns.has(name) && !isReserved(name))),
      ...exact,
    },
    stac_extensions: item.stac_extensions,
    links: linksOf(item, self),
    assets,
  }
}

const textOf = (value: unknown): string | null =>
  isText(value) && value.trim() !== '' ? value : typeof value === 'number' ? String(value) : null

/** A copy of the Feature's parts that may be written into. */
function documentOf(feature: Members, faults: Fault[]): Document | null {
  if (feature['type'] !== 'Feature') faults.push({ path: 'type', message: 'is not "Feature"' })
  const { properties, assets = {}, links = [], stac_extensions = [] } = feature
  if (!isObject(properties)) faults.push({ path: 'properties', message: 'is no object' })
  if (!isObject(assets) || !Object.values(assets).every(isObject)) {
    faults.push({ path: 'assets', message: 'is no object of asset objects' })
  } else if (Object.keys(assets).length > limit_assets) {
    faults.push({ path: 'assets', message: `has more than ${limit_assets} assets` })
  }
  if (faults.length > 0) return null
  // Until 0.6 links were an object by their relation.
  const list = Array.isArray(links) ? links : isObject(links) ? Object.values(links) : []
  return {
    properties: { ...(properties as Members) },
    assets: Object.fromEntries(
      Object.entries(assets as Record<string, Members>).map(([key, asset]) => [key, { ...asset }]),
    ),
    links: list.filter(isObject).map((link) => ({ ...link })),
    stac_extensions: Array.isArray(stac_extensions) ? stac_extensions.filter(isText) : [],
  }
}

/** Where the item lay, by its own words; a whole address, or none. */
function selfOf({ links }: Document): string | null {
  const href = links.find((link) => link['rel'] === 'self')?.['href']
  return linkAddress(href, null)
}

function readFeatureTimes(properties: Members, faults: Fault[]): Times {
  const [datetime, start, end] = (['datetime', 'start_datetime', 'end_datetime'] as const).map((name) =>
    readMoment(properties[name], `properties.${name}`, faults),
  ) as [Date | null, Date | null, Date | null]
  // One end alone says as much as an instant.
  if (start === null || end === null) {
    return { datetime: datetime ?? start ?? end, start_datetime: null, end_datetime: null }
  }
  // Ends that were rounded to seconds can lie before their start by a fraction.
  const [start_datetime, end_datetime] = start <= end ? [start, end] : [end, start]
  return { datetime, start_datetime, end_datetime }
}

function linksOf(item: Document, self: string | null): StacLink[] {
  const kept = item.links
    .filter((link) => isText(link['rel']) && link['rel'] !== '' && !placing.has(link['rel']))
    .slice(0, limit_links)
    .flatMap((link): StacLink[] => {
      const href = linkAddress(link['href'], self)
      if (href === null) return []
      const { rel, type, title } = link
      return [{ rel: rel as string, href, ...(isText(type) ? { type } : {}), ...(isText(title) ? { title } : {}) }]
    })
  // Where the item was read: the source of what we say.
  const told = kept.some(({ rel, href }) => rel === 'via' && href === self)
  return self === null || told ? kept : [...kept, { rel: 'via', href: self, type: 'application/geo+json' }]
}

/** Members of an asset that columns hold. */
const ofColumns: ReadonlySet<string> = new Set(['href', 'type', 'title', 'roles'])

function assetsOf(item: Document, self: string | null, faults: Fault[]): Omit<AddedAsset, 'id'>[] {
  return Object.entries(item.assets).map(([key, asset]) => {
    const path = `assets.${key}`
    const href = fileAddress(asset['href'], self)
    if (key === '' || key.length > 200) faults.push({ path, message: 'has no key of 1 to 200 characters' })
    if (href === null) faults.push({ path: `${path}.href`, message: 'is no address of a file that may be kept' })
    const { type, title, roles } = asset
    const bands = asset['eo:bands']
    const names = Array.isArray(bands) ? bands.map((band: Members) => band['name']) : []
    return {
      key,
      title: isText(title) ? title.slice(0, 500) : null,
      blob_path: null,
      external_href: href ?? '',
      media_type: isText(type) && type !== '' ? type.slice(0, 200) : unknownType,
      roles: Array.isArray(roles) ? [...new Set(roles.filter(isText))] : [],
      file_size_bytes: null,
      checksum_sha256: null,
      raster: null,
      band_names: names.every(isText) ? names : [],
      stac: Object.fromEntries(Object.entries(asset).filter(([name]) => !ofColumns.has(name))),
    }
  })
}
