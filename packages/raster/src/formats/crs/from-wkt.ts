import { RasterFailure } from '../../failures.ts'
import type { Crs } from '../../types.ts'
import { findCrs } from './crs-table.ts'
import { findHorizontalSystem, isGeographicNode, wktToProj4 } from './describe-wkt.ts'
import { explainUnmappableCrs, findCodeOfProj4 } from './projection-text.ts'
import { readWkt, readWktEpsgCode, readWktText, type WktNode } from './wkt-tree.ts'

/**
 * The reference system that well-known text describes (WKT 1 of OGC and of ESRI, WKT 2): by its EPSG code where it has a known one,
 * else by its own parameters. Null for text that describes none; `proj4` is null and `refusal` says why for one that is not read.
 */
export async function createCrsFromWkt(text: string): Promise<Crs | null> {
  const whole = readWkt(text.trim())
  if (!whole) return null
  const system = findHorizontalSystem(whole)
  const { node } = system
  const [name, code] = [readWktText(node, 0), readWktEpsgCode(node)]
  const found = code === null ? null : await findCrs(code)
  if (found) return toCrs(node, { epsg: code, proj4: found.proj4, name: found.name })
  if (!name) return null
  try {
    const proj4 = await wktToProj4(system)
    return toCrs(node, { epsg: await findCodeOfProj4(proj4), proj4, name: name.slice(0, 200) })
  } catch (error) {
    if (!(error instanceof RasterFailure && error.kind === 'unsupported')) throw error
    return toCrs(node, { epsg: code, proj4: null, name: name.slice(0, 200), refusal: error.message })
  }
}

function toCrs(node: WktNode, crs: Omit<Crs, 'geographic'>): Crs {
  const { proj4 } = crs
  if (proj4 === null) return { ...crs, geographic: isGeographicNode(node) }
  const unmappable = explainUnmappableCrs(proj4)
  const geographic = proj4.startsWith('+proj=longlat')
  return unmappable === null ? { ...crs, geographic } : { ...crs, proj4: null, geographic, ...unmappable }
}
