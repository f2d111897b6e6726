import { RasterFailure } from '../../failures.ts'
import type { Crs } from '../../types.ts'
import { explainUnmappableCrs } from './projection-text.ts'
import { findCrs } from './crs-table.ts'

/** The reference system of an EPSG code; `request` for one that is not known. */
export async function createCrsFromEpsg(epsg: number): Promise<Crs> {
  const found = await findCrs(epsg)
  if (!found) throw new RasterFailure('request', `the reference system EPSG:${epsg} is not known`)
  const { proj4, name } = found
  const refusal = explainUnmappableCrs(proj4)
  if (refusal !== null) throw new RasterFailure('request', `the reference system EPSG:${epsg} is not read: ${refusal}`)
  return { epsg, proj4, name, geographic: proj4.startsWith('+proj=longlat') }
}
