import { RasterFailure } from '../../failures.ts'
import type { GeoKeys } from './parse-geo-keys.ts'
import type { Crs, UnmappableCrs } from '../../types.ts'
import { geoKeysToProj4 } from './describe-keys.ts'
import { findHorizontalSystem, wktToProj4 } from './describe-wkt.ts'
import { geoKeyCodes, user_defined_geo_key_code } from './geo-keys.ts'
import { unsupportedCrsFailure, explainUnmappableCrs, findCodeOfProj4 } from './projection-text.ts'
import { readWkt } from './wkt-tree.ts'
import { findCrs } from './crs-table.ts'
import { explainUnreadCode } from './system-kinds.ts'
import { readTsvFile } from '../../tsv-file.ts'
import { createCrsTransform } from './transform.ts'

type Column = 'ellipsoid' | 'datum_shift' | 'operation' | 'west' | 'south' | 'east' | 'north' | 'shift'

/**
 * Datums that the EPSG register joins to WGS 84 by one operation for each part of a continent, metres to tens of metres
 * apart: which of them holds depends on where the file lies. Printed from PROJ's database in the order in which PROJ
 * chooses without grids; shifts are as `+towgs84` means them.
 */
const areas = readTsvFile<Column>(new URL('./area-shifts.tsv', import.meta.url)).map(
  ({ ellipsoid, datum_shift, west, south, east, north, shift }) => ({
    ellipsoid,
    datum_shift,
    bounds: [Number(west), Number(south), Number(east), Number(north)] as const,
    shift,
  }),
)

/**
 * Returns the reference system with the datum shift of the part of the world in which a position of the file lies. A shift that
 * is not that of the whole datum in the table of codes is left as it is.
 */
export function withAreaShift(crs: Crs, position: readonly [x: number, y: number]): Crs {
  const { proj4 } = crs
  const ellipsoid = /\+ellps=(\S+)/.exec(proj4 ?? '')?.[1]
  const shift = /\+towgs84=(\S+)/.exec(proj4 ?? '')?.[1]?.replace(/,0,0,0,0$/, '')
  const ofDatum = areas.filter((area) => area.ellipsoid === ellipsoid && area.datum_shift === shift)
  if (proj4 === null || ofDatum.length === 0) return crs
  const [longitude, latitude] = createCrsTransform(crs).inverse(...position)
  const found = ofDatum.find(
    ({ bounds: [west, south, east, north] }) =>
      longitude >= west && longitude <= east && latitude >= south && latitude <= north,
  )
  return found ? { ...crs, proj4: proj4.replace(/\+towgs84=\S+/, `+towgs84=${found.shift}`) } : crs
}

const geographic_model = 2
const peString = 'ESRI PE String = '

/**
 * The reference system that the GeoKeys of a file name or describe. A code is looked up; a description (a projection
 * with its parameters, or the WKT that ESRI's and GDAL's writers put into the citation) is turned into proj4 text. Where
 * that is not possible, or the file is not of the Earth, `proj4` is null and `refusal` says why: the pixels can be read,
 * but not be put on a map. `position` is one of the file's own, by which the shift of a datum with several is chosen.
 */
export async function resolveCrs(keys: GeoKeys, position?: readonly [x: number, y: number]): Promise<Crs> {
  const crs = await readCrs(keys)
  return position && !saysShift(keys) ? withAreaShift(crs, position) : crs
}

/** Parameters that the file itself gives are the truth about it, whatever the register has for its part of the world. */
function saysShift(keys: GeoKeys): boolean {
  const citation = keys.get(geoKeyCodes.projectedCitation)
  return keys.has(geoKeyCodes.toWgs84) || (typeof citation === 'string' && /towgs84/i.test(citation))
}

async function readCrs(keys: GeoKeys): Promise<Crs> {
  const epsg = epsgOf(keys)
  const found = epsg === null ? null : await findCrs(epsg)
  const name = found?.name ?? nameOf(keys, epsg)
  try {
    const text = found?.proj4 ?? (await describe(keys, epsg))
    const unmappable = text === null ? null : explainUnmappableCrs(text)
    if (text !== null && unmappable === null) {
      const code = epsg ?? (await findCodeOfProj4(text))
      return { epsg: code, proj4: text, name, geographic: isGeographic(text) }
    }
    return refused(keys, epsg, name, unmappable)
  } catch (error) {
    if (error instanceof RasterFailure && error.kind === 'unsupported')
      return refused(keys, epsg, name, { refusal: error.message })
    throw error
  }
}

const refused = (keys: GeoKeys, epsg: number | null, name: string, unmappable: UnmappableCrs | null): Crs => ({
  epsg,
  proj4: null,
  name,
  geographic: keys.get(geoKeyCodes.modelType) === geographic_model,
  ...unmappable,
})

/** GDAL, too, takes the well-known text of a citation before the keys. */
async function describe(keys: GeoKeys, epsg: number | null): Promise<string | null> {
  const citation = keys.get(geoKeyCodes.projectedCitation)
  if (typeof citation === 'string' && citation.startsWith(peString))
    return citationToProj4(citation.slice(peString.length))
  // A code that is not known says nothing, and what stands beside it is seldom more than its units.
  if (epsg !== null && !keys.has(geoKeyCodes.method)) throw unsupportedCrsFailure(explainUnreadCode(epsg))
  return geoKeysToProj4(keys)
}

function citationToProj4(text: string): Promise<string> {
  const node = readWkt(text)
  if (!node) throw unsupportedCrsFailure('the well-known text in its citation cannot be read')
  return wktToProj4(findHorizontalSystem(node))
}

function epsgOf(keys: GeoKeys): number | null {
  const projected = keys.get(geoKeyCodes.projectedCrs)
  if (typeof projected === 'number' && projected > 0 && projected !== user_defined_geo_key_code) return projected
  // A projected system that is described, not named, still names its geographic base: that is not the system itself.
  if (projected === user_defined_geo_key_code || keys.has(geoKeyCodes.projectedCitation)) return null
  const geographic = keys.get(geoKeyCodes.geodeticCrs)
  return typeof geographic === 'number' && geographic > 0 && geographic !== user_defined_geo_key_code
    ? geographic
    : null
}

function isGeographic(text: string): boolean {
  return text.startsWith('+proj=longlat')
}

function nameOf(keys: GeoKeys, epsg: number | null): string {
  if (epsg !== null) return `EPSG:${epsg}`
  const citation = [geoKeyCodes.citation, geoKeyCodes.projectedCitation, geoKeyCodes.geodeticCitation]
    .map((key) => keys.get(key))
    .find((text) => typeof text === 'string' && text !== '')
  return typeof citation === 'string' ? citation.slice(0, 200) : 'unknown'
}
