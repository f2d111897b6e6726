import { storeProjectionCode } from '../projection-code.ts'
import { downgradeBands } from './downgrade-to-1-0.ts'
import {
  isObject,
  isString,
  renameJsonMember,
  listExtensionFieldScopes,
  type ItemDocument,
  type JsonObject,
} from './document.ts'
import { normalizeExtensionUrls } from './normalize-extension-urls.ts'

/** A change between a STAC version and 1.0.0, and how an item is migrated. */
export interface StacVersionMigration {
  /** The version that introduced the change. */
  readonly since: string
  /** The entry of its changelog. */
  readonly changelog: string
  apply(item: ItemDocument): void
}

/** A migration that renames properties. */
const renameProperties = (
  since: string,
  changelog: string,
  names: Readonly<Record<string, string>>,
): StacVersionMigration => ({
  since,
  changelog,
  apply: (item) => {
    for (const [from, to] of Object.entries(names)) renameJsonMember(item.properties, from, to)
  },
})

const inAllScopes =
  (migrate: (members: JsonObject) => void) =>
  (item: ItemDocument): void =>
    listExtensionFieldScopes(item).forEach(migrate)

const toArray = (value: unknown): unknown => (isString(value) ? [value] : value)

const mediaTypes: Readonly<Record<string, string>> = {
  'image/vnd.stac.geotiff': 'image/tiff; application=geotiff',
  'image/vnd.stac.geotiff; cloud-optimized=true': 'image/tiff; application=geotiff; profile=cloud-optimized',
}

/** Band fields of file extension 1.0, by their names in the raster extension. */
const fileBandFields = { 'file:data_type': 'data_type', 'file:nodata': 'nodata', 'file:unit': 'unit' } as const

function moveFileFields(asset: JsonObject): void {
  const band: JsonObject = {}
  for (const [from, to] of Object.entries(fileBandFields)) {
    if (!Object.hasOwn(asset, from)) continue
    const value = asset[from]
    band[to] = Array.isArray(value) ? value[0] : value
    delete asset[from]
  }
  renameJsonMember(asset, 'file:bits_per_sample', 'given_bits_per_sample')
  if (Object.keys(band).length > 0 && !Object.hasOwn(asset, 'raster:bands')) asset['raster:bands'] = [band]
}

/** Until 0.9 assets referred to the bands of the item by index. */
function resolveBands(item: ItemDocument): void {
  const bands = item.properties['eo:bands']
  const referenced = new Set<unknown>()
  for (const asset of Object.values(item.assets)) {
    const bandIndexes = asset['eo:bands']
    if (!Array.isArray(bandIndexes) || bandIndexes.length === 0) continue
    for (const bandIndex of bandIndexes) referenced.add(bandIndex)
    if (!Array.isArray(bands) || !bandIndexes.every((bandIndex) => Number.isInteger(bandIndex))) continue
    const bandObjects = bandIndexes.map((bandIndex) => bands[bandIndex as number] as unknown)
    if (bandObjects.every(isObject)) asset['eo:bands'] = bandObjects
    else delete asset['eo:bands']
  }
  if (referenced.size === 0) return
  // If assets have `eo:bands`, the item may not; bands not moved to assets are kept under a fallback name.
  const isMoved = Array.isArray(bands) && bands.every((_, bandIndex) => referenced.has(bandIndex))
  if (isMoved) delete item.properties['eo:bands']
  else renameJsonMember(item.properties, 'eo:bands', 'eo_bands')
}

/**
 * Migrations of an item of any version to 1.0.0, in this order. They check the fields and not the declared version,
 * because many items declare another version than they are written in.
 */
export const stacVersionMigrations: readonly StacVersionMigration[] = [
  {
    since: '0.6.0',
    changelog: 'Fields changed names: `name` to `title` and `mime_type` to `type`.',
    apply: (item) => {
      for (const asset of Object.values(item.assets)) {
        if (!Object.hasOwn(asset, 'title')) renameJsonMember(asset, 'name', 'title')
        renameJsonMember(asset, 'mime_type', 'type')
      }
    },
  },
  renameProperties('0.8.0', 'Moved Single Item Extension to core (`license` and `providers` properties for Items).', {
    'item:license': 'license',
    'item:providers': 'providers',
  }),
  {
    since: '0.8.0',
    changelog: 'Changed GeoTIFF media type from `image/vnd.stac.geotiff` to `image/tiff; application=geotiff`.',
    apply: (item) => {
      for (const members of [...Object.values(item.assets), ...item.links]) {
        const type = members['type']
        if (isString(type) && Object.hasOwn(mediaTypes, type)) members['type'] = mediaTypes[type]
      }
    },
  },
  renameProperties('0.9.0', '`dtr:start_datetime` => `start_datetime`, `eo:platform` / `sar:platform` => `platform`', {
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
    changelog: '`eo:instrument` / `sar:instrument` => `instruments`, also changed from string to array of strings',
    apply: (item) => {
      if (Object.hasOwn(item.properties, 'instruments')) {
        item.properties['instruments'] = toArray(item.properties['instruments'])
      }
    },
  },
  renameProperties('0.9.0', 'Moved angle definitions from extensions `eo` and new `view` extension', {
    'eo:off_nadir': 'view:off_nadir',
    'eo:azimuth': 'view:azimuth',
    'eo:incidence_angle': 'view:incidence_angle',
    'eo:sun_azimuth': 'view:sun_azimuth',
    'eo:sun_elevation': 'view:sun_elevation',
  }),
  renameProperties('0.9.0', 'Removed from EO extension field `eo:epsg` in favor of `proj:epsg`', {
    'eo:epsg': 'proj:epsg',
  }),
  renameProperties('1.0.0-beta.1', 'Moved `eo:gsd` from `eo` extension to core `gsd` field in Item common metadata', {
    'eo:gsd': 'gsd',
  }),
  {
    since: '1.0.0-beta.1',
    changelog: 'Added the ability to define Item properties under Assets',
    apply: resolveBands,
  },
  {
    since: '1.0.0-rc.1',
    changelog:
      'Checksum extension (field `checksum:multihash`). Use File Info extension (field `file:checksum`) instead',
    apply: inAllScopes((members) => renameJsonMember(members, 'checksum:multihash', 'file:checksum')),
  },
  {
    since: 'file 2.0.0',
    changelog:
      'Removed `file:bits_per_sample`, `file:data_type`, `file:nodata` and `file:unit`; use the raster extension.',
    apply: (item) => Object.values(item.assets).forEach(moveFileFields),
  },
  {
    since: '1.0.0-rc.2',
    changelog: "The concept of the 'named shortcut' also goes away entirely.",
    apply: normalizeExtensionUrls,
  },
  {
    since: '1.1.0',
    changelog: 'The `bands` array in assets and properties replaces `eo:bands` and `raster:bands`.',
    apply: downgradeBands,
  },
  {
    since: 'projection 2.0.0',
    changelog: 'The field `proj:epsg` was replaced by `proj:code`.',
    apply: inAllScopes(storeProjectionCode),
  },
  {
    since: '1.1.0',
    changelog:
      '`license`: the values `proprietary` and `various` are deprecated in favor of SPDX expressions and `other`.',
    apply: (item) => {
      if (item.properties['license'] === 'other') item.properties['license'] = 'proprietary'
    },
  },
]
