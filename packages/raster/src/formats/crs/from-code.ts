import { RasterFailure } from '../../failures.ts'
import type { Crs } from '../../types.ts'
import { explainUnmappableCrs } from './projection-text.ts'
import { findCrs } from './crs-table.ts'
import { explainUnreadCode } from './system-kinds.ts'

const unreadSystem = (epsg: number, why: string): RasterFailure =>
  new RasterFailure(
    'request',
    `the reference system EPSG:${epsg} cannot be used: ${why}; choose one of a map or of longitude and latitude, such as EPSG:4326 or a UTM zone`,
  )

/** The reference system of an EPSG code; `request` for one that is not known. */
export async function createCrsFromEpsg(epsg: number): Promise<Crs> {
  const found = await findCrs(epsg)
  if (!found) throw unreadSystem(epsg, explainUnreadCode(epsg))
  const { proj4, name } = found
  const unmappable = explainUnmappableCrs(proj4)
  if (unmappable !== null) throw unreadSystem(epsg, unmappable.refusal)
  return { epsg, proj4, name, geographic: proj4.startsWith('+proj=longlat') }
}
