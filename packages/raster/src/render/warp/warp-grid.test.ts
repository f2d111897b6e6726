import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openRasterFolder } from '../../../test/make-raster.ts'
import { createCrsFromEpsg } from '../../formats/crs/from-code.ts'
import { prepareWarp } from './warp-grid.ts'

const files = openRasterFolder()
after(() => files.close())

test('a raster in degrees of another datum is warped on both sides of the 180° meridian', async () => {
  const affine = [170, 0.1, 0, 60, 0, -0.1] as const
  const raster = await files.make({ epsg: 4267, width: 200, height: 100, affine, value: () => 1 })
  const grid = { crs: await createCrsFromEpsg(4326), affine, width: 200, height: 100 }
  const { exactTransform } = prepareWarp(raster, grid, 'nearest')
  for (const column of [20, 80, 120, 180]) {
    const [x, y] = exactTransform(column, 50)
    // The datums are a tenth of a kilometre apart, a pixel has six.
    assert.ok(Math.abs(x - column) < 0.1 && Math.abs(y - 50) < 0.1, `${column} is at ${x}, ${y}`)
  }
})
