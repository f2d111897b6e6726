import { createCrsFromEpsg, createReprojectInput, suggestWarpGrid, type Raster } from '@swath/raster'
import type { ProofOptions, ProofResult } from '../prove/proof.ts'
import { gridRows, gridSources, type GridRow, type GridSourceName } from './grid-rows.ts'
import { createOracleSession, type OracleSession } from './oracle-session.ts'
import { startWriteValidator } from './write-validator.ts'

/** Pixels by which an edge of a grid may lie elsewhere than GDAL's, where they are equal. */
const edge_pixels = 1e-4
/** Samples and pixels of the mask that may differ: positions of two programs at the edge of a pixel. */
const max_share = 0.001
/** Every third pair in the short form, all deliberate differences among them. */
const short_step = 3

/**
 * Compares the grids of reprojection, and their pixels, with those of gdalwarp: for pairs of systems with poles, seams, horizons
 * and infinities. Where a grid differs on purpose, its pixels are compared on our grid, and the reason is printed.
 */
export async function proveGridOracle({ short }: ProofOptions): Promise<ProofResult> {
  await using validator = await startWriteValidator()
  await using session = createOracleSession(validator, short)
  const files = new Map<GridSourceName, string>()
  const rows = gridRows.filter((row, at) => !short || row.differs !== undefined || at % short_step === 0)
  for (const row of rows) {
    const { source } = row
    const file = files.get(source) ?? (await validator.make({ name: source, type: 'uint16', ...gridSources[source] }))
    files.set(source, file)
    await checkRow(session, row, file)
    await session.closeFiles()
  }
  return { tried: `${rows.length} pairs of systems`, violations: session.violations }
}

async function checkRow(session: OracleSession, row: GridRow, file: string): Promise<void> {
  const { source, epsg, differs } = row
  const raster = await session.open(file)
  const { cut, ...grid } = suggestWarpGrid(raster, await createCrsFromEpsg(epsg))
  const name = `${source} in EPSG:${epsg}: ${grid.width} × ${grid.height}${cut === null ? '' : `, only ${cut}`}`
  session.report(
    `${name}${differs === undefined ? '' : `; differs on purpose: ${differs}`}`,
    await findGridProblems(session, row, file, grid),
  )
  await comparePixels(session, row, { raster, file, grid })
}

type Grid = Omit<ReturnType<typeof suggestWarpGrid>, 'cut'>

const codeOf = (epsg: number): string => `EPSG:${epsg}`

async function findGridProblems(
  { validator }: OracleSession,
  { epsg, differs }: GridRow,
  file: string,
  { width, height, affine }: Grid,
): Promise<string[]> {
  // Of some that differ on purpose GDAL can make no image at all.
  const chosen = await validator.warp({ files: [file], crs: codeOf(epsg) }).catch(() => null)
  const theirs = chosen && [...chosen.size, ...chosen.transform]
  const isEqual =
    chosen !== null &&
    chosen.size[0] === width &&
    chosen.size[1] === height &&
    edgesOf(affine, width, height).every((edge, at) => {
      const pixel = Math.abs(at % 2 === 0 ? affine[1] : affine[5])
      return Math.abs(edge - edgesOf(chosen.transform, width, height)[at]!) <= edge_pixels * pixel
    })
  if (isEqual === (differs === undefined)) return []
  if (isEqual) return ['GDAL chooses the same grid: it does not differ']
  return [`GDAL chooses ${theirs === null ? 'none' : theirs.join(', ')}, not ${[width, height, ...affine].join(', ')}`]
}

/** West, north, east and south of a grid. */
const edgesOf = (affine: readonly number[], width: number, height: number): number[] => [
  affine[0]!,
  affine[3]!,
  affine[0]! + width * affine[1]!,
  affine[3]! + height * affine[5]!,
]

async function comparePixels(
  session: OracleSession,
  { source, epsg, fewer }: GridRow,
  { raster, file, grid }: { readonly raster: Raster; readonly file: string; readonly grid: Grid },
): Promise<void> {
  const name = `${source}-${epsg}`
  const { affine, width, height, crs } = grid
  const [west, north, east, south] = edgesOf(affine, width, height)
  const ours = await session.write(name, createReprojectInput(raster, grid))
  const theirs = await session.validator.warp({
    files: [file],
    crs: codeOf(crs.epsg!),
    bounds: [west!, south!, east!, north!],
    size: [width, height],
    alpha: true,
    // Without it GDAL looks up the source of whole chunks only along their edge, and misses a pole.
    options: ['SAMPLE_GRID=YES', 'SAMPLE_STEPS=200'],
  })
  const { shapes, samples, different, masks, valid } = await session.validator.compare(ours, theirs.path)
  const problems = shapes ? [`shapes are ${JSON.stringify(shapes)}`] : []
  const isMasked = masks > max_share * width * height
  if (isMasked && fewer === undefined) problems.push(`${masks} pixels of the mask differ`)
  if (different > max_share * samples) problems.push(`${different} of ${samples} samples differ`)
  if (valid === 0) problems.push('no pixel is valid in both')
  session.report(
    `  ${name}: ${different} of ${samples} samples and ${masks} of the mask differ${isMasked && fewer !== undefined ? `: ${fewer}` : ''}`,
    problems,
  )
}
