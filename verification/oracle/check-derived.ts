import { copyFile } from 'node:fs/promises'
import {
  createClipInput,
  createCrsFromEpsg,
  createExpressionInput,
  createMosaicInput,
  createReprojectInput,
  suggestWarpGrid,
  type CogInput,
  type Raster,
  type Resampling,
  type TargetGrid,
} from '@swath/raster'
import type { FileComparison, MakeFileRequest } from './write-validator.ts'
import type { OracleSession } from './oracle-session.ts'

const targets = [3857, 4326, 3035]

/** Every resampling method, and every reference system with nearest or interpolated samples. */
const shortGrids: Readonly<Record<number, readonly Resampling[]>> = {
  3857: ['nearest', 'cubic'],
  4326: ['bilinear', 'average'],
  3035: ['cubic'],
}

/** Per resampling method: GDAL's name, the tolerance of samples, and the share that may exceed it. */
const resamplings: Readonly<Record<Resampling, readonly [name: string, step: number, share: number]>> = {
  nearest: ['near', 0, 0.001],
  bilinear: ['bilinear', 1, 0],
  cubic: ['cubic', 2, 0.001],
  average: ['average', 2, 0.001],
}

const scene: MakeFileRequest = { name: 'scene', type: 'uint16', bands: 3, nodata: '0' }

/** A star with a hole, in degrees, within the generated images. */
const clipArea = {
  type: 'Polygon' as const,
  coordinates: [createStar(15.045, 45.125, 0.035, 0.02), createStar(15.045, 45.125, 0.008, 0.005)],
}

function createStar(x: number, y: number, across: number, up: number): [number, number][] {
  const points = Array.from({ length: 26 }, (_, at): [number, number] => {
    const turn = (at / 26) * 2 * Math.PI
    const reach = at % 2 === 0 ? 1 : 0.45
    return [x + across * reach * Math.cos(turn), y + up * reach * Math.sin(turn)]
  })
  return [...points, points[0]!]
}

/** Checks reprojected, clipped, computed and mosaicked images. Returns how many files were written. */
export async function checkDerived(session: OracleSession): Promise<number> {
  const checks = [checkGrids, checkShrunkGrid, checkClips, checkFormulas, checkMosaics]
  let written = 0
  for (const check of checks) written += await check(session)
  return written
}

/** Reprojection onto the grid that gdalwarp would choose. */
async function checkGrids(session: OracleSession): Promise<number> {
  const { validator } = session
  const file = await validator.make(scene)
  const raster = await session.open(file)
  let written = 0
  for (const epsg of targets) {
    const crs = await createCrsFromEpsg(epsg)
    const grid = suggestWarpGrid(raster, crs)
    const chosen = await validator.warp({ files: [file], crs: `EPSG:${epsg}` })
    session.report(
      `grid in EPSG:${epsg}: ${grid.width} × ${grid.height}`,
      compareGrids(grid, chosen.size, chosen.transform),
    )
    for (const resampling of session.short ? shortGrids[epsg]! : (Object.keys(resamplings) as Resampling[])) {
      await checkGrid(session, {
        raster,
        files: [file],
        grid,
        resampling,
        input: createReprojectInput(raster, grid, { resampling }),
      })
      written++
    }
  }
  return written
}

function compareGrids(grid: TargetGrid, size: readonly number[], transform: readonly number[]): string[] {
  if (grid.width !== size[0] || grid.height !== size[1]) return [`GDAL chooses ${size.join(' × ')} pixels`]
  const far = grid.affine.some((value, at) => Math.abs(value - transform[at]!) > 1e-6 * Math.abs(grid.affine[1]))
  return far ? [`GDAL chooses ${transform.join(', ')}`] : []
}

/** Reprojection onto a coarser grid, where kernels are widened. */
async function checkShrunkGrid(session: OracleSession): Promise<number> {
  const file = await session.validator.make({ ...scene, name: 'full', nodata: undefined })
  const raster = await session.open(file)
  const grid = suggestWarpGrid(raster, await createCrsFromEpsg(targets[0]!), { resolution: 45 })
  for (const resampling of ['bilinear', 'cubic'] as const)
    await checkGrid(session, {
      raster,
      files: [file],
      grid,
      resampling,
      input: createReprojectInput(raster, grid, { resampling }),
    })
  return 2
}

async function checkGrid(
  session: OracleSession,
  {
    raster,
    files,
    grid,
    resampling,
    input,
    options = [],
  }: {
    readonly raster: Raster
    readonly files: readonly string[]
    readonly grid: TargetGrid
    readonly resampling: Resampling
    readonly input: CogInput
    readonly options?: readonly string[]
  },
): Promise<void> {
  const [name, step, share] = resamplings[resampling]
  const crs = `EPSG:${grid.crs.epsg}`
  const ours = await session.write(`${resampling}-${grid.crs.epsg}`, input)
  const alpha = raster.nodata === null
  const theirs = await session.validator.warp({
    files,
    crs,
    resampling: name,
    bounds: gridBounds(grid),
    size: gridSize(grid),
    alpha,
    options,
  })
  const comparison = await session.validator.compare(ours, theirs.path, { step })
  // For `average` our kernel and GDAL differ in pixels that the image edge crosses: as many differences are tolerated.
  const edge = resampling === 'average' ? 2 * (grid.width + grid.height) : 0
  session.report(
    `${files.length} file(s) by ${resampling} in ${crs}: ${describeComparison(comparison)}`,
    findProblems(comparison, share, edge),
  )
}

function gridBounds({ affine, width, height }: TargetGrid): number[] {
  const [left, across, , top, , down] = affine
  return [left, top + down * height, left + across * width, top]
}

function gridSize({ width, height }: TargetGrid): number[] {
  return [width, height]
}

function describeComparison({ samples, different, beyond, largest, masks }: FileComparison): string {
  return `${different} of ${samples} samples different, ${beyond} exceed the tolerance (up to ${Number(largest.toPrecision(3))}), ${masks} of the mask`
}

function findProblems({ shapes, samples, beyond, masks, valid }: FileComparison, share: number, edge = 0): string[] {
  const problems: string[] = []
  if (shapes) problems.push(`shapes are ${JSON.stringify(shapes)}`)
  if (masks > 0.001 * valid + edge) problems.push(`${masks} pixels of the mask differ`)
  if (beyond > share * samples + edge) problems.push(`${beyond} samples exceed the tolerance`)
  return problems
}

/** Clipping by pixel centre, as gdalwarp does with a cutline, on files with nodata, with a mask and with neither. */
async function checkClips(session: OracleSession): Promise<number> {
  const specs: readonly MakeFileRequest[] = [
    { ...scene, name: 'clip-nodata' },
    { ...scene, name: 'clip-plain', nodata: undefined },
    { name: 'clip-mask', type: 'uint8', bands: 3, mask: true, options: ['PHOTOMETRIC=RGB'] },
  ]
  for (const spec of specs) {
    const file = await session.validator.make(spec)
    const raster = await session.open(file)
    const input = createClipInput(raster, clipArea)
    const ours = await session.write(spec.name, input)
    const grid = { crs: raster.crs, affine: input.georeferencing.affine!, width: input.width, height: input.height }
    const warpOptions = { files: [file], bounds: gridBounds(grid), size: gridSize(grid), alpha: raster.nodata === null }
    // With a cutline GDAL ignores the file's own mask.
    const within = spec.mask ? await copyAside((await session.validator.warp(warpOptions)).path) : undefined
    const theirs = await session.validator.warp({ ...warpOptions, area: clipArea, areaCrs: 'OGC:1.3:CRS84' })
    const comparison = await session.validator.compare(ours, theirs.path, { within })
    // GDAL approximates lines that are straight in degrees a little less precisely.
    const problems =
      comparison.masks <= 4 ? findProblems(comparison, 0) : [`${comparison.masks} pixels of the mask differ`]
    session.report(`${spec.name} inside an area: ${describeComparison(comparison)}`, problems)
  }
  return specs.length
}

/** Copies the file, because the next result is written under the same name. */
async function copyAside(path: string): Promise<string> {
  const copy = path.replace('.tif', '-kept.tif')
  await copyFile(path, copy)
  return copy
}

/** Compares indices and expressions with numpy. */
async function checkFormulas(session: OracleSession): Promise<number> {
  const { validator } = session
  const files = [await validator.make({ ...scene, name: 'a' }), await validator.make({ ...scene, name: 'b', seed: 2 })]
  const [a, b] = [await session.open(files[0]!), await session.open(files[1]!)]
  const names = { nir: { raster: 0, band: 2 }, red: { raster: 0, band: 0 } }
  const index = '(x[2] - x[0]) / (x[2] + x[0])'
  const of = (name: string): string => `(${index.replaceAll('x', name)})`
  const cases: readonly (readonly [name: string, input: CogInput, formula: string, step: number])[] = [
    ['a known index', createExpressionInput([a], 'ndvi', { names }), of('a'), 1e-6],
    [
      'a formula',
      createExpressionInput([a, b], 'where(b1 > b4, sqrt(b1), b4 / 3)'),
      'numpy.where(numpy.isnan(a[0]) | numpy.isnan(b[0]), numpy.nan, numpy.where(a[0] > b[0], numpy.sqrt(a[0]), b[0] / 3))',
      1e-3,
    ],
  ]
  for (const [name, input, formula, step] of cases) {
    const ours = await session.write(name.replaceAll(' ', '-'), input)
    const theirs = await validator.formula(files, formula)
    const comparison = await validator.compare(ours, theirs, { step, scaled: true })
    session.report(
      `${name}: ${describeComparison(comparison)}`,
      comparison.masks > 0 ? [`${comparison.masks} masks`] : findProblems(comparison, 0),
    )
  }
  return cases.length
}

/** Three overlapping files, one in another UTM zone, on the grid of the first; in gdalwarp the last one wins. */
async function checkMosaics(session: OracleSession): Promise<number> {
  const { validator } = session
  const files = [
    await validator.make({ ...scene, name: 'west' }),
    await validator.make({ ...scene, name: 'east', seed: 2, transform: [504_000, 10, 0, 4_998_000, 0, -10] }),
    await validator.make({
      ...scene,
      name: 'zone',
      seed: 3,
      crs: 'EPSG:32634',
      transform: [33_000, 10, 0, 5_014_000, 0, -10],
    }),
  ]
  const rasters: Raster[] = []
  for (const file of files) rasters.push(await session.open(file))
  for (const [count, resampling] of [
    [2, 'nearest'],
    [3, 'nearest'],
    [3, 'bilinear'],
  ] as const) {
    const input = createMosaicInput(rasters.slice(0, count), { pixelSelection: 'last', resampling })
    const grid = {
      crs: rasters[0]!.crs,
      affine: input.georeferencing.affine!,
      width: input.width,
      height: input.height,
    }
    // Otherwise GDAL widens kernels where an image ends inside a chunk.
    const options = ['XSCALE=1', 'YSCALE=1']
    await checkGrid(session, { raster: rasters[0]!, files: files.slice(0, count), grid, resampling, input, options })
  }
  const first = await session.write('first', createMosaicInput(rasters, { pixelSelection: 'first' }))
  const reversed = await session.write(
    'last',
    createMosaicInput(rasters.toReversed(), { pixelSelection: 'last', grid: mosaicGrid(rasters) }),
  )
  const comparison = await validator.compare(first, reversed)
  session.report(
    `"first" equals "last" of the reversed list: ${describeComparison(comparison)}`,
    comparison.masks > 0 ? ['masks'] : findProblems(comparison, 0),
  )
  return 5
}

function mosaicGrid(rasters: readonly Raster[]): TargetGrid {
  const { georeferencing, width, height } = createMosaicInput(rasters)
  return { crs: rasters[0]!.crs, affine: georeferencing.affine!, width, height }
}
