import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { RasterFailure } from '../../failures.ts'
import { computeRasterStatistics } from '../../compute/statistics/raster-statistics.ts'
import { readTile } from '../../render/warp/tile.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { openRaster } from '../open-raster.ts'
import { readWindow } from '../../compute/window/read-window.ts'
import type { Crs, Raster } from '../../types.ts'
import { lonLatToCrs, crsToLonLat } from './crs.ts'
import { resolveCrs } from './resolve.ts'

type Keys = readonly (readonly [key: number, value: number | number[] | string])[]
type Place = readonly [x: number, y: number, longitude: number, latitude: number]
type Case = readonly [name: string, keys: Keys, places: readonly Place[]]

/** Keys as GDAL 3.6.2 writes them, zeros left out, and places by PROJ 9.1.1 without grids. */
const cases: readonly Case[] = [
  [
    'Polar Stereographic A',
    [
      [1024, 1],
      [2048, 4326],
      [2054, 9102],
      [2057, 6378137],
      [2059, 298.257223563],
      [3072, 32767],
      [3075, 15],
      [3076, 9001],
      [3081, 90],
      [3082, 2000000],
      [3083, 2000000],
      [3092, 0.994],
    ],
    [
      [2500000, 1400000, 39.805571092, 82.973711049],
      [1100000, 2900000, -135.0, 78.572365815],
    ],
  ],
  [
    'Polar Stereographic B',
    [
      [1024, 1],
      [2048, 4326],
      [2054, 9102],
      [2057, 6378137],
      [2059, 298.257223563],
      [3072, 32767],
      [3075, 15],
      [3076, 9001],
      [3081, -71],
      [3092, 1],
      [3095, 30],
    ],
    [
      [-1200000, 2300000, 2.447188423, -66.447593958],
      [900000, -400000, 143.962488975, -80.953528136],
    ],
  ],
  [
    'Mercator B',
    [
      [1024, 1],
      [2048, 4326],
      [2054, 9102],
      [2057, 6378137],
      [2059, 298.257223563],
      [3072, 32767],
      [3075, 7],
      [3076, 9001],
      [3078, 42],
      [3080, 51],
    ],
    [
      [-4000000, 3000000, 2.720419662, 34.193815501],
      [2500000, -5000000, 81.174737711, -51.731052156],
    ],
  ],
  [
    'Equidistant Cylindrical',
    [
      [1024, 1],
      [2048, 4326],
      [2054, 9102],
      [2057, 6378137],
      [2059, 298.257223563],
      [3072, 32767],
      [3075, 17],
      [3076, 9001],
      [3078, 45],
      [3088, 10],
    ],
    [
      [-6000000, 4000000, -66.224579485, 35.932611365],
      [3000000, -7000000, 48.112289743, -62.882069888],
    ],
  ],
  [
    'Cassini-Soldner',
    [
      [1024, 1],
      [2048, 4326],
      [2054, 9102],
      [2057, 6378137],
      [2059, 298.257223563],
      [3072, 32767],
      [3075, 18],
      [3076, 9001],
      [3080, -61.33],
      [3081, 10.44],
      [3082, 86501.46],
      [3083, 65379.01],
    ],
    [
      [-900000, 800000, -70.59116087, 16.868658365],
      [1100000, -1000000, -52.224707504, 0.795964947],
    ],
  ],
  [
    'Miller Cylindrical',
    [
      [1024, 1],
      [2048, 4326],
      [2054, 9102],
      [2057, 6378137],
      [2059, 298.257223563],
      [3072, 32767],
      [3075, 20],
      [3076, 9001],
      [3088, 10],
    ],
    [
      [-9000000, 7000000, -70.938853302, 56.128775895],
      [4000000, -3000000, 45.97282369, -26.363259376],
    ],
  ],
  [
    'Van der Grinten',
    [
      [1024, 1],
      [2048, 4326],
      [2054, 9102],
      [2057, 6378137],
      [2059, 298.257223563],
      [3072, 32767],
      [3075, 25],
      [3076, 9001],
      [3088, 10],
    ],
    [
      [-7000000, 6000000, -58.376434808, 48.048755935],
      [3000000, -4000000, 38.075319879, -34.447956785],
      [0, 0, 10.0, 0.0],
    ],
  ],
  [
    'Orthographic',
    [
      [1024, 1],
      [2048, 4326],
      [2054, 9102],
      [2057, 6378137],
      [2059, 298.257223563],
      [3072, 32767],
      [3075, 21],
      [3076, 9001],
      [3088, 10],
      [3089, 40],
    ],
    [
      [-3000000, 2000000, -37.462083522, 50.425498173],
      [2500000, -3100000, 33.273927304, 7.27927812],
    ],
  ],
  [
    'Hotine Oblique Mercator B',
    [
      [1024, 1],
      [2048, 4326],
      [2054, 9102],
      [2057, 6378137],
      [2059, 298.257223563],
      [3072, 32767],
      [3075, 9815],
      [3076, 9001],
      [3082, 590476.87],
      [3083, 442857.65],
      [3088, 115],
      [3089, 4],
      [3093, 0.99984],
      [3094, 53.31582],
      [3096, 53.1301],
    ],
    [
      [600000, 500000, 115.087489699, 4.516542431],
      [1100000, 300000, 119.574206677, 2.679921789],
    ],
  ],
  [
    'Lambert in US survey feet',
    [
      [1024, 1],
      [2048, 4269],
      [2054, 9102],
      [2057, 6378137],
      [2059, 298.257222101],
      [3072, 32767],
      [3075, 8],
      [3076, 9003],
      [3078, 20],
      [3079, 60],
      [3084, -96],
      [3085, 40],
      [3086, 999998],
    ],
    [
      [3000000, 1000000, -88.076915484, 42.655935061],
      [-2000000, -1500000, -106.645768428, 35.088879856],
    ],
  ],
  [
    'a prime meridian of its own',
    [
      [1024, 1],
      [2048, 32767],
      [2054, 9102],
      [2057, 6377397.155],
      [2059, 299.1528128],
      [2061, -17.666666666666664],
      [3072, 32767],
      [3075, 1],
      [3076, 9001],
      [3080, 9],
      [3082, 3500000],
      [3092, 1],
    ],
    [
      [3400000, 5400000, -10.02617713, 48.730521689],
      [3600000, 5600000, -7.256167, 50.528406756],
    ],
  ],
  [
    'UTM on a datum with three parameters',
    [
      [1024, 1],
      [2048, 32767],
      [2054, 9102],
      [2057, 6378388],
      [2059, 297],
      [2061, 0],
      [2062, [-87, -98, -121]],
      [3072, 32767],
      [3074, 16032],
      [3076, 9001],
    ],
    [
      [400000, 5000000, 7.726958849, 45.144597985],
      [600000, 6000000, 10.529353224, 54.136552382],
    ],
  ],
  [
    'Krovak in a citation',
    [
      [1024, 32767],
      [2048, 32767],
      [2054, 9102],
      [2057, 6377397.155],
      [2059, 299.1528128],
      [2061, 0],
      [
        3073,
        'ESRI PE String = PROJCS["unknown",GEOGCS["GCS_unknown",DATUM["D_Unknown_based_on_Bessel_1841_ellipsoid",SPHEROID["Bessel_1841",6377397.155,299.1528128]],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]],PROJECTION["Krovak"],PARAMETER["False_Easting",0],PARAMETER["False_Northing",0],PARAMETER["Pseudo_Standard_Parallel_1",78.5],PARAMETER["Scale_Factor",0.9999],PARAMETER["Azimuth",30.2881397222222],PARAMETER["Longitude_Of_Center",24.8333333333333],PARAMETER["Latitude_Of_Center",49.5],PARAMETER["X_Scale",-1],PARAMETER["Y_Scale",1],PARAMETER["XY_Plane_Rotation",90],UNIT["Meter",1]]',
      ],
      [3076, 9001],
    ],
    [
      [-600000, -1100000, 16.493406376, 49.737078997],
      [-300000, -1250000, 20.762260011, 48.610517714],
    ],
  ],
  [
    'a geostationary view that sweeps along x',
    [
      [1024, 32767],
      [2048, 32767],
      [2054, 9102],
      [2056, 7019],
      [2057, 6378137],
      [2059, 298.257222101],
      [2061, 0],
      [
        3073,
        'ESRI PE String = PROJCS["unknown",GEOGCS["unknown",DATUM["Unknown based on GRS80 ellipsoid",SPHEROID["GRS 1980",6378137,298.257222101,AUTHORITY["EPSG","7019"]]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]]],PROJECTION["Geostationary_Satellite"],PARAMETER["central_meridian",-75],PARAMETER["satellite_height",35786023],PARAMETER["false_easting",0],PARAMETER["false_northing",0],UNIT["metre",1,AUTHORITY["EPSG","9001"]],AXIS["Easting",EAST],AXIS["Northing",NORTH],EXTENSION["PROJ4","+proj=geos +sweep=x +lon_0=-75 +h=35786023 +x_0=0 +y_0=0 +ellps=GRS80 +units=m +no_defs"]]',
      ],
      [3076, 9001],
    ],
    [
      [-2000000, 3000000, -96.92836691, 29.3664154],
      [3500000, -2000000, -37.403652354, -19.273362646],
    ],
  ],
  [
    'a geostationary view on an ellipsoid of its own',
    [
      [1024, 32767],
      [2048, 32767],
      [2054, 9102],
      [2057, 6378169],
      [2059, 295.488065897001],
      [2061, 0],
      [
        3073,
        'ESRI PE String = PROJCS["unknown",GEOGCS["GCS_unknown",DATUM["D_unknown",SPHEROID["unknown",6378169,295.488065897001]],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]],PROJECTION["Geostationary_Satellite"],PARAMETER["False_Easting",0],PARAMETER["False_Northing",0],PARAMETER["Longitude_Of_Center",0],PARAMETER["Height",35785831],PARAMETER["Option",0],UNIT["Meter",1]]',
      ],
      [3076, 9001],
    ],
    [
      [-2000000, 3000000, -21.858849888, 29.418465511],
      [3500000, -2000000, 37.55326038, -19.370659661],
    ],
  ],
]

/** The middle of the zone at 3900 km by EPSG 1175, which PROJ takes there. */
const nad27California = [-117.000871422, 35.244852952]

const max_metres = 0.01

const resolve = (keys: Keys, position?: readonly [number, number]): Promise<Crs> => resolveCrs(new Map(keys), position)

const metresBetween = ([lon, lat]: readonly [number, number], [longitude, latitude]: readonly number[]): number =>
  111_320 * Math.hypot((lon - longitude!) * Math.cos((lat * Math.PI) / 180), lat - latitude!)

for (const [name, keys, places] of cases)
  test(`${name}, by GeoKeys alone, lies where PROJ puts it, and back`, async () => {
    const crs = await resolve(keys)
    for (const [x, y, ...expected] of places) {
      const metres = metresBetween(crsToLonLat(crs, x, y), expected)
      assert.ok(metres <= max_metres, `${x}, ${y} is ${metres} m off`)
      const back = metresBetween(crsToLonLat(crs, ...lonLatToCrs(crs, ...expected)), expected)
      assert.ok(back <= max_metres, `${x}, ${y} comes back ${back} m off`)
    }
  })

const esriDefinition =
  'ESRI PE String = PROJCS["x",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],'

test('the citation of ESRI goes before the keys, and names polar stereographic in its own way', async () => {
  const wkt = `${esriDefinition}PROJECTION["Stereographic_South_Pole"],PARAMETER["Central_Meridian",30.0],PARAMETER["Standard_Parallel_1",-71.0],UNIT["Meter",1.0]]`
  const ofCitation = await resolve([...polar([3075, 1]), [3073, wkt]])
  const ofKeys = await resolve(polar([3081, -71], [3095, 30]))
  assert.deepEqual(crsToLonLat(ofCitation, -1.2e6, 2.3e6), crsToLonLat(ofKeys, -1.2e6, 2.3e6))
})

const polar = (...more: Keys): Keys => [[1024, 1], [2048, 4326], [3072, 32_767], [3075, 15], [3076, 9001], ...more]

test('codes of ellipsoid, prime meridian and unit say the same as their sizes', async () => {
  const mercator: Keys = [
    [1024, 1],
    [2048, 32_767],
    [3072, 32_767],
    [3075, 7],
    [3080, 5],
  ]
  const byCode = await resolve([...mercator, [2056, 7022], [2051, 8909], [3076, 9003]])
  const bySize = await resolve([
    ...mercator,
    [2057, 6_378_388],
    [2059, 297],
    [2061, -(17 + 40 / 60)],
    [3076, 32_767],
    [3077, 1200 / 3937],
  ])
  const [ofCode, ofSize] = [crsToLonLat(byCode, 3e6, 4e6), crsToLonLat(bySize, 3e6, 4e6)]
  assert.ok(metresBetween(ofCode, ofSize) < 1e-6, `${ofCode.join()} is not ${ofSize.join()}`)
})

test('a code of NAD27 takes the shift of the part of America where the file lies, unless the file has its own', async () => {
  const california: readonly [number, number] = [500_000, 3_900_000]
  const byCode = await resolve([[3072, 26_711]], california)
  assert.ok(metresBetween(crsToLonLat(byCode, ...california), nad27California) < max_metres)
  assert.equal(byCode.epsg, 26_711)
  const canada = await resolve([[3072, 26_711]], [500_000, 6_300_000])
  assert.match(canada.proj4 ?? '', /towgs84=4,159,188|towgs84=-7,162,188/)
  const own = await resolve(
    [
      [1024, 1],
      [2048, 32_767],
      [2056, 7008],
      [2062, [-8, 160, 176]],
      [3074, 16_011],
    ],
    california,
  )
  assert.match(own.proj4 ?? '', /towgs84=-8,160,176/)
})

const refusals: readonly (readonly [keys: Keys, named: RegExp])[] = [
  [polar([3075, 2]), /Transverse Mercator, modified for Alaska/],
  [polar([3075, 4]), /Laborde/],
  [polar([3075, 27]), /South Orientated/],
  [polar([3075, 99]), /number 99/],
  [polar([3075, 19], [3088, 10], [3089, 40]), /Gnomonic/],
  [polar([3081, 70], [3092, 0.99]), /a latitude of true scale and a scale/],
  [polar([2048, 32_767], [2050, 1111]), /datum, EPSG:1111/],
  [polar([2048, 32_767], [2056, 7999]), /ellipsoid, EPSG:7999/],
  [polar([3076, 9999]), /unit, EPSG:9999/],
  [
    [
      [1024, 1],
      [3072, 32_767],
      [3074, 10_101],
    ],
    /projection, EPSG:10101/,
  ],
  [
    [
      [1024, 1],
      [3072, 2053],
    ],
    /EPSG:2053/,
  ],
  [polar([3073, `${esriDefinition}PROJECTION["Winkel_Tripel"],UNIT["Meter",1.0]]`]), /Winkel Tripel/],
  [polar([3073, 'ESRI PE String = PROJCS["broken']), /cannot be read/],
]

test('an unsupported system is refused by its name, never guessed', async () => {
  for (const [keys, named] of refusals) {
    const crs = await resolve(keys)
    assert.equal(crs.proj4, null, String(named))
    assert.throws(
      () => crsToLonLat(crs, 0, 0),
      (error) => error instanceof RasterFailure && error.kind === 'no_georeference' && named.test(error.message),
      String(named),
    )
  }
})

test('pixels of another body can be read and counted, but not put on the map of the Earth', async () => {
  const scene = await openScene('elkton-red.tif')
  for (const [radius, body] of [
    [3_396_190, /Mars/],
    [1_560_800, /Europa/],
    [1_737_400, /the Moon/],
    [470, /0\.47 km/],
  ] as const) {
    const keys: Keys = [
      [1024, 1],
      [2048, 32_767],
      [2057, radius],
      [2058, radius],
      [3072, 32_767],
      [3075, 17],
    ]
    const raster: Raster = { ...scene, crs: await resolve(keys), affine: [0, 1000, 0, 0, 0, -1000] }
    assert.equal((await readWindow(raster, { window: [0, 0, 4, 4] })).width, 4)
    assert.ok((await computeRasterStatistics(raster)).bands[0]!.count > 0)
    await assert.rejects(readTile(raster, { z: 0, x: 0, y: 0, size: 256 }), body)
  }
})

test('a geostationary view of a satellite with an ellipsoid of its own is georeferenced', async () => {
  const scene = await openScene('elkton-red.tif')
  const [, keys] = cases.find(([name]) => name.includes('ellipsoid of its own'))!
  const step = 8e6 / scene.width
  const affine = [-4e6, step, 0, 4e6, 0, -8e6 / scene.height] as const
  const tile = await readTile({ ...scene, crs: await resolve(keys), affine }, { z: 0, x: 0, y: 0, size: 256 })
  assert.ok(tile.mask.filter((valid) => valid === 255).length > 2000)
})

async function openScene(name: string): Promise<Raster> {
  const file = new URL(`../../../../../fixtures/rasters/scenes/${name}`, import.meta.url)
  return openRaster(createMemorySource(readFileSync(file), name))
}
