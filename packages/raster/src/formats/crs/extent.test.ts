import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openRasterFolder } from '../../../test/make-raster.ts'
import { createDegreesToPixel } from './extent.ts'

const files = openRasterFolder()
after(() => files.close())

test('a grid in degrees of another datum is reached beyond the 180° meridian', async () => {
  for (const epsg of [4267, 4326]) {
    for (const west of [170, -190]) {
      const raster = await files.make({
        epsg,
        width: 200,
        height: 100,
        affine: [west, 0.1, 0, 60, 0, -0.1],
        value: () => 1,
      })
      const toPixel = createDegreesToPixel(raster)
      for (const longitude of [172, 185, -175, 188 - 720]) {
        const [column, row] = toPixel(longitude, 55)
        const expected = (((longitude - 170 + 720) % 360) / 20) * 200
        // The datums are a tenth of a kilometre apart, a pixel has six.
        assert.ok(Math.abs(column - expected) < 0.1, `EPSG:${epsg} from ${west}: ${longitude} is at ${column}`)
        assert.ok(Math.abs(row - 50) < 0.1, `${row}`)
      }
    }
  }
})
