import { createCopyInput, createCrsFromEpsg, readWindow, type CogOptions, type SampleType } from '@swath/raster'
import type { MakeFileRequest } from './write-validator.ts'
import { captureFailureKind, type OracleSession } from './oracle-session.ts'

const types: readonly SampleType[] = ['uint8', 'int8', 'uint16', 'int16', 'uint32', 'int32', 'float32', 'float64']

/** Kinds of files, each with the metadata that a copy must preserve. */
const fileSpecs: readonly MakeFileRequest[] = [
  ...types.map((type): MakeFileRequest => ({ name: `plain-${type}`, type, bands: 3 })),
  ...types.map((type): MakeFileRequest => ({ name: `meaning-${type}`, type, bands: 2, nodata: '7', meaning: true })),
  { name: 'masked', type: 'uint8', bands: 3, mask: true, options: ['PHOTOMETRIC=RGB'] },
  { name: 'masked-words', type: 'uint16', bands: 1, mask: true },
  { name: 'alpha', type: 'uint8', bands: 4, alpha: true, options: ['PHOTOMETRIC=RGB', 'ALPHA=YES'] },
  { name: 'palette', type: 'uint8', palette: true },
  { name: 'white-is-zero', type: 'uint8', options: ['PHOTOMETRIC=MINISWHITE'] },
  { name: 'nan', type: 'float32', bands: 2, nodata: 'nan' },
  { name: 'minus-infinity', type: 'float32', nodata: '-inf' },
  { name: 'lowest', type: 'float32', nodata: '-3.4028234663852886e+38' },
  { name: 'points', type: 'float32', point: true },
  { name: 'turned', type: 'uint16', transform: [500_000, 9, 2, 5_000_000, 2, -9] },
  { name: 'degrees', type: 'int16', crs: 'EPSG:4326', transform: [10, 0.001, 0, 50, 0, -0.001] },
  { name: 'feet', type: 'uint16', crs: 'EPSG:2263', transform: [980_000, 3, 0, 200_000, 0, -3] },
  {
    name: 'described',
    type: 'uint16',
    crs: '+proj=laea +lat_0=48 +lon_0=9 +ellps=GRS80 +units=m',
    transform: [0, 10, 0, 0, 0, -10],
  },
  { name: 'planar-strips', type: 'uint16', bands: 3, options: ['TILED=NO', 'INTERLEAVE=BAND'] },
  { name: 'tall-blocks', type: 'uint16', bands: 2, options: ['BLOCKYSIZE=1024', 'BLOCKXSIZE=256'] },
  { name: 'big-endian', type: 'int32', bands: 2, options: ['ENDIANNESS=BIG'] },
  { name: 'one-pixel', type: 'float64', size: [1, 1] },
  { name: 'one-row', type: 'uint8', size: [1500, 1] },
]

const packings: readonly (readonly [name: string, options: CogOptions])[] = [
  ['deflate', {}],
  ['zstd', { compression: 'zstd', block: 256, bigTiff: true }],
  ['none', { compression: 'none', block: 128, sparse: true }],
  ['no predictor', { predictor: false, level: 9 }],
]

/** Checks copies of files of every kind: checksums, metadata and statistics. Returns how many files were written. */
export async function checkCopies(session: OracleSession): Promise<number> {
  let written = 0
  for (const [index, spec] of fileSpecs.entries()) {
    const file = await session.validator.make(spec)
    for (const [packing, options] of session.short ? [shortPacking(index)] : packings) {
      await checkCopy(session, file, `${spec.name}, ${packing}`, options)
      written++
    }
  }
  return written + (await checkLossyCopies(session)) + (await checkCodes(session)) + (await checkRefusals(session))
}

/**
 * The packing of a kind of file in the short form: packings rotate, shifted by one for each round of sample types, so that
 * each type has two packings and each packing is used with types of all sizes.
 */
function shortPacking(index: number): (typeof packings)[number] {
  return packings[(index + Math.floor(index / types.length)) % packings.length]!
}

async function checkCopy(session: OracleSession, file: string, name: string, options: CogOptions): Promise<void> {
  const { validator } = session
  const source = await session.open(file)
  const path = await session.write(name.replaceAll(/[^a-z0-9-]+/g, '-'), createCopyInput([source], null), options)
  const problems: string[] = []
  const [theirs, ours] = [await validator.readMetadata(file), await validator.readMetadata(path)]
  for (const key of Object.keys(theirs))
    if (!isEqualMetadata(key, theirs[key], ours[key]))
      problems.push(`${key} is ${JSON.stringify(ours[key])}, not ${JSON.stringify(theirs[key])}`)
  const { worst, missing } = await validator.statistics(path)
  if (!(worst <= 1e-9)) problems.push(`statistics are off by ${worst}`)
  if (missing.length > 0) problems.push(`bands ${missing.join(', ')} have no valid statistics`)
  const copy = await session.open(path)
  const window = [0, 0, source.width, source.height] as const
  const [before, after] = [await readWindow(source, { window }), await readWindow(copy, { window })]
  const same = (a: ArrayBufferView, b: ArrayBufferView): boolean => Buffer.compare(bytesOf(a), bytesOf(b)) === 0
  if (!same(before.data, after.data) || !same(before.mask, after.mask)) problems.push('our reader returns other pixels')
  session.report(`copy of ${name}`, problems)
}

function bytesOf(view: ArrayBufferView): Buffer {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength)
}

/** A transform with pixel-is-point is shifted by half a pixel and back, which changes the last digit. */
function isEqualMetadata(key: string, theirs: unknown, ours: unknown): boolean {
  if (key !== 'transform') return JSON.stringify(ours) === JSON.stringify(theirs)
  const [a, b] = [theirs as number[], ours as number[]]
  return a.every((value, at) => Math.abs(value - b[at]!) <= 1e-12 * Math.abs(value))
}

/** JPEG and WebP: equal masks, and samples within a tolerance, or equal if lossless. */
async function checkLossyCopies(session: OracleSession): Promise<number> {
  const { validator } = session
  const sources = {
    gray: await validator.make({ name: 'gray', type: 'uint8' }),
    holes: await validator.make({ name: 'holes', type: 'uint8', bands: 3, nodata: '0', options: ['PHOTOMETRIC=RGB'] }),
    masked: await validator.make({ name: 'rgb', type: 'uint8', bands: 3, mask: true, options: ['PHOTOMETRIC=RGB'] }),
    alpha: await validator.make({
      name: 'rgba',
      type: 'uint8',
      bands: 4,
      alpha: true,
      options: ['PHOTOMETRIC=RGB', 'ALPHA=YES'],
    }),
  }
  const cases: readonly (readonly [file: keyof typeof sources, options: CogOptions, mean: number])[] = [
    ['gray', { compression: 'jpeg', quality: 90 }, 2],
    ['holes', { compression: 'jpeg', quality: 90 }, 4],
    ['masked', { compression: 'jpeg', quality: 90, sparse: true, block: 128 }, 4],
    ['holes', { compression: 'webp', quality: 90 }, 4],
    ['masked', { compression: 'webp', quality: 90 }, 4],
    ['alpha', { compression: 'webp', quality: 90 }, 4],
    ['masked', { compression: 'webp', lossless: true }, 0],
    ['alpha', { compression: 'webp', lossless: true }, 0],
  ]
  for (const [name, options, mean] of cases) {
    const source = await session.open(sources[name])
    const description = `${name} as ${options.compression}${options.lossless ? ' lossless' : ''}`
    const path = await session.write(description.replaceAll(' ', '-'), createCopyInput([source], null), options)
    const comparison = await validator.compare(path, sources[name])
    const problems: string[] = []
    if (comparison.masks > 0) problems.push(`${comparison.masks} pixels of the mask differ`)
    if (!(comparison.mean <= mean)) problems.push(`the mean difference of samples is ${comparison.mean}`)
    session.report(`${description} (mean difference ${comparison.mean.toFixed(2)})`, problems)
  }
  return cases.length
}

/** Units: metres, two kinds of feet, Clarke's foot, chains, yards, degrees. */
const codes = [32633, 3857, 3035, 27700, 2263, 2222, 2314, 3439, 24375, 3167, 27291, 4326, 4269]

/** Checks reference systems that are written by EPSG code. */
async function checkCodes(session: OracleSession): Promise<number> {
  const source = await session.open(await session.validator.make({ name: 'anywhere', type: 'uint8', size: [64, 64] }))
  const input = createCopyInput([source], null)
  for (const epsg of codes) {
    const placement = { affine: source.affine, crs: await createCrsFromEpsg(epsg), geoTags: null }
    const path = await session.write(`epsg-${epsg}`, { ...input, georeferencing: placement })
    const { same, units } = await session.validator.sameCrs(path, epsg)
    session.report(`EPSG:${epsg} by code`, same ? [] : [`GDAL reads another system, units ${units.join(' and ')}`])
  }
  return codes.length
}

/** Unsupported combinations fail with kind `request`. */
async function checkRefusals(session: OracleSession): Promise<number> {
  const uint16Raster = await session.open(await session.validator.make({ name: 'words', type: 'uint16', bands: 3 }))
  const pair = await session.open(await session.validator.make({ name: 'pair', type: 'uint8', bands: 2 }))
  for (const [description, source, options] of [
    ['JPEG of words', uint16Raster, { compression: 'jpeg' }],
    ['WebP of words', uint16Raster, { compression: 'webp' }],
    ['JPEG of two bands', pair, { compression: 'jpeg' }],
    ['a level that does not exist', pair, { level: 23 }],
  ] as const) {
    const kind = await captureFailureKind(() => session.write('refused', createCopyInput([source], null), options))
    session.report(`rejected: ${description}`, kind === 'request' ? [] : [`ended with ${kind}`])
  }
  return 0
}
