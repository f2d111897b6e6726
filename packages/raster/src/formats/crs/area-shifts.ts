import { readDataTable } from '../../data-table.ts'
import { createCrsTransform } from './transform.ts'
import type { Crs } from '../../types.ts'

type Column = 'ellipsoid' | 'datum_shift' | 'operation' | 'west' | 'south' | 'east' | 'north' | 'shift'

/**
 * Datums that the EPSG register joins to WGS 84 by one operation for each part of a continent, metres to tens of metres
 * apart: which of them holds depends on where the file lies. Printed from PROJ's database in the order in which PROJ
 * chooses without grids; shifts are as `+towgs84` means them.
 */
const areas = readDataTable<Column>(new URL('./area-shifts.tsv', import.meta.url)).map(
  ({ ellipsoid, datum_shift, west, south, east, north, shift }) => ({
    ellipsoid,
    datum_shift,
    bounds: [Number(west), Number(south), Number(east), Number(north)] as const,
    shift,
  }),
)

/**
 * Returns the reference system with the datum shift of the part of the world in which a position of the file lies. For
 * a system whose shift comes from the table of codes, not from the file.
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
