import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { createProcessInput, type RasterProcess } from '@swath/raster'
import { runVectorProcess } from '../../packages/raster/src/cog/features/vector-process.ts'
import { createZone } from '../prove/analytics/random-zones.ts'
import { createRandom } from '../prove/harness/random.ts'
import type { OracleSession } from './oracle-session.ts'

const scene = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/rasters/scenes/${name}.tif`, import.meta.url))

interface TerrainCase {
  readonly process: Extract<RasterProcess, { name: 'terrain' }>
  /** Of `gdal.DEMProcessing`. */
  readonly options: object
  /** By which a sample may differ: single precision, and a rounded half of a hillshade. */
  readonly step: number
}

const terrainCases: readonly TerrainCase[] = [
  { process: { name: 'terrain', measure: 'slope', scale: 'projected' }, options: {}, step: 1e-4 },
  {
    process: { name: 'terrain', measure: 'slope', slope_unit: 'percent', z_factor: 1, scale: 'projected' },
    options: { slopeFormat: 'percent' },
    step: 1e-3,
  },
  { process: { name: 'terrain', measure: 'aspect', scale: 'projected' }, options: {}, step: 1e-3 },
  {
    process: { name: 'terrain', measure: 'hillshade', azimuth: 300, altitude: 30, z_factor: 2, scale: 'projected' },
    options: { azimuth: 300, altitude: 30, zFactor: 2 },
    step: 1,
  },
]

/** Checks processes against gdaldem, gdal_sieve, gdal_pansharpen, gdal_rasterize, gdal_contour, gdal_polygonize and numpy. Returns how many files were written. */
export async function checkProcesses(session: OracleSession): Promise<number> {
  let written = 0
  for (const check of [
    checkTerrain,
    checkSieves,
    checkMedian,
    checkPansharpen,
    checkRasterize,
    checkContours,
    checkPolygons,
  ])
    written += await check(session)
  return written
}

async function compareProcess(
  { validator, write, report }: OracleSession,
  name: string,
  {
    input,
    theirs,
    step,
    share,
  }: {
    readonly input: Awaited<ReturnType<typeof createProcessInput>>
    readonly theirs: string
    readonly step: number
    readonly share: number
  },
): Promise<void> {
  const ours = await write(name.replaceAll(/[^a-z0-9]+/g, '-'), input)
  const { shapes, samples, beyond, masks, largest } = await validator.compare(ours, theirs, { step })
  const difference = `${beyond} of ${samples} samples exceed the tolerance (up to ${Number(largest.toPrecision(3))}), ${masks} of the mask`
  const isFine = shapes === null && masks === 0 && beyond <= share * samples
  report(`${name}: ${difference}`, isFine ? [] : [shapes ? `shapes are ${JSON.stringify(shapes)}` : difference])
}

async function checkTerrain(session: OracleSession): Promise<number> {
  const file = scene('elevation-stormlake')
  const raster = await session.open(file)
  for (const { process, options, step } of terrainCases) {
    const input = await createProcessInput([raster], process)
    const theirs = await session.validator.terrain(file, process.measure, options)
    await compareProcess(session, `${process.measure} ${JSON.stringify(options)}`, { input, theirs, step, share: 0 })
  }
  return terrainCases.length
}

/** Two neighbours of one size are a tie, in which either may win. */
const share_of_ties = 0.002

async function checkSieves(session: OracleSession): Promise<number> {
  const cases = [
    { name: 'elkton-labels', band: 0, min_pixels: 8, connectedness: 4 },
    { name: 'exe-laea', band: 2, min_pixels: 5, connectedness: 4 },
    { name: 'exe-laea', band: 2, min_pixels: 20, connectedness: 8 },
  ] as const
  for (const { name, ...options } of cases) {
    const raster = await session.open(scene(name))
    const input = await createProcessInput([raster], { name: 'sieve', ...options })
    const theirs = await session.validator.sieve(scene(name), options)
    await compareProcess(session, `sieve of ${name} below ${options.min_pixels} pixels, ${options.connectedness}`, {
      input,
      theirs,
      step: 0,
      share: share_of_ties,
    })
  }
  return cases.length
}

async function checkMedian({ validator, ...session }: OracleSession): Promise<number> {
  const files: string[] = []
  for (const seed of [1, 2, 3, 4])
    files.push(await validator.make({ name: `median-${seed}`, type: 'uint16', bands: 1, nodata: '0', seed }))
  const rasters = []
  for (const file of files) rasters.push(await session.open(file))
  const input = await createProcessInput(rasters, { name: 'mosaic', pixelSelection: 'median' })
  const theirs = await validator.median(files)
  await compareProcess({ validator, ...session }, 'median of four files', { input, theirs, step: 0, share: 0 })
  return 1
}

/** A rounded half. */
const pansharpen_step = 1

async function checkPansharpen(session: OracleSession): Promise<number> {
  const { validator } = session
  const [width, height] = [240, 200]
  const spectral = await validator.make({
    name: 'spectral',
    type: 'uint16',
    bands: 3,
    size: [width, height],
    transform: [500_000, 20, 0, 5_000_000, 0, -20],
    seed: 5,
  })
  const pan = await validator.make({ name: 'pan', type: 'uint16', size: [2 * width, 2 * height], seed: 6 })
  const rasters = [await session.open(pan), await session.open(spectral)]
  const places = [0, 1, 2].map((band) => ({ raster: 1, band }))
  const input = await createProcessInput(rasters, {
    name: 'pansharpen',
    pan: { raster: 0, band: 0 },
    spectral: places,
    resampling: 'bilinear',
  })
  const theirs = await validator.pansharpen(pan, spectral)
  await compareProcess(session, 'pan-sharpened bands', { input, theirs, step: pansharpen_step, share: 0 })
  return 1
}

async function checkRasterize(session: OracleSession): Promise<number> {
  const file = scene('bolzano')
  const raster = await session.open(file)
  const random = createRandom(7)
  const areas = Array.from({ length: 40 }, (_, at) => [createZone(raster, random, 120), at + 1] as const)
  const input = await createProcessInput([raster], {
    name: 'rasterize',
    areas: areas.map(([area, value]) => ({ area, value })),
    sampleType: 'uint8',
    background: 0,
  })
  const theirs = await session.validator.rasterize(file, areas)
  await compareProcess(session, 'rasterized areas', { input, theirs, step: 0, share: 0 })
  return 1
}

/** Of the length of a level: coordinates are rounded, and gdal_contour moves values that equal a level. */
const contour_tolerance = 1e-3

/** Contours of a surface without holes, at levels that no sample equals. */
async function checkContours({ validator, open, report }: OracleSession): Promise<number> {
  const file = scene('elevation-stormlake')
  const raster = await open(file)
  const levels = { interval: 1.3, base: 0.017 }
  const path = join(validator.folder, 'ours.geojson')
  const features = await runVectorProcess([raster], { path, process: { name: 'contours', band: 0, ...levels } })
  const found = await validator.contours(file, path, levels)
  const problems = found.levels.flatMap(([level, ours, theirs]) =>
    Math.abs(ours - theirs) <= contour_tolerance * theirs ? [] : [`level ${level} has ${ours} m, of GDAL ${theirs} m`],
  )
  report(`contours: ${features} lines of ${found.levels.length} levels have the length of gdal_contour`, problems)
  return 1
}

/** Relative, of areas on the plane: positions are rounded to a millimetre, of pixels of ten metres. */
const area_tolerance = 2e-4

/** The features and the area of each value are those of gdal_polygonize. */
async function checkPolygons({ validator, short, open, report }: OracleSession): Promise<number> {
  const cases = [
    { name: 'elkton-labels', band: 0 },
    { name: 'exe-laea', band: 2 },
    // A hundred thousand areas, which take most of the time.
    ...(short ? [] : [{ name: 'bolzano', band: 0 }]),
  ]
  const path = join(validator.folder, 'ours.geojson')
  for (const { name, band } of cases)
    for (const connectedness of [4, 8] as const) {
      const raster = await open(scene(name))
      const features = await runVectorProcess([raster], { path, process: { name: 'vectorize', band, connectedness } })
      const { values, invalid } = await validator.polygons(scene(name), path, { band, connectedness })
      const problems = values.flatMap(([value, ours, theirs]) => {
        const isSame = ours[0] === theirs[0] && Math.abs(ours[1] - theirs[1]) <= area_tolerance * theirs[1]
        return isSame ? [] : [`value ${value} has ${ours[0]} areas of ${ours[1]} m², of GDAL ${theirs.join(' of ')} m²`]
      })
      if (invalid > 0) problems.push(`${invalid} polygons are not valid`)
      report(
        `polygons of ${name}, ${connectedness}: ${features} areas of ${values.length} values as gdal_polygonize`,
        problems,
      )
    }
  return 2 * cases.length
}
