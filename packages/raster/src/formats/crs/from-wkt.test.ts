import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCrsFromWkt } from './from-wkt.ts'
import { createCrsTransform } from './transform.ts'

const degree = 'UNIT["Degree",0.0174532925199433]'
const greenwich = 'PRIMEM["Greenwich",0.0]'
const airy = `GEOGCS["GCS_OSGB_1936",DATUM["D_OSGB_1936",SPHEROID["Airy_1830",6377563.396,299.3249646]],${greenwich},${degree}]`
const wgs = `GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],${greenwich},${degree}]`
const national =
  'PARAMETER["False_Easting",400000.0],PARAMETER["False_Northing",-100000.0],PARAMETER["Central_Meridian",-2.0],' +
  'PARAMETER["Scale_Factor",0.9996012717],PARAMETER["Latitude_Of_Origin",49.0],UNIT["Meter",1.0]'
const polar =
  'PROJECTION["Stereographic_North_Pole"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],' +
  'PARAMETER["Central_Meridian",-45.0],PARAMETER["Standard_Parallel_1",70.0],UNIT["Meter",1.0]'

/** Metres between where the text puts a place and where PROJ 9 does. */
async function metresOff(wkt: string, [x, y]: [number, number], [lon, lat]: [number, number]): Promise<number> {
  const crs = await createCrsFromWkt(wkt)
  assert.ok(crs, wkt)
  const [longitude, latitude] = createCrsTransform(crs).inverse(x, y)
  return 111_320 * Math.hypot((longitude - lon) * Math.cos((lat * Math.PI) / 180), latitude - lat)
}

test('text of ESRI is put where PROJ puts it, its datum shift included', async () => {
  const british = `PROJCS["British_National_Grid",${airy},PROJECTION["Transverse_Mercator"],${national}]`
  assert.ok((await metresOff(british, [400_096.829, 233_506.474], [-2, 52])) < 0.2)
  const arctic = `PROJCS["WGS_1984_NSIDC_Sea_Ice_Polar_Stereographic_North",${wgs},${polar}]`
  assert.ok((await metresOff(arctic, [0, -1_085_920.297], [-45, 80])) < 0.2)
})

test('a code at the end of the text names the system; codes inside of it do not', async () => {
  const coded = 'PROJCS["x",GEOGCS["y",AUTHORITY["EPSG","4326"]],AUTHORITY["EPSG","32633"]]'
  assert.equal((await createCrsFromWkt(coded))?.epsg, 32633)
  assert.equal((await createCrsFromWkt('PROJCRS["x",BASEGEOGCRS["y",ID["EPSG",4326]],ID["EPSG",3035]]'))?.epsg, 3035)
  const geographic = await createCrsFromWkt(wgs)
  assert.deepEqual([geographic?.epsg, geographic?.geographic, geographic?.name], [null, true, 'GCS_WGS_1984'])
})

test('a system that cannot be put on a map is null', async () => {
  const paris = `PROJCS["NTF_Paris",${airy.replace('0.0]', '2.337229166667]')},PROJECTION["Transverse_Mercator"],${national}]`
  const grads = `PROJCS["G",${airy.replace(degree, 'UNIT["Grad",0.0157079632679]')},PROJECTION["Transverse_Mercator"],${national}]`
  for (const text of ['', 'LOCAL_CS["Paper"]', 'PROJCS["', 'x'.repeat(100_000), paris, grads]) {
    assert.equal(await createCrsFromWkt(text), null, text.slice(0, 80))
  }
})
