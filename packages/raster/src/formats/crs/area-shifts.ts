import { createCrsTransform } from './transform.ts'
import type { Crs } from '../../types.ts'

interface Area {
  readonly bounds: readonly [west: number, south: number, east: number, north: number]
  /** As `+towgs84` means it: seconds and parts per million, rotations as of a position vector. */
  readonly shift: string
}

interface AreaShifts {
  /** What the table of codes says for the whole datum. */
  readonly ellipsoid: string
  readonly shift: string
  /** The most accurate operation first, of equal ones that with the smaller area. The first area with the place counts. */
  readonly areas: readonly Area[]
}

const area = (west: number, south: number, east: number, north: number, shift: string): Area => ({
  bounds: [west, south, east, north],
  shift,
})

/**
 * Datums that the EPSG register joins to WGS 84 by one operation for each part of a continent, metres to tens of metres
 * apart: which of them holds depends on where the file lies. Chosen as PROJ does without grids; offshore operations,
 * which PROJ passes over, are left out.
 */
const DATUMS: readonly AreaShifts[] = [
  {
    // NAD27: EPSG 15978, 1175, 1177, 1182, 1181, 1171, 1183, 1173, 1174, 1176, 1180, 1187, 1179, 1249, 1170, 1250, 1172
    ellipsoid: 'clrk66',
    shift: '-8,160,176',
    areas: [
      area(-87.01, 18.83, -73.57, 25.51, '2.478,149.752,197.726,0.526,0.498,-0.501,0.685'),
      area(-124.79, 25.83, -89.64, 49.05, '-8,159,175'),
      area(-79.04, 20.86, -72.68, 27.29, '-4,154,178'),
      area(-136.46, 49, -60.72, 83.17, '4,159,188'),
      area(-79.85, 43.41, -52.54, 62.62, '-22,160,190'),
      area(-92.29, 7.98, -82.53, 18.49, '0,125,194'),
      area(-141.01, 59.99, -123.91, 69.7, '-7,139,181'),
      area(-124.79, 24.41, -66.91, 49.38, '-8,160,176'),
      area(-168.26, 54.34, -129.99, 71.4, '-5,135,172'),
      area(-102, 41.67, -74.35, 60.01, '-9,157,184'),
      area(-118.47, 14.51, -86.68, 32.72, '-12,130,190'),
      area(-139.04, 48.25, -109.98, 60.01, '-7,162,188'),
      area(-178.3, 51.54, -164.84, 54.34, '-2,152,149'),
      area(-85.01, 13, -59.37, 23.25, '-3,142,183'),
      area(172.42, 51.3, 179.86, 53.07, '2,204,105'),
      area(-141.01, 40, -44, 83.17, '-10,158,187'),
    ],
  },
  {
    // S-JTSK in Czechia and in Slovakia: EPSG 5239, 4836
    ellipsoid: 'bessel',
    shift: '589,76,480',
    areas: [
      area(12.09, 48.58, 18.86, 51.06, '572.213,85.334,461.94,4.9732,1.529,5.2484,3.5378'),
      area(16.84, 47.73, 22.56, 49.61, '485,169.5,483.8,7.786,4.398,4.103,0'),
    ],
  },
]

/**
 * The reference system with the datum shift of the part of the world that a file lies in, given a position of it. For a
 * system whose shift comes from the table of codes, not from the file.
 */
export function withAreaShift(crs: Crs, position: readonly [x: number, y: number]): Crs {
  const { proj4 } = crs
  const ellipsoid = /\+ellps=(\S+)/.exec(proj4 ?? '')?.[1]
  const shift = /\+towgs84=(\S+)/.exec(proj4 ?? '')?.[1]?.replace(/,0,0,0,0$/, '')
  const datum = DATUMS.find((row) => row.ellipsoid === ellipsoid && row.shift === shift)
  if (proj4 === null || !datum) return crs
  const [longitude, latitude] = createCrsTransform(crs).inverse(...position)
  const found = datum.areas.find(
    ({ bounds: [west, south, east, north] }) =>
      longitude >= west && longitude <= east && latitude >= south && latitude <= north,
  )
  return found ? { ...crs, proj4: proj4.replace(/\+towgs84=\S+/, `+towgs84=${found.shift}`) } : crs
}
