import { lowerBands, lowerCode } from './lower.ts'
import { isObject, isText, rename, scopesOf, type Document, type Members } from './document.ts'
import { nameExtensions } from './name-extensions.ts'

/** A change between a STAC version and 1.0.0, and how an item is migrated. */
export interface Change {
  /** The version that introduced the change. */
  readonly since: string
  /** The entry of its changelog. */
  readonly says: string
  apply(item: Document): void
}

/** A migration that renames properties. */
const renamed = (since: string, says: string, names: Readonly<Record<string, string>>): Change => ({
  since,
  says,
  apply: (item) => {
    for (const [from, to] of Object.entries(names)) rename(item.properties, from, to)
  },
})

const inAll =
  (change: (members: Members) => void) =>
  (item: Document): void =>
    scopesOf(item).forEach(change)

const asList = (value: unknown): unknown => (isText(value) ? [value] : value)

const mediaTypes: Readonly<Record<string, string>> = {
  'image/vnd.stac.geotiff': 'image/tiff; application=geotiff',
  'image/vnd.stac.geotiff; cloud-optimized=true': 'image/tiff; application=geotiff; profile=cloud-optimized',
}

/** Band fields of file extension 1.0, by their names in the raster extension. */
const ofFile = { 'file:data_type': 'data_type', 'file:nodata': 'nodata', 'file:unit': 'unit' } as const

function moveFileFields(asset: Members): void {
  const band: Members = {}
  for (const [from, to] of Object.entries(ofFile)) {
    if (!Object.hasOwn(asset, from)) continue
    const value = asset[from]
    band[to] = Array.isArray(value) ? value[0] : value
    delete asset[from]
  }
  rename(asset, 'file:bits_per_sample', 'given_bits_per_sample')
  if (Object.keys(band).length > 0 && !Object.hasOwn(asset, 'raster:bands')) asset['raster:bands'] = [band]
}

/** Until 0.9 assets referred to the bands of the item by index. */
function resolveBands(item: Document): void {
  const bands = item.properties['eo:bands']
  const named = new Set<unknown>()
  for (const asset of Object.values(item.assets)) {
    const places = asset['eo:bands']
    if (!Array.isArray(places) || places.length === 0) continue
    for (const place of places) named.add(place)
    if (!Array.isArray(bands) || !places.every((place) => Number.isInteger(place))) continue
    const found = places.map((place) => bands[place as number] as unknown)
    if (found.every(isObject)) asset['eo:bands'] = found
    else delete asset['eo:bands']
  }
  if (named.size === 0) return
  // If assets have `eo:bands`, the item may not; bands not moved to assets are kept under a fallback name.
  const isMoved = Array.isArray(bands) && bands.every((_, place) => named.has(place))
  if (isMoved) delete item.properties['eo:bands']
  else rename(item.properties, 'eo:bands', 'eo_bands')
}

/**
 * Migrations of an item of any version to 1.0.0, in this order. They check the fields and not the declared version,
 * because many items declare another version than they are written in.
 */
export const changes: readonly Change[] = [
  {
    since: '0.6.0',
    says: 'Fields changed names: `name` to `title` and `mime_type` to `type`.',
    apply: (item) => {
      for (const asset of Object.values(item.assets)) {
        if (!Object.hasOwn(asset, 'title')) rename(asset, 'name', 'title')
        rename(asset, 'mime_type', 'type')
      }
    },
  },
  renamed('0.8.0', 'Moved Single Item Extension to core (`license` and `providers` properties for Items).', {
    'item:license': 'license',
    'item:providers': 'providers',
  }),
  {
    since: '0.8.0',
    says: 'Changed GeoTIFF media type from `image/vnd.stac.geotiff` to `image/tiff; application=geotiff`.',
    apply: (item) => {
      for (const members of [...Object.values(item.assets), ...item.links]) {
        const type = members['type']
        if (isText(type) && Object.hasOwn(mediaTypes, type)) members['type'] = mediaTypes[type]
      }
    },
  },
  renamed('0.9.0', '`dtr:start_datetime` => `start_datetime`, `eo:platform` / `sar:platform` => `platform`', {
    'dtr:start_datetime': 'start_datetime',
    'dtr:end_datetime': 'end_datetime',
    'eo:platform': 'platform',
    'sar:platform': 'platform',
    'eo:constellation': 'constellation',
    'sar:constellation': 'constellation',
    'eo:instrument': 'instruments',
    'sar:instrument': 'instruments',
    'sar:type': 'sar:product_type',
    'sar:polarization': 'sar:polarizations',
  }),
  {
    since: '0.9.0',
    says: '`eo:instrument` / `sar:instrument` => `instruments`, also changed from string to array of strings',
    apply: (item) => {
      if (Object.hasOwn(item.properties, 'instruments')) {
        item.properties['instruments'] = asList(item.properties['instruments'])
      }
    },
  },
  renamed('0.9.0', 'Moved angle definitions from extensions `eo` and new `view` extension', {
    'eo:off_nadir': 'view:off_nadir',
    'eo:azimuth': 'view:azimuth',
    'eo:incidence_angle': 'view:incidence_angle',
    'eo:sun_azimuth': 'view:sun_azimuth',
    'eo:sun_elevation': 'view:sun_elevation',
  }),
  renamed('0.9.0', 'Removed from EO extension field `eo:epsg` in favor of `proj:epsg`', { 'eo:epsg': 'proj:epsg' }),
  renamed('1.0.0-beta.1', 'Moved `eo:gsd` from `eo` extension to core `gsd` field in Item common metadata', {
    'eo:gsd': 'gsd',
  }),
  {
    since: '1.0.0-beta.1',
    says: 'Added the ability to define Item properties under Assets',
    apply: resolveBands,
  },
  {
    since: '1.0.0-rc.1',
    says: 'Checksum extension (field `checksum:multihash`). Use File Info extension (field `file:checksum`) instead',
    apply: inAll((members) => rename(members, 'checksum:multihash', 'file:checksum')),
  },
  {
    since: 'file 2.0.0',
    says: 'Removed `file:bits_per_sample`, `file:data_type`, `file:nodata` and `file:unit`; use the raster extension.',
    apply: (item) => Object.values(item.assets).forEach(moveFileFields),
  },
  {
    since: '1.0.0-rc.2',
    says: "The concept of the 'named shortcut' also goes away entirely.",
    apply: nameExtensions,
  },
  {
    since: '1.1.0',
    says: 'The `bands` array in assets and properties replaces `eo:bands` and `raster:bands`.',
    apply: lowerBands,
  },
  {
    since: 'projection 2.0.0',
    says: 'The field `proj:epsg` was replaced by `proj:code`.',
    apply: inAll(lowerCode),
  },
  {
    since: '1.1.0',
    says: '`license`: the values `proprietary` and `various` are deprecated in favor of SPDX expressions and `other`.',
    apply: (item) => {
      if (item.properties['license'] === 'other') item.properties['license'] = 'proprietary'
    },
  },
]
