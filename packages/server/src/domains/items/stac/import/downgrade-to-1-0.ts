import {
  isObject,
  isString,
  renameJsonMember,
  listExtensionFieldScopes,
  type ItemDocument,
  type JsonObject,
} from './document.ts'

/** Band members of 1.1 that become members of `eo:bands` in 1.0.0. */
const eoBandFields: Readonly<Record<string, string>> = {
  name: 'name',
  description: 'description',
  'eo:common_name': 'common_name',
  'eo:center_wavelength': 'center_wavelength',
  'eo:full_width_half_max': 'full_width_half_max',
  'eo:solar_illumination': 'solar_illumination',
}

const rasterBandFields: Readonly<Record<string, string>> = {
  data_type: 'data_type',
  nodata: 'nodata',
  unit: 'unit',
  statistics: 'statistics',
  'raster:bits_per_sample': 'bits_per_sample',
  'raster:sampling': 'sampling',
  'raster:scale': 'scale',
  'raster:offset': 'offset',
  'raster:spatial_resolution': 'spatial_resolution',
  'raster:histogram': 'histogram',
}

const pickRenamed = (members: JsonObject, names: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(
    Object.entries(names).flatMap(([from, to]) => (Object.hasOwn(members, from) ? [[to, members[from]]] : [])),
  )

const omitFields = (members: JsonObject, ...excluded: Readonly<Record<string, string>>[]): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !excluded.some((names) => Object.hasOwn(names, name))))

/** Takes band fields that 1.1 allows next to the array, shared by all bands. */
function takeSharedFields(members: JsonObject, isAsset: boolean): { eo: JsonObject; raster: JsonObject } {
  const { name: _, description: __, ...eoNames } = eoBandFields
  const rasterNames = isAsset ? rasterBandFields : {}
  const eo = pickRenamed(members, eoNames)
  const raster = pickRenamed(members, rasterNames)
  for (const name of [...Object.keys(eoNames), ...Object.keys(rasterNames)]) delete members[name]
  return { eo, raster }
}

function downgradeBandsOf(members: JsonObject, isAsset: boolean): void {
  const { bands } = members
  const sharedFields = takeSharedFields(members, isAsset)
  const hasBands = Array.isArray(bands) && bands.length > 0 && bands.every(isObject)
  const list: JsonObject[] = hasBands ? (bands as JsonObject[]) : [{}]
  // Fields without an equivalent in 1.0.0 stay in the `eo:bands` object.
  const eo = list.map((band) => ({
    ...sharedFields.eo,
    ...pickRenamed(band, eoBandFields),
    ...omitFields(band, eoBandFields, isAsset ? rasterBandFields : {}),
  }))
  const raster = list.map((band) => ({ ...sharedFields.raster, ...pickRenamed(band, rasterBandFields) }))
  const hasFields = (objects: readonly JsonObject[]): boolean => objects.some((band) => Object.keys(band).length > 0)
  if (hasFields(eo) && !Object.hasOwn(members, 'eo:bands')) members['eo:bands'] = eo
  // `raster:bands` is allowed on assets only, and its objects must not be empty.
  if (hasFields(raster) && isAsset && !Object.hasOwn(members, 'raster:bands')) {
    members['raster:bands'] = raster.map((band) => (Object.keys(band).length > 0 ? band : { data_type: 'other' }))
  }
  if (hasBands) delete members['bands']
}

/** Converts `bands` of 1.1 to `eo:bands` and `raster:bands`; band fields next to the array apply to every band. */
export function downgradeBands(item: ItemDocument): void {
  const hasBandFields = listExtensionFieldScopes(item).some(
    (members) => Object.hasOwn(members, 'bands') || hasSharedBandFields(members),
  )
  if (!hasBandFields) return
  downgradeBandsOf(item.properties, false)
  for (const asset of Object.values(item.assets)) downgradeBandsOf(asset, true)
  // If assets have `eo:bands`, the item may not: its bands are kept under a fallback name.
  if (Object.values(item.assets).some((asset) => Object.hasOwn(asset, 'eo:bands'))) {
    renameJsonMember(item.properties, 'eo:bands', 'eo_bands')
  }
}

/** True if prefixed band fields or `data_type` occur; other names without a prefix may mean something else. */
const hasSharedBandFields = (members: JsonObject): boolean =>
  [...Object.keys(eoBandFields), ...Object.keys(rasterBandFields)].some(
    (name) => name.includes(':') && Object.hasOwn(members, name),
  ) ||
  (Object.hasOwn(members, 'data_type') && isString(members['data_type']))
