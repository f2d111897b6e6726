import { isObject, isText, rename, scopesOf, type Document, type Members } from './document.ts'

/** Members of a band of 1.1 by the band object of 1.0.0 that says them. */
const ofEo: Readonly<Record<string, string>> = {
  name: 'name',
  description: 'description',
  'eo:common_name': 'common_name',
  'eo:center_wavelength': 'center_wavelength',
  'eo:full_width_half_max': 'full_width_half_max',
  'eo:solar_illumination': 'solar_illumination',
}

const ofRaster: Readonly<Record<string, string>> = {
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

const pick = (members: Members, names: Readonly<Record<string, string>>): Members =>
  Object.fromEntries(
    Object.entries(names).flatMap(([from, to]) => (Object.hasOwn(members, from) ? [[to, members[from]]] : [])),
  )

const without = (members: Members, ...taken: Readonly<Record<string, string>>[]): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !taken.some((names) => Object.hasOwn(names, name))))

/** Fields of one band that 1.1 lets stand beside the array, for all bands at once. */
function shared(members: Members, isAsset: boolean): { eo: Members; raster: Members } {
  const { name: _, description: __, ...eoNames } = ofEo
  const rasterNames = isAsset ? ofRaster : {}
  const eo = pick(members, eoNames)
  const raster = pick(members, rasterNames)
  for (const name of [...Object.keys(eoNames), ...Object.keys(rasterNames)]) delete members[name]
  return { eo, raster }
}

function lowerBandsOf(members: Members, isAsset: boolean): void {
  const { bands } = members
  const all = shared(members, isAsset)
  const hasBands = Array.isArray(bands) && bands.length > 0 && bands.every(isObject)
  const list: Members[] = hasBands ? (bands as Members[]) : [{}]
  // What no field of 1.0.0 holds stays with the band's own object.
  const eo = list.map((band) => ({ ...all.eo, ...pick(band, ofEo), ...without(band, ofEo, isAsset ? ofRaster : {}) }))
  const raster = list.map((band) => ({ ...all.raster, ...pick(band, ofRaster) }))
  const some = (objects: readonly Members[]): boolean => objects.some((band) => Object.keys(band).length > 0)
  if (some(eo) && !Object.hasOwn(members, 'eo:bands')) members['eo:bands'] = eo
  // The raster extension describes files alone (what an item says of its bands stays with their objects), and a band of which nothing is known has no object.
  if (some(raster) && isAsset && !Object.hasOwn(members, 'raster:bands')) {
    members['raster:bands'] = raster.map((band) => (Object.keys(band).length > 0 ? band : { data_type: 'other' }))
  }
  if (hasBands) delete members['bands']
}

/** `bands` of 1.1 as `eo:bands` and `raster:bands`; fields that 1.1 lets stand alone belong to every band. */
export function lowerBands(item: Document): void {
  const told = scopesOf(item).some((members) => Object.hasOwn(members, 'bands') || hasLoneFields(members))
  if (!told) return
  lowerBandsOf(item.properties, false)
  for (const asset of Object.values(item.assets)) lowerBandsOf(asset, true)
  // Where assets say it the item may not: what it says of them keeps a plain name.
  if (Object.values(item.assets).some((asset) => Object.hasOwn(asset, 'eo:bands'))) {
    rename(item.properties, 'eo:bands', 'eo_bands')
  }
}

/** Fields without a prefix may mean something else, unless one with its prefix stands beside them. */
const hasLoneFields = (members: Members): boolean =>
  [...Object.keys(ofEo), ...Object.keys(ofRaster)].some((name) => name.includes(':') && Object.hasOwn(members, name)) ||
  (Object.hasOwn(members, 'data_type') && isText(members['data_type']))

/** `EPSG:32633` is the number 32633; a code of another authority has none in 1.0.0, and stays under a plain name. */
export function lowerCode(members: Members): void {
  if (!Object.hasOwn(members, 'proj:code')) return
  const code = members['proj:code']
  delete members['proj:code']
  const epsg = isText(code) ? /^EPSG:(\d{1,9})$/i.exec(code.trim()) : null
  if (!Object.hasOwn(members, 'proj:epsg')) members['proj:epsg'] = epsg ? Number(epsg[1]) : null
  if (code !== null && !epsg) members['proj_code'] = code
}
