import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCrsFromEpsg, createCrsTransform, withAreaShift } from '@swath/raster'
import { resolveVectorCrs } from './source-crs.ts'

/** UTM 20N on NAD27 as ESRI writes it: without a shift. */
const novaScotia =
  'PROJCS["NAD_1927_UTM_Zone_20N",GEOGCS["GCS_North_American_1927",DATUM["D_North_American_1927",SPHEROID["Clarke_1866",6378206.4,294.9786982]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-63.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]'

test('a datum with several shifts has the one of the place of the data, by text and by code', async () => {
  const place = [450_000, 4_950_000] as const
  const crs = await createCrsFromEpsg(26720)
  const expected = createCrsTransform(withAreaShift(crs, place)).inverse(...place)
  const ofContinent = createCrsTransform(crs).inverse(...place)
  assert.ok(111_320 * Math.abs(expected[1] - ofContinent[1]) > 5, 'the two shifts differ by metres')
  for (const name of [{ wkt: novaScotia }, { name: 'EPSG:26720' }]) {
    const { toDegrees } = await resolveVectorCrs(name)
    const [longitude, latitude] = toDegrees!(...place)
    assert.ok(Math.hypot(longitude - expected[0], latitude - expected[1]) < 1e-7, JSON.stringify(name).slice(0, 40))
  }
})
