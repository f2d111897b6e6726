import { isDeepStrictEqual } from 'node:util'
import type { GeometryRepairBudget } from '@swath/geo/repair-cost.ts'
import type { StacLink } from '@swath/contract/schemas/stac.ts'
import type { FieldError } from '../../../../engine/problem.ts'
import type { AssetToAdd, ItemToAdd } from '../../add-item.ts'
import { createGeometryBudget } from '../../geometry.ts'
import { readNumberProperty, parseItemGeometry, type ItemTimes } from '../../item-input.ts'
import { defaultMediaType } from '../stac-asset.ts'
import { findDroppedExtensions, resolveStacExtensions } from '../stac-extensions.ts'
import { isReservedProperty } from '../stac-feature.ts'
import {
  toSourceGeometry,
  compactStacSource,
  sourceTimeNames,
  type SourceTimeName,
  type ItemFeatureExtraMembers,
} from '../stac-source.ts'
import type { IsInternalUrl } from '../../../../platform/integrations/integrations.ts'
import { resolveAssetHref, isAbsoluteLink, resolveLinkHref } from './hrefs.ts'
import { stacVersionMigrations } from './version-migrations.ts'
import { isObject, isString, listExtensionFieldScopes, type ItemDocument, type JsonObject } from './document.ts'
import { normalizeExtensionFields } from './normalize-extension-fields.ts'
import { normalizeCommonMetadata } from './normalize-common-metadata.ts'
import { normalizeFeatureGeometry } from './normalize-feature-geometry.ts'
import { parseFeatureTimestamp, parseFeatureTimestampAt, type FeatureTimestamp } from './parse-datetime.ts'

const max_assets = 500
const max_links = 200

/** A Feature parsed as an item to add, without the ids that the caller assigns. */
export type ParsedStacItem = Omit<ItemToAdd, 'id' | 'project_id' | 'collection_id' | 'type' | 'assets'> & {
  readonly stac_id: string
  /** The collection id in the Feature; an id of the source catalogue, which may be one of this platform. */
  readonly collection: string | null
  readonly assets: readonly Omit<AssetToAdd, 'id'>[]
}

/** Relations of links to the source catalogue; replaced by links to this catalogue. */
const catalogRelations: ReadonlySet<string> = new Set([
  'self',
  'root',
  'parent',
  'collection',
  'items',
  'item',
  'child',
])

/** Text properties that are stored in columns. */
const textColumns: ReadonlySet<string> = new Set(['title', 'description'])

/** Options of `parseStacItem`. */
export interface ParseStacItemOptions {
  /** Hrefs for which it is true are refused in assets, and dropped with their links. */
  readonly isInternalUrl: IsInternalUrl
  /**
   * Keep the names of properties that violate an extension that the platform writes, and do not declare the extension,
   * so that the item is returned as it was written. Otherwise they are moved to fallback names.
   */
  readonly verbatim?: boolean
  /** The budget for making geometries valid, shared by the Features of one call. */
  readonly budget?: GeometryRepairBudget
}

/**
 * Parses a STAC Item of any version from 0.6 to 1.1 as one of 1.0.0. Errors are added to the list; the result is valid
 * only if there are none. Additional properties and unknown extensions are kept.
 */
export function parseStacItem(
  feature: JsonObject,
  errors: FieldError[],
  { isInternalUrl, verbatim = false, budget = createGeometryBudget() }: ParseStacItemOptions,
): ParsedStacItem | null {
  const item = toItemDocument(feature, errors)
  if (!item || errors.length > 0) return null
  for (const change of stacVersionMigrations) change.apply(item)
  const { properties } = item
  const { times, texts } = takeFeatureTimes(properties, errors)
  // STAC 1.0 asks for a time or an interval; catalogues of others leave both out, and their items have no time here.
  if (verbatim && times.datetime === null && times.start_datetime === null && errors.length === 0)
    errors.push({
      path: 'properties.datetime',
      message: 'is missing, and so is an interval of start_datetime and end_datetime',
    })
  for (const members of listExtensionFieldScopes(item)) {
    if (!verbatim || members !== properties) normalizeExtensionFields(members)
    normalizeCommonMetadata(members)
  }
  recordDroppedExtensions(item)
  const self = findSelfLink(item, isInternalUrl)
  const geometry = normalizeFeatureGeometry(feature['geometry'], feature['bbox'])
  const itemGeometry = parseItemGeometry(geometry, null, errors, budget)
  const stac_source = compactStacSource({
    ...texts,
    ...toSourceGeometry(itemGeometry.geometry),
    ...sourceBbox(feature['bbox'], itemGeometry.bbox),
    ...foreignMembers(feature),
  })
  const assets = toAssets(item, { self: self?.href ?? null, isInternalUrl }, errors)
  const stac_id = textOf(feature['id'])
  if (!stac_id || stac_id.length > 500) errors.push({ path: 'id', message: 'is not a text of 1 to 500 characters' })
  return {
    ...itemGeometry,
    ...times,
    stac_id: stac_id ?? '',
    collection: textOf(feature['collection']),
    name: textOf(properties['title']) ?? stac_id ?? '',
    description: textOf(properties['description'])?.slice(0, 10_000) ?? null,
    cloud_cover: readNumberProperty(properties, 'eo:cloud_cover', [0, 100]),
    gsd: readNumberProperty(properties, 'gsd', [0, Infinity]),
    properties: Object.fromEntries(
      Object.entries(properties).filter(([name]) => !textColumns.has(name) && !isReservedProperty(name)),
    ),
    stac_source,
    stac_extensions: item.stac_extensions,
    links: toLinks(item, self, isInternalUrl),
    assets,
  }
}

/** Stores declared extensions that our Feature will not declare as a property. */
function recordDroppedExtensions({ properties, assets, stac_extensions }: ItemDocument): void {
  const dropped = findDroppedExtensions(stac_extensions, resolveStacExtensions(stac_extensions, properties, assets))
  const before = properties['given_stac_extensions']
  if (dropped.length > 0) properties['given_stac_extensions'] = [...(Array.isArray(before) ? before : []), ...dropped]
}

const textOf = (value: unknown): string | null =>
  isString(value) && value.trim() !== '' ? value : typeof value === 'number' ? String(value) : null

/** A modifiable copy of the parts of the Feature. */
function toItemDocument(feature: JsonObject, errors: FieldError[]): ItemDocument | null {
  if (feature['type'] !== 'Feature') errors.push({ path: 'type', message: 'is not "Feature"' })
  const { properties, assets = {}, links = [], stac_extensions = [] } = feature
  if (!isObject(properties)) errors.push({ path: 'properties', message: 'is not an object' })
  if (!isObject(assets) || !Object.values(assets).every(isObject)) {
    errors.push({ path: 'assets', message: 'is not an object of asset objects' })
  } else if (Object.keys(assets).length > max_assets) {
    errors.push({ path: 'assets', message: `has more than ${max_assets} assets` })
  }
  if (Object.keys(links ?? {}).length > max_links) {
    errors.push({ path: 'links', message: `has more than ${max_links} links` })
  }
  if (errors.length > 0) return null
  // Until 0.6 `links` was an object keyed by relation.
  const list = Array.isArray(links) ? links : isObject(links) ? Object.values(links) : []
  return {
    properties: { ...(properties as JsonObject) },
    assets: Object.fromEntries(
      Object.entries(assets as Record<string, JsonObject>).map(([key, asset]) => [key, { ...asset }]),
    ),
    links: list.filter(isObject).map((link) => ({ ...link })),
    stac_extensions: Array.isArray(stac_extensions) ? stac_extensions.filter(isString) : [],
  }
}

/** The item's own self link, if it is an absolute URL. */
const findSelfLink = ({ links }: ItemDocument, isInternalUrl: IsInternalUrl): StacLink | null =>
  (links.find((link) => link['rel'] === 'self' && isAbsoluteLink(link['href'], isInternalUrl)) as
    | StacLink
    | undefined) ?? null

interface FeatureTimes {
  readonly times: ItemTimes
  /** Original texts whose precision columns cannot store. */
  readonly texts: ItemFeatureExtraMembers
}

/** Removes the times from the properties; an invalid `created` or `updated` is kept under a fallback name. */
function takeFeatureTimes(properties: JsonObject, errors: FieldError[]): FeatureTimes {
  const parsedTimes = (['datetime', 'start_datetime', 'end_datetime'] as const).map((name) =>
    parseFeatureTimestampAt(properties[name], `properties.${name}`, errors),
  )
  const [datetime, start, end] = parsedTimes as [
    FeatureTimestamp | null,
    FeatureTimestamp | null,
    FeatureTimestamp | null,
  ]
  const recordTimes: ItemFeatureExtraMembers = Object.fromEntries(
    (['created', 'updated'] as const).flatMap((name) => {
      const moment = parseFeatureTimestamp(properties[name])
      if (!moment && isString(properties[name])) properties[`given_${name}`] = properties[name]
      return moment ? [[name, moment.text]] : []
    }),
  )
  for (const name of sourceTimeNames) delete properties[name]
  // A single end is treated as an instant, because STAC has no interval with one end.
  if (!start || !end) {
    if (datetime && (start ?? end))
      properties[start ? 'given_start_datetime' : 'given_end_datetime'] = (start ?? end)!.text
    const instant = datetime ?? start ?? end
    const times = { datetime: instant?.instant ?? null, start_datetime: null, end_datetime: null }
    return { times, texts: { ...recordTimes, ...sourceText('datetime', instant) } }
  }
  // Rounding to seconds can move an end before its start by a fraction.
  const [first, last] = start.instant <= end.instant ? [start, end] : [end, start]
  const times = { datetime: datetime?.instant ?? null, start_datetime: first.instant, end_datetime: last.instant }
  const texts = [
    sourceText('datetime', datetime),
    sourceText('start_datetime', first),
    sourceText('end_datetime', last),
  ]
  return { times, texts: Object.assign(recordTimes, ...texts) as ItemFeatureExtraMembers }
}

/** The text of a time that is more precise than its column. */
const sourceText = (name: SourceTimeName, moment: FeatureTimestamp | null): ItemFeatureExtraMembers =>
  moment && moment.text !== moment.instant.toISOString() ? { [name]: moment.text } : {}

/** The source bbox, if it is valid and differs from that of the geometry. */
function sourceBbox(bbox: unknown, geometryBbox: readonly number[] | null): Pick<ItemFeatureExtraMembers, 'bbox'> {
  const isBox =
    Array.isArray(bbox) &&
    [4, 6].includes(bbox.length) &&
    bbox.every((side, index) => {
      const axis = index % (bbox.length / 2)
      return Number.isFinite(side) && (axis > 1 || Math.abs(side as number) <= (axis === 0 ? 180 : 90))
    })
  return isBox && !isDeepStrictEqual(bbox, geometryBbox) ? { bbox: bbox as number[] } : {}
}

/** Members of a STAC Item in any version. */
const itemMembers: ReadonlySet<string> = new Set([
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
function foreignMembers(feature: JsonObject): Pick<ItemFeatureExtraMembers, 'members'> {
  const members = Object.entries(feature).filter(([name]) => !itemMembers.has(name))
  return members.length > 0 ? { members: Object.fromEntries(members) } : {}
}

/** Adds `given_collection` with the collection of the source catalogue, if the item is added to another one or none. */
export function recordSourceCollection(parsed: ParsedStacItem, collection_id: string): ParsedStacItem {
  const { collection, properties } = parsed
  if (collection === null || collection.toLowerCase() === collection_id) return parsed
  return { ...parsed, properties: { ...properties, given_collection: collection } }
}

function toLinks(item: ItemDocument, self: StacLink | null, isInternalUrl: IsInternalUrl): StacLink[] {
  const links = item.links
    .filter((link) => isString(link['rel']) && link['rel'] !== '' && !catalogRelations.has(link['rel']))
    .flatMap((link): StacLink[] => {
      const href = resolveLinkHref(link['href'], self?.href ?? null, isInternalUrl)
      if (href === null) return []
      // Additional members, such as `method` or those of extensions, are kept.
      const { rel, type, title, ...rest } = link
      return [
        {
          ...rest,
          ...(isString(type) ? { type } : {}),
          ...(isString(title) ? { title } : {}),
          rel: rel as string,
          href,
        },
      ]
    })
  // A `via` link to the source of the item.
  const hasViaLink = links.some(({ rel, href }) => rel === 'via' && href === self?.href)
  return self === null || hasViaLink ? links : [...links, { type: 'application/geo+json', ...self, rel: 'via' }]
}

const isStringList = (value: unknown): boolean => Array.isArray(value) && value.every(isString)

/** The error message for an invalid asset href. */
const hrefError = (key: string, href: unknown): string =>
  href === undefined || href === null || href === ''
    ? `is missing: the asset "${key.slice(0, 200)}" does not say where its file is`
    : `is not a URL from which the asset "${key.slice(0, 200)}" may be fetched`

/** Asset members that are stored in columns. */
const columnMembers: ReadonlySet<string> = new Set(['href', 'type', 'title', 'roles'])

function toAssets(
  item: ItemDocument,
  { self, isInternalUrl }: { readonly self: string | null; readonly isInternalUrl: IsInternalUrl },
  errors: FieldError[],
): Omit<AssetToAdd, 'id'>[] {
  return Object.entries(item.assets).map(([key, asset]) => {
    const path = `assets.${key}`
    const href = resolveAssetHref(asset['href'], self, isInternalUrl)
    if (key === '' || key.length > 200) errors.push({ path, message: 'has no key of 1 to 200 characters' })
    if (href === null) errors.push({ path: `${path}.href`, message: hrefError(key, asset['href']) })
    const { type, title, roles } = asset
    const bands = asset['eo:bands']
    const names = Array.isArray(bands) ? bands.map((band: JsonObject) => band['name']) : []
    return {
      key,
      title: isString(title) ? title.slice(0, 500) : null,
      blob_path: null,
      external_href: href ?? '',
      media_type: isString(type) && type !== '' ? type.slice(0, 200) : defaultMediaType,
      roles: Array.isArray(roles) ? [...new Set(roles.filter(isString))] : [],
      file_size_bytes: null,
      checksum_sha256: null,
      raster: null,
      band_names: names.every(isString) ? names : [],
      stac: {
        ...Object.fromEntries(Object.entries(asset).filter(([name]) => !columnMembers.has(name))),
        // Explicit values that equal the defaults of the columns.
        ...(type === defaultMediaType ? { type } : {}),
        ...(Array.isArray(roles) && roles.length === 0 ? { roles } : {}),
        ...(type === undefined || type === null || isString(type) ? {} : { given_type: type }),
        ...(roles === undefined || roles === null || isStringList(roles) ? {} : { given_roles: roles }),
      },
    }
  })
}
