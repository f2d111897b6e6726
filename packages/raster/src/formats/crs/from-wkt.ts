import proj4 from 'proj4'
import type { Crs } from '../../types.ts'
import { findDatumShift } from './datum-names.ts'
import { findCrs } from './crs-table.ts'

const limit_letters = 20_000

/** The code that the whole definition carries at its end, in WKT 1 and 2. */
const code = /(?:AUTHORITY|ID)\s*\[\s*"EPSG"\s*,\s*"?(\d{4,6})"?\s*\]\s*\]\s*$/i

const datum = /(DATUM\s*\[\s*"(?:D_)?([^"]{1,100})"\s*,\s*(?:SPHEROID|ELLIPSOID)\s*\[[^\]]*\])(?!\s*,\s*TOWGS84)/i

/**
 * The reference system that well-known text describes (WKT 1 of OGC and of ESRI, WKT 2): by its EPSG code where it has
 * a known one, else by its own parameters. Null for text that says nothing usable.
 */
export async function createCrsFromWkt(text: string): Promise<Crs | null> {
  const wkt = text.trim().slice(0, limit_letters)
  const epsg = Number(code.exec(wkt)?.[1] ?? 0)
  const found = await findCrs(epsg)
  if (found) return { epsg, ...found, geographic: found.proj4.startsWith('+proj=longlat') }
  const name = /^[A-Z_]+\s*\[\s*"([^"]{1,200})"/i.exec(wkt)?.[1]
  if (name === undefined || !countsFromGreenwich(wkt)) return null
  const whole = plainStereographic(await withShift(wkt))
  if (!canProject(whole)) return null
  return { epsg: null, proj4: whole, name, geographic: /^GEO(?:GCS|GCRS|DCRS|GRAPHICCRS|DETICCRS)/i.test(wkt) }
}

/** ESRI's text names a datum and leaves its shift to the reader: without it a place is off by up to some hundred metres. */
async function withShift(wkt: string): Promise<string> {
  const name = datum.exec(wkt)?.[2]
  if (name === undefined) return wkt
  const shift = (await findDatumShift(name))?.split(',')
  if (!shift || shift.every((part) => Number(part) === 0)) return wkt
  const seven = Array.from({ length: 7 }, (_, at) => shift[at] ?? '0')
  return wkt.replace(datum, (_, start: string) => `${start},TOWGS84[${seven.join(',')}]`)
}

/** ESRI's word for polar stereographic, whose parallel of true scale goes by another name. */
function plainStereographic(wkt: string): string {
  if (!/PROJECTION\s*\[\s*"Stereographic_(?:North|South)_Pole"/i.test(wkt)) return wkt
  return wkt
    .replace(/"Stereographic_(?:North|South)_Pole"/i, '"Polar_Stereographic"')
    .replace(/"Standard_Parallel_1"/i, '"latitude_of_origin"')
}

/** Other meridians, and angles in grads, are not read by the library; whoever needs them has a code. */
function countsFromGreenwich(wkt: string): boolean {
  const meridian = Number(/PRIMEM\s*\[\s*"[^"]*"\s*,\s*(-?[\d.]+)/i.exec(wkt)?.[1] ?? 0)
  const angle = Number(/UNIT\s*\[\s*"(?:degree|grad)[^"]*"\s*,\s*([\d.]+)/i.exec(wkt)?.[1] ?? Math.PI / 180)
  return meridian === 0 && Math.abs(angle - Math.PI / 180) < 1e-9
}

function canProject(wkt: string): boolean {
  try {
    return proj4(wkt).inverse([0, 0]).length === 2
  } catch {
    return false
  }
}
