/** Rasters that are laid on the grids of other systems, as GDAL writes them; and the systems. */
export interface GridSource {
  readonly crs: string
  readonly size: readonly [width: number, height: number]
  readonly transform: readonly [number, number, number, number, number, number]
}

const geostationary = '+proj=geos +h=35786023 +lon_0=-75 +sweep=x +ellps=GRS80 +units=m +no_defs'

export const gridSources = {
  north: { crs: 'EPSG:3413', size: [100, 100], transform: [-1e6, 20_000, 0, 1e6, 0, -20_000] },
  northAside: { crs: 'EPSG:3995', size: [160, 120], transform: [-4e5, 10_000, 0, 9e5, 0, -10_000] },
  south: { crs: 'EPSG:3031', size: [100, 100], transform: [-9e5, 20_000, 0, 1.1e6, 0, -20_000] },
  strip: { crs: 'EPSG:3413', size: [200, 200], transform: [-1e6, 20_000, 0, -3e5, 0, -20_000] },
  world: { crs: 'EPSG:4326', size: [360, 180], transform: [-180, 1, 0, 90, 0, -1] },
  tropics: { crs: 'EPSG:4326', size: [360, 120], transform: [-180, 1, 0, 60, 0, -1] },
  world360: { crs: 'EPSG:4326', size: [360, 180], transform: [0, 1, 0, 90, 0, -1] },
  era5: { crs: 'EPSG:4326', size: [1440, 721], transform: [-180.125, 0.25, 0, 90.125, 0, -0.25] },
  southern: { crs: 'EPSG:4326', size: [360, 90], transform: [-180, 1, 0, 0, 0, -1] },
  northern: { crs: 'EPSG:4326', size: [360, 60], transform: [-180, 1, 0, 90, 0, -1] },
  pacific: { crs: 'EPSG:4326', size: [130, 60], transform: [200, 1, 0, 30, 0, -1] },
  europe: { crs: 'EPSG:4326', size: [400, 350], transform: [-12, 0.1, 0, 70, 0, -0.1] },
  seam: { crs: 'EPSG:4326', size: [60, 40], transform: [150, 1, 0, 60, 0, -1] },
  zone33: { crs: 'EPSG:32633', size: [300, 260], transform: [400_000, 300, 0, 5_200_000, 0, -300] },
  zone60: { crs: 'EPSG:32660', size: [200, 200], transform: [600_000, 1000, 0, 6_000_000, 0, -1000] },
  zone60south: { crs: 'EPSG:32760', size: [200, 200], transform: [350_000, 500, 0, 6_000_000, 0, -500] },
  zone33south: { crs: 'EPSG:32733', size: [120, 140], transform: [300_000, 600, 0, 7_500_000, 0, -600] },
  mercator: { crs: 'EPSG:3857', size: [256, 256], transform: [-1e6, 20_000, 0, 9e6, 0, -20_000] },
  beyond: { crs: 'EPSG:3857', size: [60, 40], transform: [18e6, 1e5, 0, 6e6, 0, -1e5] },
  laea: { crs: 'EPSG:3035', size: [240, 200], transform: [3.2e6, 10_000, 0, 4.6e6, 0, -10_000] },
  laeaNorth: { crs: 'EPSG:3571', size: [100, 100], transform: [-2e6, 40_000, 0, 2e6, 0, -40_000] },
  lambert: { crs: 'EPSG:2154', size: [200, 220], transform: [100_000, 5000, 0, 7_100_000, 0, -5000] },
  albers: { crs: 'EPSG:5070', size: [250, 160], transform: [-2.3e6, 18_000, 0, 3.1e6, 0, -18_000] },
  ease: { crs: 'EPSG:6933', size: [300, 120], transform: [-1.5e7, 100_000, 0, 6e6, 0, -100_000] },
  disc: { crs: geostationary, size: [200, 200], transform: [-5_420_800, 54_208, 0, 5_420_800, 0, -54_208] },
  sinusoidal: {
    crs: '+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=6371007.181 +units=m +no_defs',
    size: [240, 240],
    transform: [2_223_900, 4633, 0, 5_559_750, 0, -4633],
  },
} as const satisfies Record<string, GridSource>

export type GridSourceName = keyof typeof gridSources

export interface GridRow {
  readonly source: GridSourceName
  readonly epsg: number
  /** Why our grid is not that of gdalwarp; absent where they are equal. */
  readonly differs?: string
  /** Why gdalwarp has fewer pixels on our grid; absent where it has as many. */
  readonly fewer?: string
}

const row = (source: GridSourceName, epsg: number, differs?: string): GridRow => ({
  source,
  epsg,
  ...(differs === undefined ? {} : { differs }),
})

const across = 'gdalwarp tears what lies across the 180° meridian; ours stays in one piece'
const mercatorEnds = 'gdalwarp goes on to a place near the pole; ours ends at 85.05 degrees'
const polar = 'gdalwarp goes on to the other pole, at infinity; ours is the area of use'
const poleRow = 'gdalwarp ends at the last place that it looks up; ours at the pole'
const overPole = 'gdalwarp leaves out the row of pixels around each pole that reaches beyond it'
const seamOfRow = 'gdalwarp comes near the edge of the map by halves; ours reaches it'

export const gridRows: readonly GridRow[] = [
  row('north', 4326),
  row('laeaNorth', 4326),
  row('strip', 4326),
  row('pacific', 3857),
  row('world', 6933),
  row('world', 3035),
  row('world', 5070),
  row('world', 32_633),
  row('world', 8857),
  row('tropics', 3857),
  row('tropics', 3395),
  row('southern', 3031),
  row('northern', 3413),
  row('northern', 3575),
  row('europe', 3857),
  row('europe', 3035),
  row('europe', 32_633),
  row('europe', 2154),
  row('europe', 3413),
  row('zone33', 4326),
  row('zone33', 3857),
  row('zone33', 3035),
  row('zone33', 32_634),
  row('zone60', 3413),
  row('zone33south', 4326),
  row('zone33south', 3031),
  row('zone60south', 32_701),
  row('mercator', 4326),
  row('mercator', 32_633),
  row('mercator', 3413),
  row('laea', 4326),
  row('laea', 3857),
  row('laea', 2154),
  row('lambert', 4326),
  row('lambert', 3035),
  row('albers', 4326),
  row('albers', 3857),
  row('ease', 4326),
  row('ease', 3857),
  row('disc', 4326),
  row('disc', 3857),
  row('sinusoidal', 4326),
  row('sinusoidal', 3857),
  row('northAside', 4326),
  row('south', 4326, poleRow),
  row('north', 3857, mercatorEnds),
  row('world', 3857, mercatorEnds),
  row('world', 3395, mercatorEnds),
  row('world360', 3857, mercatorEnds),
  row('era5', 3857, mercatorEnds),
  row('world', 3031, polar),
  row('world', 3413, polar),
  row('era5', 3413, polar),
  row('world', 2154, polar),
  row('world360', 6933, seamOfRow),
  row('era5', 6933, overPole),
  row('zone60', 4326, across),
  row('zone60', 3857, across),
  row('zone60south', 4326),
  row('seam', 3857, across),
  { ...row('beyond', 4326, across), fewer: 'gdalwarp reads nothing beyond the edge of the map' },
]
