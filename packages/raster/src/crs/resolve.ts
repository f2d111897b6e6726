import proj4 from 'proj4'
import type { GeoKeys } from '../tiff/geo.ts'
import { GEO_KEY } from '../tiff/geo.ts'
import type { Crs } from '../types.ts'
import { GEO_KEY_NAMES } from './geo-key-names.ts'
import { findCrs } from './table.ts'

const USER_DEFINED = 32_767
const GEOGRAPHIC_MODEL = 2
const ARC_DEGREE = 9102

/**
 * The reference system that the GeoKeys of a file name or describe. A code is looked up; a description (a projection
 * with its parameters, or the WKT that ESRI's and GDAL's writers put into the citation) is turned into proj4 text. Where
 * nothing usable is found, `proj4` is null: the pixels can be read, but not be put on a map.
 */
export async function resolveCrs(keys: GeoKeys): Promise<Crs> {
  const epsg = epsgOf(keys)
  const found = epsg === null ? null : await findCrs(epsg)
  if (found) return { epsg, proj4: found.proj4, name: found.name, geographic: isGeographic(found.proj4) }
  const text = readCitation(keys) ?? (await describeByKeys(keys))
  const usable = text !== null && canProject(text) ? text : null
  return {
    epsg,
    proj4: usable,
    name: nameOf(keys, epsg),
    geographic: usable === null ? keys.get(GEO_KEY.modelType) === GEOGRAPHIC_MODEL : isGeographic(usable),
  }
}

function epsgOf(keys: GeoKeys): number | null {
  const projected = keys.get(GEO_KEY.projectedType)
  if (typeof projected === 'number' && projected > 0 && projected !== USER_DEFINED) return projected
  // A projected system that is described, not named, still names its geographic base: that is not the system itself.
  if (projected === USER_DEFINED || keys.has(GEO_KEY.projectedCitation)) return null
  const geographic = keys.get(GEO_KEY.geographicType)
  return typeof geographic === 'number' && geographic > 0 && geographic !== USER_DEFINED ? geographic : null
}

function isGeographic(text: string): boolean {
  return text.startsWith('+proj=longlat')
}

function nameOf(keys: GeoKeys, epsg: number | null): string {
  if (epsg !== null) return `EPSG:${epsg}`
  const citation = [GEO_KEY.citation, GEO_KEY.projectedCitation, GEO_KEY.geographicCitation]
    .map((key) => keys.get(key))
    .find((text) => typeof text === 'string' && text !== '')
  return typeof citation === 'string' ? citation.slice(0, 200) : 'unknown'
}

// "ESRI PE String = PROJCS[…]": an extension with proj4 text says it best, else proj4 reads the WKT itself.
function readCitation(keys: GeoKeys): string | null {
  const citation = keys.get(GEO_KEY.projectedCitation)
  if (typeof citation !== 'string' || !citation.startsWith('ESRI PE String = ')) return null
  const wkt = citation.slice('ESRI PE String = '.length)
  const extension = /EXTENSION\["PROJ4","([^"]+)"\]/.exec(wkt)?.[1]
  return extension ?? wkt
}

async function describeByKeys(keys: GeoKeys): Promise<string | null> {
  const named: Record<string, unknown> = {}
  for (const [id, value] of keys) {
    const name = GEO_KEY_NAMES[id]
    if (name !== undefined) named[name] = value
  }
  if (named['ProjectedCSTypeGeoKey'] === undefined && named['GeographicTypeGeoKey'] === undefined) return null
  // The library knows the EPSG register by heart (1.5 MB), so it is loaded only for the few files that describe themselves.
  const { default: library } = await import('geotiff-geokeys-to-proj4')
  try {
    const answer = library.toProj4(named as unknown as Parameters<typeof library.toProj4>[0])
    const isKnown = Object.keys(answer.errors).every((name) => !name.endsWith('NotSupported'))
    return isKnown ? finishDefinition(answer.proj4, answer.coordinatesConversionParameters.x, keys) : null
  } catch {
    return null
  }
}

function finishDefinition(proj4Text: string, unitFactor: number, keys: GeoKeys): string | null {
  const axis = / \+axis=(\S+)/.exec(proj4Text)?.[1] ?? 'en'
  if (/[ws]/.test(axis)) return null
  const text = proj4Text.replace(/ \+axis=\S+/, '').trim()
  const angular = keys.get(2054) ?? ARC_DEGREE
  if (isGeographic(text)) return angular === ARC_DEGREE ? text : null
  return unitFactor === 1 ? `${text} +units=m` : `${text} +to_meter=${unitFactor}`
}

function canProject(text: string): boolean {
  try {
    proj4(text)
    return true
  } catch {
    return false
  }
}
