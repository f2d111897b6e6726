import { copySource, crsFromCode, readWindow } from '@swath/raster'
import type { CogOptions, SampleType } from '@swath/raster'
import type { Making } from './write-judge.ts'
import { failureOf } from './write-trial.ts'
import type { WriteTrial } from './write-trial.ts'

const TYPES: readonly SampleType[] = ['uint8', 'int8', 'uint16', 'int16', 'uint32', 'int32', 'float32', 'float64']

/** Kinds of files, each with the metadata that a copy must preserve. */
const MAKINGS: readonly Making[] = [
  ...TYPES.map((type): Making => ({ name: `plain-${type}`, type, bands: 3 })),
  ...TYPES.map((type): Making => ({ name: `meaning-${type}`, type, bands: 2, nodata: '7', meaning: true })),
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

const PACKINGS: readonly (readonly [name: string, options: CogOptions])[] = [
  ['deflate', {}],
  ['zstd', { compression: 'zstd', block: 256, bigTiff: true }],
  ['none', { compression: 'none', block: 128, sparse: true }],
  ['no predictor', { predictor: false, level: 9 }],
]

/** Checks copies of files of every kind: checksums, metadata and statistics. Returns how many files were written. */
export async function checkCopies(trial: WriteTrial): Promise<number> {
  let written = 0
  for (const [index, making] of MAKINGS.entries()) {
    const file = await trial.judge.make(making)
    for (const [packing, options] of trial.short ? [inShort(index)] : PACKINGS) {
      await checkCopy(trial, file, `${making.name}, ${packing}`, options)
      written++
    }
  }
  return written + (await checkPictures(trial)) + (await checkCodes(trial)) + (await checkRefusals(trial))
}

/**
 * The packing of a kind of file in the short form: packings rotate, shifted by one for each round of sample types, so that
 * each type has two packings and each packing is used with types of all sizes.
 */
function inShort(index: number): (typeof PACKINGS)[number] {
  return PACKINGS[(index + Math.floor(index / TYPES.length)) % PACKINGS.length]!
}

async function checkCopy(trial: WriteTrial, file: string, name: string, options: CogOptions): Promise<void> {
  const { judge } = trial
  const source = await trial.open(file)
  const path = await trial.write(name.replaceAll(/[^a-z0-9-]+/g, '-'), copySource([source], null), options)
  const faults: string[] = []
  const [theirs, ours] = [await judge.facts(file), await judge.facts(path)]
  for (const key of Object.keys(theirs))
    if (!alike(key, theirs[key], ours[key]))
      faults.push(`${key} is ${JSON.stringify(ours[key])}, not ${JSON.stringify(theirs[key])}`)
  const { worst, missing } = await judge.statistics(path)
  if (!(worst <= 1e-9)) faults.push(`statistics are off by ${worst}`)
  if (missing.length > 0) faults.push(`bands ${missing.join(', ')} have no valid statistics`)
  const copy = await trial.open(path)
  const window = [0, 0, source.width, source.height] as const
  const [before, after] = [await readWindow(source, { window }), await readWindow(copy, { window })]
  const same = (a: ArrayBufferView, b: ArrayBufferView): boolean => Buffer.compare(bytesOf(a), bytesOf(b)) === 0
  if (!same(before.data, after.data) || !same(before.mask, after.mask)) faults.push('our reader returns other pixels')
  trial.report(`copy of ${name}`, faults)
}

function bytesOf(view: ArrayBufferView): Buffer {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength)
}

/** A transform with pixel-is-point is shifted by half a pixel and back, which changes the last digit. */
function alike(key: string, theirs: unknown, ours: unknown): boolean {
  if (key !== 'transform') return JSON.stringify(ours) === JSON.stringify(theirs)
  const [a, b] = [theirs as number[], ours as number[]]
  return a.every((value, at) => Math.abs(value - b[at]!) <= 1e-12 * Math.abs(value))
}

/** JPEG and WebP: equal masks, and samples within a tolerance, or equal if lossless. */
async function checkPictures(trial: WriteTrial): Promise<number> {
  const { judge } = trial
  const sources = {
    gray: await judge.make({ name: 'gray', type: 'uint8' }),
    holes: await judge.make({ name: 'holes', type: 'uint8', bands: 3, nodata: '0', options: ['PHOTOMETRIC=RGB'] }),
    masked: await judge.make({ name: 'rgb', type: 'uint8', bands: 3, mask: true, options: ['PHOTOMETRIC=RGB'] }),
    alpha: await judge.make({
      name: 'rgba',
      type: 'uint8',
      bands: 4,
      alpha: true,
      options: ['PHOTOMETRIC=RGB', 'ALPHA=YES'],
    }),
  }
  const trials: readonly (readonly [file: keyof typeof sources, options: CogOptions, mean: number])[] = [
    ['gray', { compression: 'jpeg', quality: 90 }, 2],
    ['holes', { compression: 'jpeg', quality: 90 }, 4],
    ['masked', { compression: 'jpeg', quality: 90, sparse: true, block: 128 }, 4],
    ['holes', { compression: 'webp', quality: 90 }, 4],
    ['masked', { compression: 'webp', quality: 90 }, 4],
    ['alpha', { compression: 'webp', quality: 90 }, 4],
    ['masked', { compression: 'webp', lossless: true }, 0],
    ['alpha', { compression: 'webp', lossless: true }, 0],
  ]
  for (const [name, options, mean] of trials) {
    const source = await trial.open(sources[name])
    const what = `${name} as ${options.compression}${options.lossless ? ' lossless' : ''}`
    const path = await trial.write(what.replaceAll(' ', '-'), copySource([source], null), options)
    const found = await judge.compare(path, sources[name])
    const faults: string[] = []
    if (found.masks > 0) faults.push(`${found.masks} pixels of the mask differ`)
    if (!(found.mean <= mean)) faults.push(`the mean difference of samples is ${found.mean}`)
    trial.report(`${what} (mean difference ${found.mean.toFixed(2)})`, faults)
  }
  return trials.length
}

/** Units: metres, two kinds of feet, Clarke's foot, chains, yards, degrees. */
const CODES = [32633, 3857, 3035, 27700, 2263, 2222, 2314, 3439, 24375, 3167, 27291, 4326, 4269]

/** Checks reference systems that are written by EPSG code. */
async function checkCodes(trial: WriteTrial): Promise<number> {
  const source = await trial.open(await trial.judge.make({ name: 'anywhere', type: 'uint8', size: [64, 64] }))
  const input = copySource([source], null)
  for (const epsg of CODES) {
    const placement = { affine: source.affine, crs: await crsFromCode(epsg), geoTags: null }
    const path = await trial.write(`epsg-${epsg}`, { ...input, placement })
    const { same, units } = await trial.judge.sameCrs(path, epsg)
    trial.report(`EPSG:${epsg} by code`, same ? [] : [`GDAL reads another system, units ${units.join(' and ')}`])
  }
  return CODES.length
}

/** Unsupported combinations fail with kind `request`. */
async function checkRefusals(trial: WriteTrial): Promise<number> {
  const words = await trial.open(await trial.judge.make({ name: 'words', type: 'uint16', bands: 3 }))
  const pair = await trial.open(await trial.judge.make({ name: 'pair', type: 'uint8', bands: 2 }))
  for (const [what, source, options] of [
    ['JPEG of words', words, { compression: 'jpeg' }],
    ['WebP of words', words, { compression: 'webp' }],
    ['JPEG of two bands', pair, { compression: 'jpeg' }],
    ['a level that does not exist', pair, { level: 23 }],
  ] as const) {
    const kind = await failureOf(() => trial.write('refused', copySource([source], null), options))
    trial.report(`rejected: ${what}`, kind === 'request' ? [] : [`ended with ${kind}`])
  }
  return 0
}
