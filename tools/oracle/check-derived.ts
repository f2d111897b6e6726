import { copyFile } from 'node:fs/promises'
import {
  changeSource,
  clipSource,
  crsFromCode,
  expressionSource,
  mosaicSource,
  reprojectSource,
  suggestGrid,
  wholeNumbers,
} from '@swath/raster'
import type { CogInput, Raster, Resampling, TargetGrid } from '@swath/raster'
import type { Comparison, Making } from './write-judge.ts'
import type { WriteTrial } from './write-trial.ts'

const TARGETS = [3857, 4326, 3035]

/** Every resampling method, and every reference system with nearest or interpolated samples. */
const SHORT_GRIDS: Readonly<Record<number, readonly Resampling[]>> = {
  3857: ['nearest', 'cubic'],
  4326: ['bilinear', 'average'],
  3035: ['cubic'],
}

/** Per resampling method: GDAL's name, the tolerance of samples, and the share that may exceed it. */
const RESAMPLINGS: Readonly<Record<Resampling, readonly [name: string, step: number, share: number]>> = {
  nearest: ['near', 0, 0.001],
  bilinear: ['bilinear', 1, 0],
  cubic: ['cubic', 2, 0.001],
  average: ['average', 2, 0.001],
}

const SCENE: Making = { name: 'scene', type: 'uint16', bands: 3, nodata: '0' }

/** A star with a hole, in degrees, within the generated images. */
const AREA = {
  type: 'Polygon' as const,
  coordinates: [starAround(15.045, 45.125, 0.035, 0.02), starAround(15.045, 45.125, 0.008, 0.005)],
}

function starAround(x: number, y: number, across: number, up: number): [number, number][] {
  const points = Array.from({ length: 26 }, (_, at): [number, number] => {
    const turn = (at / 26) * 2 * Math.PI
    const reach = at % 2 === 0 ? 1 : 0.45
    return [x + across * reach * Math.cos(turn), y + up * reach * Math.sin(turn)]
  })
  return [...points, points[0]!]
}

/** Checks reprojected, clipped, computed and mosaicked images. Returns how many files were written. */
export async function checkDerived(trial: WriteTrial): Promise<number> {
  const checks = [checkGrids, checkShrunkGrid, checkClips, checkFormulas, checkMosaics]
  let written = 0
  for (const check of checks) written += await check(trial)
  return written
}

/** Reprojection onto the grid that gdalwarp would choose. */
async function checkGrids(trial: WriteTrial): Promise<number> {
  const { judge } = trial
  const file = await judge.make(SCENE)
  const raster = await trial.open(file)
  let written = 0
  for (const epsg of TARGETS) {
    const crs = await crsFromCode(epsg)
    const grid = suggestGrid(raster, crs)
    const chosen = await judge.warp({ files: [file], crs: `EPSG:${epsg}` })
    trial.report(
      `grid in EPSG:${epsg}: ${grid.width} × ${grid.height}`,
      gridFaults(grid, chosen.size, chosen.transform),
    )
    for (const resampling of trial.short ? SHORT_GRIDS[epsg]! : (Object.keys(RESAMPLINGS) as Resampling[])) {
      await checkGrid(trial, raster, [file], grid, resampling, reprojectSource(raster, grid, { resampling }))
      written++
    }
  }
  return written
}

function gridFaults(grid: TargetGrid, size: readonly number[], transform: readonly number[]): string[] {
  if (grid.width !== size[0] || grid.height !== size[1]) return [`GDAL chooses ${size.join(' × ')} pixels`]
  const far = grid.affine.some((value, at) => Math.abs(value - transform[at]!) > 1e-6 * Math.abs(grid.affine[1]))
  return far ? [`GDAL chooses ${transform.join(', ')}`] : []
}

/** Reprojection onto a coarser grid, where kernels are widened. */
async function checkShrunkGrid(trial: WriteTrial): Promise<number> {
  const file = await trial.judge.make({ ...SCENE, name: 'full', nodata: undefined })
  const raster = await trial.open(file)
  const grid = suggestGrid(raster, await crsFromCode(TARGETS[0]!), { resolution: 45 })
  for (const resampling of ['bilinear', 'cubic'] as const)
    await checkGrid(trial, raster, [file], grid, resampling, reprojectSource(raster, grid, { resampling }))
  return 2
}

async function checkGrid(
  trial: WriteTrial,
  raster: Raster,
  files: readonly string[],
  grid: TargetGrid,
  resampling: Resampling,
  input: CogInput,
  options: readonly string[] = [],
): Promise<void> {
  const [name, step, share] = RESAMPLINGS[resampling]
  const crs = `EPSG:${grid.crs.epsg}`
  const ours = await trial.write(`${resampling}-${grid.crs.epsg}`, input)
  const alpha = raster.nodata === null
  const theirs = await trial.judge.warp({
    files,
    crs,
    resampling: name,
    bounds: boundsOf(grid),
    size: sizeOf(grid),
    alpha,
    options,
  })
  const found = await trial.judge.compare(ours, theirs.path, { step })
  // For `average` our kernel and GDAL differ in pixels that the image edge crosses: as many differences are tolerated.
  const edge = resampling === 'average' ? 2 * (grid.width + grid.height) : 0
  trial.report(`${files.length} file(s) by ${resampling} in ${crs}: ${wordsOf(found)}`, faultsOf(found, share, edge))
}

function boundsOf({ affine, width, height }: TargetGrid): number[] {
  const [left, across, , top, , down] = affine
  return [left, top + down * height, left + across * width, top]
}

function sizeOf({ width, height }: TargetGrid): number[] {
  return [width, height]
}

function wordsOf({ samples, different, beyond, largest, masks }: Comparison): string {
  return `${different} of ${samples} samples different, ${beyond} exceed the tolerance (up to ${Number(largest.toPrecision(3))}), ${masks} of the mask`
}

function faultsOf({ shapes, samples, beyond, masks, valid }: Comparison, share: number, edge = 0): string[] {
  const faults: string[] = []
  if (shapes) faults.push(`shapes are ${JSON.stringify(shapes)}`)
  if (masks > 0.001 * valid + edge) faults.push(`${masks} pixels of the mask differ`)
  if (beyond > share * samples + edge) faults.push(`${beyond} samples exceed the tolerance`)
  return faults
}

/** Clipping by pixel centre, as gdalwarp does with a cutline, on files with nodata, with a mask and with neither. */
async function checkClips(trial: WriteTrial): Promise<number> {
  const makings: readonly Making[] = [
    { ...SCENE, name: 'clip-nodata' },
    { ...SCENE, name: 'clip-plain', nodata: undefined },
    { name: 'clip-mask', type: 'uint8', bands: 3, mask: true, options: ['PHOTOMETRIC=RGB'] },
  ]
  for (const making of makings) {
    const file = await trial.judge.make(making)
    const raster = await trial.open(file)
    const input = clipSource(raster, AREA)
    const ours = await trial.write(making.name, input)
    const grid = { crs: raster.crs, affine: input.placement.affine!, width: input.width, height: input.height }
    const place = { files: [file], bounds: boundsOf(grid), size: sizeOf(grid), alpha: raster.nodata === null }
    // With a cutline GDAL ignores the file's own mask.
    const within = making.mask ? await copied((await trial.judge.warp(place)).path) : undefined
    const theirs = await trial.judge.warp({ ...place, area: AREA, areaCrs: 'OGC:1.3:CRS84' })
    const found = await trial.judge.compare(ours, theirs.path, { within })
    // GDAL approximates lines that are straight in degrees a little less precisely.
    const faults = found.masks <= 4 ? faultsOf(found, 0) : [`${found.masks} pixels of the mask differ`]
    trial.report(`${making.name} inside an area: ${wordsOf(found)}`, faults)
  }
  return makings.length
}

/** Copies the file, because the next result is written under the same name. */
async function copied(path: string): Promise<string> {
  const copy = path.replace('.tif', '-kept.tif')
  await copyFile(path, copy)
  return copy
}

/** Compares indices, expressions and change with numpy. */
async function checkFormulas(trial: WriteTrial): Promise<number> {
  const { judge } = trial
  const files = [await judge.make({ ...SCENE, name: 'a' }), await judge.make({ ...SCENE, name: 'b', seed: 2 })]
  const [a, b] = [await trial.open(files[0]!), await trial.open(files[1]!)]
  const names = { nir: { raster: 0, band: 2 }, red: { raster: 0, band: 0 } }
  const index = '(x[2] - x[0]) / (x[2] + x[0])'
  const of = (name: string): string => `(${index.replaceAll('x', name)})`
  const numbers = wholeNumbers('int16', [-1, 1])
  const trials: readonly (readonly [name: string, input: CogInput, formula: string, step: number])[] = [
    ['a known index', expressionSource([a], 'ndvi', { names }), of('a'), 1e-6],
    [
      'a formula',
      expressionSource([a, b], 'where(b1 > b4, sqrt(b1), b4 / 3)'),
      'numpy.where(numpy.isnan(a[0]) | numpy.isnan(b[0]), numpy.nan, numpy.where(a[0] > b[0], numpy.sqrt(a[0]), b[0] / 3))',
      1e-3,
    ],
    ['an index as integers', expressionSource([a], 'ndvi', { names, format: numbers }), of('a'), numbers.scale],
    ['a difference', changeSource([a], [b], 'ndvi', { names }), `${of('b')} - ${of('a')}`, 1e-6],
    ['a ratio', changeSource([a], [b], 'b1', { measure: 'ratio' }), 'b[0] / a[0]', 1e-5],
    [
      'a normalised difference',
      changeSource([a], [b], 'b2', { measure: 'normalised' }),
      '(b[1] - a[1]) / (b[1] + a[1])',
      1e-6,
    ],
  ]
  for (const [name, input, formula, step] of trials) {
    const ours = await trial.write(name.replaceAll(' ', '-'), input)
    const theirs = await judge.formula(files, formula)
    const found = await judge.compare(ours, theirs, { step, scaled: true })
    trial.report(`${name}: ${wordsOf(found)}`, found.masks > 0 ? [`${found.masks} masks`] : faultsOf(found, 0))
  }
  return trials.length
}

/** Three overlapping files, one in another UTM zone, on the grid of the first; in gdalwarp the last one wins. */
async function checkMosaics(trial: WriteTrial): Promise<number> {
  const { judge } = trial
  const files = [
    await judge.make({ ...SCENE, name: 'west' }),
    await judge.make({ ...SCENE, name: 'east', seed: 2, transform: [504_000, 10, 0, 4_998_000, 0, -10] }),
    await judge.make({
      ...SCENE,
      name: 'zone',
      seed: 3,
      crs: 'EPSG:32634',
      transform: [33_000, 10, 0, 5_014_000, 0, -10],
    }),
  ]
  const rasters: Raster[] = []
  for (const file of files) rasters.push(await trial.open(file))
  for (const [count, resampling] of [
    [2, 'nearest'],
    [3, 'nearest'],
    [3, 'bilinear'],
  ] as const) {
    const input = mosaicSource(rasters.slice(0, count), { order: 'last', resampling })
    const grid = { crs: rasters[0]!.crs, affine: input.placement.affine!, width: input.width, height: input.height }
    // Otherwise GDAL widens kernels where an image ends inside a chunk.
    const options = ['XSCALE=1', 'YSCALE=1']
    await checkGrid(trial, rasters[0]!, files.slice(0, count), grid, resampling, input, options)
  }
  const first = await trial.write('first', mosaicSource(rasters, { order: 'first' }))
  const turned = await trial.write(
    'last',
    mosaicSource(rasters.toReversed(), { order: 'last', grid: gridOfMosaic(rasters) }),
  )
  const found = await judge.compare(first, turned)
  trial.report(
    `"first" equals "last" of the reversed list: ${wordsOf(found)}`,
    found.masks > 0 ? ['masks'] : faultsOf(found, 0),
  )
  return 5
}

function gridOfMosaic(rasters: readonly Raster[]): TargetGrid {
  const { placement, width, height } = mosaicSource(rasters)
  return { crs: rasters[0]!.crs, affine: placement.affine!, width, height }
}
