import { isDeepStrictEqual } from 'node:util'
import type { StacLink } from '@swath/contract/shapes/stac.ts'
import type { Fault } from '../../../engine/problem.ts'
import type { AddedAsset, AddedItem } from '../add-item.ts'
import { numberIn, readPlace, type Times } from '../description.ts'
import { unknownType } from '../stac-asset.ts'
import { droppedFrom, extensionsOf } from '../stac-extensions.ts'
import { isReserved } from '../stac-feature.ts'
import { heightsOf, sourceOrNull, sourceTimes, type SourceTime, type StacSource } from '../stac-source.ts'
import { fileAddress, isWholeLink, linkAddress } from './addresses.ts'
import { changes } from './changes.ts'
import { isObject, isText, scopesOf, type Document, type Members } from './document.ts'
import { fitFields } from './fields.ts'
import { fitCommon } from './fit-common.ts'
import { readGeometry } from './read-geometry.ts'
import { momentOf, readMoment, type Moment } from './read-moment.ts'

const limit_assets = 500
const limit_links = 200

/** A Feature parsed as an item to add, without the ids that the caller assigns. */
export type ReadFeature = Omit<AddedItem, 'id' | 'project_id' | 'collection_id' | 'type' | 'assets'> & {
  readonly stac_id: string
  /** The collection id in the Feature; an id of the source catalogue, which may be one of this platform. */
  readonly collection: string | null
  readonly assets: readonly Omit<AddedAsset, 'id'>[]
}

/** Relations of links to the source catalogue; replaced by links to this catalogue. */
const placing: ReadonlySet<string> = new Set(['self', 'root', 'parent', 'collection', 'items', 'item', 'child'])

/** Text properties that are stored in columns. */
const textColumns: ReadonlySet<string> = new Set(['title', 'description'])

/** Options of `parseStacItem`. */
export interface FeatureReading {
  /**
   * Keep the names of properties that violate an extension of ours, and do not declare the extension, so that the item is
   * returned as it was written. Otherwise they are moved to fallback names.
   */
  readonly verbatim?: boolean
}

/**
 * Parses a STAC Item of any version from 0.6 to 1.1 as one of 1.0.0. Errors are added to the list; the result is valid
 * only if there are none. Additional properties and unknown extensions are kept.
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
  const { times, texts } = readFeatureTimes(properties, faults)
  for (const members of scopesOf(item)) {
    if (!verbatim || members !== properties) fitFields(members)
    fitCommon(members)
  }
  keepDropped(item)
  const self = selfOf(item)
  const place = readPlace(readGeometry(feature['geometry'], feature['bbox']), null, faults)
  const stac_source = sourceOrNull({
    ...texts,
    ...heightsOf(place.geometry),
    ...boxOf(feature['bbox'], place.bbox),
    ...membersOf(feature),
  })
  const assets = assetsOf(item, self?.href ?? null, faults)
  const stac_id = textOf(feature['id'])
  if (!stac_id || stac_id.length > 500) faults.push({ path: 'id', message: 'is not a text of 1 to 500 characters' })
  return {
    ...place,
    ...times,
    stac_id: stac_id ?? '',
    collection: textOf(feature['collection']),
    name: textOf(properties['title']) ?? stac_id ?? '',
    description: textOf(properties['description'])?.slice(0, 10_000) ?? null,
    cloud_cover: numberIn(properties, 'eo:cloud_cover', [0, 100]),
    gsd: numberIn(properties, 'gsd', [0, Infinity]),
    properties: Object.fromEntries(
      Object.entries(properties).filter(([name]) => !textColumns.has(name) && !isReserved(name)),
    ),
    stac_source,
    stac_extensions: item.stac_extensions,
    links: linksOf(item, self),
    assets,
  }
}

/** Stores declared extensions that our Feature will not declare as a property. */
function keepDropped({ properties, assets, stac_extensions }: Document): void {
  const dropped = droppedFrom(stac_extensions, extensionsOf(stac_extensions, properties, assets))
  const before = properties['given_stac_extensions']
  if (dropped.length > 0) properties['given_stac_extensions'] = [...(Array.isArray(before) ? before : []), ...dropped]
}

const textOf = (value: unknown): string | null =>
  isText(value) && value.trim() !== '' ? value : typeof value === 'number' ? String(value) : null

/** A modifiable copy of the parts of the Feature. */
function documentOf(feature: Members, faults: Fault[]): Document | null {
  if (feature['type'] !== 'Feature') faults.push({ path: 'type', message: 'is not "Feature"' })
  const { properties, assets = {}, links = [], stac_extensions = [] } = feature
  if (!isObject(properties)) faults.push({ path: 'properties', message: 'is not an object' })
  if (!isObject(assets) || !Object.values(assets).every(isObject)) {
    faults.push({ path: 'assets', message: 'is not an object of asset objects' })
  } else if (Object.keys(assets).length > limit_assets) {
    faults.push({ path: 'assets', message: `has more than ${limit_assets} assets` })
  }
  if (Object.keys(links ?? {}).length > limit_links) {
    faults.push({ path: 'links', message: `has more than ${limit_links} links` })
  }
  if (faults.length > 0) return null
  // Until 0.6 `links` was an object keyed by relation.
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

/** The item's own self link, if it is an absolute URL. */
const selfOf = ({ links }: Document): StacLink | null =>
  (links.find((link) => link['rel'] === 'self' && isWholeLink(link['href'])) as StacLink | undefined) ?? null

interface FeatureTimes {
  readonly times: Times
  /** Original texts whose precision columns cannot store. */
  readonly texts: StacSource
}

/** Removes the times from the properties; an invalid `created` or `updated` is kept under a fallback name. */
function readFeatureTimes(properties: Members, faults: Fault[]): FeatureTimes {
  const moments = (['datetime', 'start_datetime', 'end_datetime'] as const).map((name) =>
    readMoment(properties[name], `properties.${name}`, faults),
  )
  const [datetime, start, end] = moments as [Moment | null, Moment | null, Moment | null]
  const record: StacSource = Object.fromEntries(
    (['created', 'updated'] as const).flatMap((name) => {
      const moment = momentOf(properties[name])
      if (!moment && isText(properties[name])) properties[`given_${name}`] = properties[name]
      return moment ? [[name, moment.text]] : []
    }),
  )
  for (const name of sourceTimes) delete properties[name]
  // A single end is treated as an instant, because STAC has no interval with one end.
  if (!start || !end) {
    if (datetime && (start ?? end))
      properties[start ? 'given_start_datetime' : 'given_end_datetime'] = (start ?? end)!.text
    const single = datetime ?? start ?? end
    const times = { datetime: single?.instant ?? null, start_datetime: null, end_datetime: null }
    return { times, texts: { ...record, ...longText('datetime', single) } }
  }
  // Rounding to seconds can move an end before its start by a fraction.
  const [first, last] = start.instant <= end.instant ? [start, end] : [end, start]
  const times = { datetime: datetime?.instant ?? null, start_datetime: first.instant, end_datetime: last.instant }
  const texts = [longText('datetime', datetime), longText('start_datetime', first), longText('end_datetime', last)]
  return { times, texts: Object.assign(record, ...texts) as StacSource }
}

/** The text of a time that is more precise than its column. */
const longText = (name: SourceTime, moment: Moment | null): StacSource =>
  moment && moment.text !== moment.instant.toISOString() ? { [name]: moment.text } : {}

/** The source bbox, if it is valid and differs from that of the geometry. */
function boxOf(given: unknown, own: readonly number[] | null): Pick<StacSource, 'bbox'> {
  const isBox =
    Array.isArray(given) &&
    [4, 6].includes(given.length) &&
    given.every((side, index) => {
      const axis = index % (given.length / 2)
      return Number.isFinite(side) && (axis > 1 || Math.abs(side as number) <= (axis === 0 ? 180 : 90))
    })
  return isBox && !isDeepStrictEqual(given, own) ? { bbox: given as number[] } : {}
}

/** Members of a STAC Item in any version. */
const ofItems: ReadonlySet<string> = new Set([
  'type',
  'stac_version',
  'stac_extensions',
  'id',
  'collection',
  'geometry',
  'bbox',
  'properties',
  'assets',
  'links',
])

/** Foreign members, which STAC does not define. */
function membersOf(feature: Members): Pick<StacSource, 'members'> {
  const members = Object.entries(feature).filter(([name]) => !ofItems.has(name))
  return members.length > 0 ? { members: Object.fromEntries(members) } : {}
}

/** Adds `given_collection` with the collection of the source catalogue, if the item is added to another one or none. */
export function keepCollection(read: ReadFeature, collection_id: string | null): ReadFeature {
  const { collection, properties } = read
  if (collection === null || collection.toLowerCase() === collection_id) return read
  return { ...read, properties: { ...properties, given_collection: collection } }
}

function linksOf(item: Document, self: StacLink | null): StacLink[] {
  const kept = item.links
    .filter((link) => isText(link['rel']) && link['rel'] !== '' && !placing.has(link['rel']))
    .flatMap((link): StacLink[] => {
      const href = linkAddress(link['href'], self?.href ?? null)
      if (href === null) return []
      // Additional members, such as `method` or those of extensions, are kept.
      const { rel, type, title, ...rest } = link
      return [
        { ...rest, ...(isText(type) ? { type } : {}), ...(isText(title) ? { title } : {}), rel: rel as string, href },
      ]
    })
  // A `via` link to the source of the item.
  const told = kept.some(({ rel, href }) => rel === 'via' && href === self?.href)
  return self === null || told ? kept : [...kept, { type: 'application/geo+json', ...self, rel: 'via' }]
}

const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

/** The error message for an invalid asset href. */
const hrefFault = (key: string, href: unknown): string =>
  href === undefined || href === null || href === ''
    ? `is missing: the asset "${key.slice(0, 200)}" does not say where its file is`
    : `is not a URL from which the asset "${key.slice(0, 200)}" may be fetched`

/** Asset members that are stored in columns. */
const ofColumns: ReadonlySet<string> = new Set(['href', 'type', 'title', 'roles'])

function assetsOf(item: Document, self: string | null, faults: Fault[]): Omit<AddedAsset, 'id'>[] {
  return Object.entries(item.assets).map(([key, asset]) => {
    const path = `assets.${key}`
    const href = fileAddress(asset['href'], self)
    if (key === '' || key.length > 200) faults.push({ path, message: 'has no key of 1 to 200 characters' })
    if (href === null) faults.push({ path: `${path}.href`, message: hrefFault(key, asset['href']) })
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
      stac: {
        ...Object.fromEntries(Object.entries(asset).filter(([name]) => !ofColumns.has(name))),
        // Explicit values that equal the defaults of the columns.
        ...(type === unknownType ? { type } : {}),
        ...(Array.isArray(roles) && roles.length === 0 ? { roles } : {}),
        ...(type === undefined || type === null || isText(type) ? {} : { given_type: type }),
        ...(roles === undefined || roles === null || isTextList(roles) ? {} : { given_roles: roles }),
      },
    }
  })
}
