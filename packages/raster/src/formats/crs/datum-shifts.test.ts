import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { lonLatToCrs, crsToLonLat } from './crs.ts'
import { createCrsFromEpsg } from './from-code.ts'

interface Expected {
  readonly name: string
  readonly operation: string
  readonly places: readonly (readonly [longitude: number, latitude: number, x: number, y: number])[]
}

const file = new URL('../../../../../fixtures/datums/places.json', import.meta.url)
const expected = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Expected>)

/**
 * Both directions rotate by the linear formula, here as in PROJ: if the rotation is a minute of arc, they differ by
 * decimetres.
 */
const allowed_metres = 0.3

const metresBetween = ([lon, lat]: readonly [number, number], [longitude, latitude]: readonly number[]): number => {
  const east = (((lon - longitude! + 540) % 360) - 180) * Math.cos((lat * Math.PI) / 180)
  return 111_320 * Math.hypot(east, lat - latitude!)
}

test('systems with a datum of their own lie where the best operation of PROJ without grids puts them', async () => {
  assert.ok(expected.length > 100)
  for (const [code, { name, operation, places }] of expected) {
    const crs = await createCrsFromEpsg(Number(code))
    for (const [longitude, latitude, x, y] of places) {
      const metres = metresBetween(crsToLonLat(crs, x, y), [longitude, latitude])
      assert.ok(metres < allowed_metres, `EPSG:${code} (${name}) is ${metres} m off ${operation}`)
      const back = crsToLonLat(crs, ...lonLatToCrs(crs, longitude, latitude))
      assert.ok(metresBetween(back, [longitude, latitude]) < allowed_metres, `EPSG:${code} is not put back`)
    }
  }
})

test('systems in grads, which proj4 text cannot say, are not known', async () => {
  for (const code of [4807, 7400])
    await assert.rejects(createCrsFromEpsg(code), /no system that is read has this code|heights beside/)
})
