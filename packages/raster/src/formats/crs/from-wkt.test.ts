import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCrsFromEpsg } from './from-code.ts'
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

test('a text that describes no system is null, and one that is not read says why', async () => {
  for (const text of ['', 'PROJCS["', 'x'.repeat(100_000), '42', 'PROJCS'])
    assert.equal(await createCrsFromWkt(text), null)
  const refusals: readonly [text: string, refusal: RegExp][] = [
    ['LOCAL_CS["Paper",UNIT["Meter",1.0]]', /LOCAL_CS/],
    [`PROJCS["x",${wgs},PROJECTION["Goode_Homolosine_Land"],UNIT["Meter",1.0]]`, /Goode Homolosine Land/],
    [`PROJCS["x",${airy},PROJECTION["Mercator_Auxiliary_Sphere"],UNIT["Meter",1.0]]`, /Web Mercator on another datum/],
    [airy.replace(degree, 'UNIT["Grad",0.0157079632679]'), /degrees/],
  ]
  for (const [text, refusal] of refusals) {
    const crs = await createCrsFromWkt(text)
    assert.equal(crs?.proj4, null, text)
    assert.match(crs.refusal ?? '', refusal)
  }
})

test('meridians other than Greenwich, angles in grads, and heights around a system are read', async () => {
  const paris = `PROJCS["x",${airy.replace('0.0]', '2.337229166667]')},PROJECTION["Transverse_Mercator"],${national}]`
  assert.ok((await metresOff(paris, [400_000, -100_000], [0.337229166667 - 0.00153, 49.00062])) < 30)
  const horizontal = `PROJCS["UTM",${wgs},PROJECTION["Transverse_Mercator"],PARAMETER["Central_Meridian",9],PARAMETER["Scale_Factor",0.9996],PARAMETER["False_Easting",500000],UNIT["Meter",1.0]]`
  const compound = `COMPD_CS["both",${horizontal},VERT_CS["EGM96",VERT_DATUM["EGM96",2005],UNIT["metre",1]]]`
  assert.ok((await metresOff(compound, [500_000, 5_538_630.703], [9, 50])) < 0.01)
})

const webMercator = (parameters: string): string =>
  `PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",${wgs},PROJECTION["Mercator_Auxiliary_Sphere"],${parameters}UNIT["Meter",1.0]]`

test('Web Mercator is the system of that code, however it is written', async () => {
  const texts = [
    webMercator('PARAMETER["Auxiliary_Sphere_Type",0.0],'),
    'PROJCRS["x",BASEGEOGCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563]]],CONVERSION["y",METHOD["Popular Visualisation Pseudo Mercator"]],CS[Cartesian,2],AXIS["x",east],AXIS["y",north],LENGTHUNIT["metre",1]]',
  ]
  for (const text of texts) {
    assert.equal((await createCrsFromWkt(text))?.epsg, 3857)
    assert.ok((await metresOff(text, [1_113_194.9079, 6_446_275.841], [10, 50])) < 0.01)
  }
  const turned = webMercator('PARAMETER["Central_Meridian",150.0],')
  assert.equal((await createCrsFromWkt(turned))?.epsg, null)
  assert.ok((await metresOff(turned, [1_113_194.9079, 6_446_275.841], [160, 50])) < 0.01)
})

test('the rotation of a rectified skew system of ESRI is read', async () => {
  const malaysia = `PROJCS["GDM_2000_MRSO",GEOGCS["GCS_GDM_2000",DATUM["D_GDM_2000",SPHEROID["GRS_1980",6378137.0,298.257222101]],${greenwich},${degree}],PROJECTION["Rectified_Skew_Orthomorphic_Natural_Origin"],PARAMETER["False_Easting",804671.0],PARAMETER["False_Northing",0.0],PARAMETER["Scale_Factor",0.99984],PARAMETER["Azimuth",-36.9742035333334],PARAMETER["Longitude_Of_Center",102.25],PARAMETER["Latitude_Of_Center",4.0],PARAMETER["XY_Plane_Rotation",-36.8698976388889],UNIT["Meter",1.0]]`
  const crs = await createCrsFromEpsg(3375)
  const place = createCrsTransform(crs).forward(102, 3)
  assert.ok((await metresOff(malaysia, place, [102, 3])) < 0.01)
})
