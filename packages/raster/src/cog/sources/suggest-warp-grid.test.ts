import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Affine } from '@swath/geo/affine.ts'
import { createCrsFromEpsg } from '../../formats/crs/from-code.ts'
import { openRaster } from '../../formats/open-raster.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import type { Crs, Raster } from '../../types.ts'
import { createMosaicInput } from './mosaic.ts'
import { suggestWarpGrid } from './suggest-warp-grid.ts'

const file = new URL('../../../../../fixtures/rasters/scenes/elkton-red.tif', import.meta.url)
const scene = await openRaster(createMemorySource(readFileSync(file), 'elkton-red.tif'))

type Grid = readonly [width: number, height: number, affine: Affine, crs: number | Crs]

const goes: Crs = {
  epsg: null,
  proj4: '+proj=geos +h=35786023 +lon_0=-75 +sweep=x +ellps=GRS80',
  name: 'GOES',
  geographic: false,
}

const grids = {
  north: [100, 100, [-1e6, 20_000, 0, 1e6, 0, -20_000], 3413],
  south: [100, 100, [-9e5, 20_000, 0, 1.1e6, 0, -20_000], 3031],
  pacific: [130, 60, [200, 1, 0, 30, 0, -1], 4326],
  world: [64, 45, [-180, 5.625, 0, 90, 0, -4], 4326],
  world360: [360, 180, [0, 1, 0, 90, 0, -1], 4326],
  era5: [1440, 721, [-180.125, 0.25, 0, 90.125, 0, -0.25], 4326],
  utm60: [200, 200, [600_000, 1000, 0, 6_000_000, 0, -1000], 32_660],
  seam: [60, 40, [150, 1, 0, 60, 0, -1], 4326],
  beyond: [60, 40, [18e6, 1e5, 0, 6e6, 0, -1e5], 3857],
  hemisphere: [360, 90, [-180, 1, 0, 0, 0, -1], 4326],
  strip: [200, 200, [-1e6, 20_000, 0, -3e5, 0, -20_000], 3413],
  goes: [200, 200, [-5_420_800, 54_208, 0, 5_420_800, 0, -54_208], goes],
} as const satisfies Record<string, Grid>

async function place(name: keyof typeof grids): Promise<Raster> {
  const [width, height, affine, system] = grids[name]
  const crs = typeof system === 'number' ? await createCrsFromEpsg(system) : system
  return { ...scene, width, height, affine, crs }
}

type Row = readonly [
  name: keyof typeof grids,
  epsg: number,
  size: readonly [number, number],
  origin: readonly [number, number],
  step: readonly [number, number],
]

function assertGrid(
  { width, height, affine }: { readonly width: number; readonly height: number; readonly affine: Affine },
  [name, epsg, size, [left, top], [stepX, stepY]]: Row,
): void {
  const message = `${name} in EPSG:${epsg}: ${width} × ${height} of ${affine.join(', ')}`
  assert.deepEqual([width, height], size, message)
  const isNear = (ours: number, theirs: number): boolean => Math.abs(ours - theirs) < 1e-6 * stepX
  assert.ok(isNear(affine[0], left) && isNear(affine[3], top), message)
  assert.ok(isNear(affine[1] * width, stepX * width) && isNear(affine[5] * height, stepY * height), message)
}

test('grids are those of gdalwarp 3.6.2', async () => {
  const rows: readonly Row[] = [
    ['north', 4326, [141, 5], [-180, 90], [2.553191489361702, -2.547243910558814]],
    [
      'pacific',
      3857,
      [129, 62],
      [-17_811_118.526923772, 3_503_549.8435043753],
      [112_298.54301308918, -112_298.54301308918],
    ],
    [
      'world',
      32_633,
      [51, 59],
      [-16_197_649.908873022, 19_995_929.886041995],
      [643_359.4691043425, -656_226.6584864294],
    ],
    ['world', 3035, [55, 56], [-7_989_723.759738592, 15_857_613.144492337], [451_988.0288796956, -451_988.0288796956]],
    ['world', 6933, [72, 30], [-17_367_530.445161372, 7_342_230.13649868], [482_017.3917816805, -482_017.3917816805]],
    ['utm60', 3413, [283, 283], [-3_067_326.094328892, 3_067_821.184948675], [1076.8666955486126, -1076.8666955486126]],
    [
      'hemisphere',
      3031,
      [742, 742],
      [-12_367_396.21845986, 12_367_396.21845986],
      [33_328.15746573492, -33_328.15746573492],
    ],
    ['strip', 4326, [391, 107], [-118.30075576600639, 87.23113273223532], [0.4034694509564328, -0.4034694509564328]],
    ['goes', 4326, [223, 174], [-156.1852269823219, 62.833908293793606], [0.7217393722331219, -0.7217393722331219]],
    ['goes', 3857, [199, 201], [-17_386_459.937103927, 9_059_640.204803752], [90_070.57859223572, -90_070.57859223572]],
  ]
  for (const row of rows) {
    const grid = suggestWarpGrid(await place(row[0]), await createCrsFromEpsg(row[1]))
    assertGrid(grid, row)
    assert.equal(grid.cut, null)
  }
})

test('a raster around the south pole reaches it', async () => {
  const { affine, width, height } = suggestWarpGrid(await place('south'), await createCrsFromEpsg(4326))
  assert.deepEqual([affine[0], affine[0] + width * affine[1]], [-180, 180])
  assert.ok(Math.abs(affine[3] + height * affine[5] + 90) < 1e-9)
})

test('a raster across the 180° meridian stays in one piece, beyond the edge of the map', async () => {
  const rows: readonly Row[] = [
    ['utm60', 4326, [258, 155], [178.4678781994732, 54.138373317799946], [0.012101018743937786, -0.012101018743937786]],
    ['seam', 3857, [53, 49], [16_697_923.618991036, 8_399_737.889818357], [125_688.75073439824, -125_688.75073439824]],
    ['beyond', 4326, [63, 35], [161.69675114151386, 47.35370470243311], [0.8532389024212312, -0.8532389024212312]],
  ]
  for (const row of rows) assertGrid(suggestWarpGrid(await place(row[0]), await createCrsFromEpsg(row[1])), row)
})

test('a raster that runs to infinity is cut where the projection is of use, and the grid says so', async () => {
  const half_map_m = 20_037_508.342789244
  // What lies in the box around the circle of 60°, or on the map between its two ends.
  const rows = [
    ['world', 3857, half_map_m, half_map_m, /±85\.0511 degrees, where the Mercator map ends/],
    ['world360', 3857, half_map_m, half_map_m, /Mercator/],
    ['era5', 3857, half_map_m, half_map_m, /Mercator/],
    ['north', 3857, half_map_m, half_map_m, /Mercator/],
    ['world', 3395, half_map_m, 19_994_875.24979, /Mercator/],
    [
      'world',
      3031,
      3_333_134.0276302765,
      3_333_134.0276302765,
      /in the area of use of EPSG:3031 \(latitudes -90 to -60 /,
    ],
    ['era5', 3413, 3_323_160.270641002, 3_323_160.270641002, /in the area of use of EPSG:3413 \(latitudes 60 to 90 /],
    [
      'world',
      2154,
      378_305.8099675211,
      7_235_612.724773034,
      /of EPSG:2154 \(longitudes -9\.86 to 10\.38, latitudes 41\.15 /,
    ],
  ] as const
  for (const [name, epsg, west, north, cut] of rows) {
    const grid = suggestWarpGrid(await place(name), await createCrsFromEpsg(epsg))
    const [left, step, , top] = grid.affine
    const message = `${name} in EPSG:${epsg}: ${grid.width} × ${grid.height} of ${grid.affine.join(', ')}`
    assert.ok(Math.abs(left + west) < 1e-6 * step && Math.abs(top - north) < 1e-6 * step, message)
    assert.ok(Math.max(grid.width, grid.height) < 1500 && Math.min(grid.width, grid.height) > 2, message)
    assert.match(grid.cut ?? '', cut)
  }
})

test('a raster that lies where a projection is of no use is refused by name', async () => {
  await assert.rejects(async () => suggestWarpGrid(await place('north'), await createCrsFromEpsg(3031)), {
    kind: 'no_georeference',
    message: 'no part of the image lies in the area of use of EPSG:3031 (latitudes -90 to -60 degrees)',
  })
})

test('in its own system a raster stays as it counts', async () => {
  for (const name of ['world360', 'era5', 'seam', 'beyond'] as const) {
    const raster = await place(name)
    const { affine, width, height } = suggestWarpGrid(raster, raster.crs)
    assert.deepEqual([affine, width, height], [raster.affine, raster.width, raster.height], name)
  }
})

test('a mosaic of files on both sides of the 180° meridian lies across it', async () => {
  const system = await createCrsFromEpsg(4326)
  const at = (west: number): Raster => ({
    ...scene,
    width: 100,
    height: 50,
    crs: system,
    affine: [west, 0.1, 0, 5, 0, -0.1],
  })
  const sizeOf = (rasters: readonly Raster[]) => {
    const { width, georeferencing } = createMosaicInput(rasters)
    return [width, georeferencing.affine![0]]
  }
  assert.deepEqual(sizeOf([at(170), at(-180)]), [200, 170])
  assert.deepEqual(sizeOf([at(-180), at(170)]), [200, -190])
  assert.deepEqual(sizeOf([at(0), at(20)]), [300, 0])
  const utm: Raster = { ...(await place('utm60')), width: 100 }
  const [width] = sizeOf([at(-180), utm])
  assert.ok(width! < 150, `${width}`)
})
