import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { solveInverseGeodesic } from '@swath/geo/geodesic.ts'
import { writePlacedScene, type PlacedScene } from '../../../test/placed-scene.ts'
import { crsToLonLat, lonLatToCrs } from '../../formats/crs/crs.ts'
import { createCrsFromEpsg } from '../../formats/crs/from-code.ts'
import type { Crs, Raster } from '../../types.ts'
import { createTerrainInput, type TerrainInputOptions } from './terrain.ts'

const folder = mkdtempSync(join(tmpdir(), 'gradient-'))
const opened: Raster[] = []
after(async () => {
  for (const raster of opened) await raster.source.close()
  rmSync(folder, { recursive: true })
})

async function make(scene: Omit<PlacedScene, 'type'>): Promise<Raster> {
  const raster = await writePlacedScene(folder, `${opened.length}`, { type: 'float32', ...scene })
  opened.push(raster)
  return raster
}

/** The values of a measure by column and row. */
async function measure(raster: Raster, options: TerrainInputOptions): Promise<(column: number, row: number) => number> {
  const { width, height, readRows } = createTerrainInput(raster, options)
  const { data, mask } = await readRows(0, height)
  return (column, row) => (mask![row * width + column] === 0 ? Number.NaN : data[row * width + column]!)
}

const valueAt = async (raster: Raster, [column, row]: readonly [number, number], options: TerrainInputOptions) =>
  (await measure(raster, options))(column, row)

const distance = (crs: Crs, from: readonly [number, number], to: readonly [number, number]): number =>
  solveInverseGeodesic(...crsToLonLat(crs, ...from), ...crsToLonLat(crs, ...to))!.metres

/** A plane that rises by a tenth of its length along x, around a place. */
async function makePlane(epsg: number, at: readonly [number, number], pixel: number) {
  const crs = await createCrsFromEpsg(epsg)
  const [x, y] = lonLatToCrs(crs, ...at)
  const earth_m = distance(crs, [x - 10, y], [x + 10, y]) / 20
  const affine = [x - 20 * pixel, pixel, 0, y + 20 * pixel, 0, -pixel] as const
  return make({ crs, affine, width: 40, height: 40, value: (column) => column * pixel * earth_m * 0.1 })
}

const degrees_of_tenth = (Math.atan(0.1) * 180) / Math.PI

test('a slope is that on the earth in any projection', async () => {
  for (const [epsg, at] of [
    [3857, [10, 60]],
    [3857, [179.9, -75]],
    [3395, [-20, 48]],
    [32_633, [15, 50]],
    [32_633, [21, 10]],
    [3413, [40, 62]],
    [3031, [40, -89.9]],
    [2154, [3, 46]],
    [3035, [35, 65]],
    [6933, [10, 55]],
    [5070, [-70, 28]],
    [27_700, [-2, 54]],
    [2263, [-74, 40.7]],
  ] as const) {
    const slope = await valueAt(await makePlane(epsg, at, 20), [20, 20], { measure: 'slope' })
    // In a system that keeps no angles the slope along x is not the steepest one.
    const isConformal = ![3035, 6933, 5070].includes(epsg)
    const allowed = isConformal ? 2e-3 : 0.02 * degrees_of_tenth
    assert.ok(slope >= degrees_of_tenth - 2e-3 && slope <= degrees_of_tenth + allowed, `EPSG:${epsg}: ${slope}`)
  }
})

test('in units of the projection a slope is that of gdaldem', async () => {
  const plane = await makePlane(3857, [10, 60], 20)
  // gdaldem slope 3.6.2 on the plane of `21_slope_in_web_mercator.py`.
  const slope = await valueAt(plane, [20, 20], { measure: 'slope', scale: 'projected' })
  assert.ok(Math.abs(slope - 2.8696) < 2e-3, `${slope}`)
})

test('the direction of a slope stays that on the grid, and its shade that of the slope on the earth', async () => {
  const plane = await makePlane(3857, [10, 60], 20)
  for (const scale of ['local', 'projected'] as const)
    assert.equal(await valueAt(plane, [20, 20], { measure: 'aspect', scale }), 270)
  const shade = (tangent: number): number => {
    const light = [Math.sin((315 * Math.PI) / 180) * Math.SQRT1_2, Math.SQRT1_2] as const
    return Math.floor(1 + (254 * (light[1] - tangent * light[0])) / Math.sqrt(1 + tangent * tangent) + 0.5)
  }
  assert.equal(await valueAt(plane, [20, 20], { measure: 'hillshade' }), shade(0.1))
  assert.equal(
    await valueAt(plane, [20, 20], { measure: 'hillshade', scale: 'projected' }),
    shade(Math.tan((2.8696 * Math.PI) / 180)),
  )
})

test('the scale changes over an image of the world, and between the places where it is computed', async () => {
  const crs = await createCrsFromEpsg(3857)
  const pixel = 40_000
  const world = await make({
    crs,
    affine: [-8_000_000, pixel, 0, 16_000_000, 0, -pixel],
    width: 400,
    height: 800,
    value: (column) => column * 4000,
  })
  const slopeAt = await measure(world, { measure: 'slope', slope_unit: 'percent' })
  for (const row of [3, 50, 201, 400, 650, 796]) {
    const [, latitude] = crsToLonLat(crs, 0, 16_000_000 - (row + 0.5) * pixel)
    const stretched =
      distance(crs, [-10, 16_000_000 - (row + 0.5) * pixel], [10, 16_000_000 - (row + 0.5) * pixel]) / 20
    const expected = 10 / stretched
    const slope = slopeAt(77, row)
    assert.ok(Math.abs(slope - expected) < 0.007 * expected, `at ${latitude}: ${slope}, not ${expected}`)
  }
})

test('a pole inside of the image has a slope like its surroundings, and what lies in space has none', async () => {
  const crs = await createCrsFromEpsg(3413)
  const value = (column: number): number => column * 10
  const around = await make({ crs, affine: [-2000, 100, 0, 2000, 0, -100], width: 40, height: 40, value })
  const slopeAt = await measure(around, { measure: 'slope' })
  const slopes = [slopeAt(19, 19), slopeAt(20, 20), slopeAt(19, 20), slopeAt(3, 30)]
  assert.ok(Math.max(...slopes) - Math.min(...slopes) < 1e-3, slopes.join())
  const proj4 = '+proj=geos +h=35786023 +lon_0=-75 +sweep=x +ellps=GRS80'
  const goes: Crs = { epsg: null, proj4, name: 'GOES', geographic: false }
  const affine = [-5_500_000, 50_000, 0, 5_500_000, 0, -50_000] as const
  const disc = await make({ crs, affine, width: 220, height: 220, value: (x, y) => 100 * x + 50 * y })
  const inSpace = await measure({ ...disc, crs: goes }, { measure: 'slope' })
  assert.ok(Number.isNaN(inSpace(2, 2)))
  assert.ok(inSpace(205, 110) > 0 && inSpace(205, 110) < inSpace(110, 110))
})
