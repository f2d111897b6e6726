import type { BlockReservation, CachedBlock } from '../../io/cache/block-cache.ts'
import { getSharedBlockCache } from '../../io/cache/per-thread.ts'
import { findCodec } from '../../formats/block-decoders.ts'
import { RasterFailure, checkCancelled } from '../../failures.ts'
import { readRanges } from '../../io/source/coalesce.ts'
import type { RasterLevel, Raster, SampleType, RasterByteSource } from '../../types.ts'
import type { KernelMemory } from '../kernels/types.ts'
import { computeDecodedBlockBytes } from './decode-block.ts'
import { checkBlockByteRange, planWindowBlocks } from './block-refs.ts'
import type { BlockRef } from './block-refs.ts'
import { readBlockTable } from './block-table.ts'
import { findAlphaBand } from './validity.ts'
import type { Window } from './window.ts'

/** The blocks of one level under a window, at hand for the synchronous part. */
export interface LoadedBlocks {
  readonly level: RasterLevel
  readonly refs: readonly BlockRef[]
  /** The bytes as the file has them; those of a local file are read into the memory, and lie there until it is released. */
  readonly bytesOf: (ref: BlockRef, memory: KernelMemory) => Uint8Array
  /** The decoded block that threads share, a slot to fill with it, or null if it is not shared. */
  readonly share: (ref: BlockRef) => CachedBlock | BlockReservation | null
  readonly release: () => void
}

/** A planned window whose blocks are loaded. `release` it once it has been gathered or is no longer needed. */
export interface LoadedWindow {
  readonly window: Window
  /** 0-based, in the requested order; a band may come twice. */
  readonly bands: readonly number[]
  readonly image: LoadedBlocks
  readonly mask: LoadedBlocks | null
  /** Looked at between blocks: decoding may take long. */
  readonly signal: AbortSignal | undefined
  readonly release: () => void
}

/**
 * Plans the blocks of a window and makes them ready: those that are shared already are held, the bytes of the others
 * are fetched, neighbours together; a local file is read when it is decoded. The caller checks the cost. Failures:
 * `damaged`, `unsupported`, `source`, `cancelled`.
 *
 * @param options.fast for images that are only looked at: JPEG samples may be off by a few steps, as in most browsers.
 */
export async function loadWindow(
  raster: Raster,
  level: RasterLevel,
  window: Window,
  bands: readonly number[],
  { signal, fast = false }: { readonly signal?: AbortSignal; readonly fast?: boolean } = {},
): Promise<LoadedWindow> {
  const alpha = findAlphaBand(raster, level)
  const read = [...new Set(alpha === null ? bands : [...bands, alpha])]
  const { image: source, mask: maskSource } = sourcesOf(raster, level)
  const jobs: LevelJob[] = [
    { source, level, type: raster.sampleType, bands: read, numbers: fast ? first_fast_level : 0 },
  ]
  if (level.mask)
    jobs.push({ source: maskSource, level: level.mask, type: 'uint8', bands: [0], numbers: first_mask_level })
  const plans = await Promise.all(jobs.map((job) => planLevel(job, window, !fast, signal)))
  const blocks = plans.map((plan) => shareBlocks(raster.fileId, plan))
  const release = (): void => blocks.forEach((each) => each.release())
  try {
    checkCancelled(signal)
    const readers = await readersOf(blocks, signal)
    const [image, mask = null] = blocks.map((each) => ({ ...each, bytesOf: readers.get(each.source)! }))
    return { window, bands, image: image!, mask, signal, release }
  } catch (cause) {
    release()
    throw cause
  }
}

/** The files in which the blocks of a level and those of its mask are. */
function sourcesOf(
  raster: Raster,
  { index }: RasterLevel,
): { readonly image: RasterByteSource; readonly mask: RasterByteSource } {
  const { source, maskSource, overviewSource, maskOverviewSource } = raster
  const image = index > 0 ? (overviewSource ?? source) : source
  const mask = (index > 0 ? maskOverviewSource : undefined) ?? maskSource ?? image
  return { image, mask }
}

/** Levels of masks, and images that are only nearly exact, have numbers of their own among shared blocks. */
const first_mask_level = 512
const first_fast_level = 256
const jpeg_compression = 7
const spare_bytes = 16_777_216

interface LevelJob {
  readonly source: RasterByteSource
  readonly level: RasterLevel
  readonly type: SampleType
  readonly bands: readonly number[]
  readonly numbers: number
}

interface LevelPlan extends LevelJob {
  readonly refs: readonly BlockRef[]
}

async function planLevel(job: LevelJob, window: Window, exact: boolean, signal?: AbortSignal): Promise<LevelPlan> {
  const { source, level, bands } = job
  const isMask = job.numbers === first_mask_level
  await findCodec(level.compression).prepare?.()
  const refs = planWindowBlocks(level, await readBlockTable(source, level, signal), window, bands, exact || isMask)
  for (const ref of refs) if (ref.length > 0) checkBlockByteRange(ref, source, level)
  return { ...job, numbers: level.compression === jpeg_compression || isMask ? job.numbers : 0, refs }
}

type SharedBlocks = Omit<LoadedBlocks, 'bytesOf'> & {
  readonly source: RasterByteSource
  readonly held: ReadonlyMap<BlockRef, CachedBlock>
}

/** Holds the blocks that are shared already, unless they can be read when they are needed. */
function shareBlocks(file: number | undefined, { source, level, type, numbers, refs }: LevelPlan): SharedBlocks {
  const cache = file === undefined ? null : getSharedBlockCache()
  const keyOf = ({ number }: BlockRef) => ({ file: file!, level: numbers + level.index, block: number })
  const held = new Map<BlockRef, CachedBlock>()
  for (const ref of source.readSync ? [] : refs) {
    const hit =
      cache && ref.whole && ref.length > 0 ? cache.find(keyOf(ref), computeDecodedBlockBytes(ref, type)) : null
    if (hit) held.set(ref, hit)
  }
  return {
    source,
    level,
    refs,
    held,
    release: () => held.forEach((hit) => hit.release()),
    share(ref) {
      const hit = held.get(ref)
      if (hit && held.delete(ref)) return hit
      return cache && ref.whole ? cache.acquire(keyOf(ref), computeDecodedBlockBytes(ref, type)) : null
    },
  }
}

/**
 * The reader of the bytes of each source: a local file is read when it is decoded, of all others the needed ranges are
 * fetched.
 */
async function readersOf(
  blocks: readonly SharedBlocks[],
  signal: AbortSignal | undefined,
): Promise<Map<RasterByteSource, LoadedBlocks['bytesOf']>> {
  const sources = [...new Set(blocks.map(({ source }) => source))]
  const readers = sources.map(async (source) => {
    const own = blocks.filter((each) => each.source === source)
    return [source, source.readSync ? readLocally(source) : await fetchBytes(source, own, signal)] as const
  })
  return new Map(await Promise.all(readers))
}

/** Checks the compressed size against the decoded one, which the caller bounds: it is smaller, or hardly larger. */
function checkSum(refs: readonly BlockRef[]): void {
  const [held, honest] = refs.reduce(
    ([bytes, pixels], { length, shape }) => [bytes + length, pixels + shape.mostBytes],
    [0, 0],
  )
  if (held > 2 * honest + spare_bytes) {
    throw new RasterFailure(
      'budget',
      `the file says that ${honest} bytes of pixels take ${held} bytes in it; it is damaged or was made to do harm`,
    )
  }
}

// Of an image and its mask together: their blocks lie side by side.
async function fetchBytes(
  source: RasterByteSource,
  blocks: readonly SharedBlocks[],
  signal?: AbortSignal,
): Promise<LoadedBlocks['bytesOf']> {
  const wanted = blocks.flatMap(({ refs, held }) => refs.filter((ref) => ref.length > 0 && !held.has(ref)))
  checkSum(wanted)
  const fetched = await readRanges(source, wanted, signal)
  const byRef = new Map(wanted.map((ref, index) => [ref, fetched[index]!]))
  return (ref) => {
    const bytes = byRef.get(ref)
    if (!bytes) throw new RasterFailure('source', 'a part of the image was not fetched')
    return bytes
  }
}

function readLocally(source: RasterByteSource): LoadedBlocks['bytesOf'] {
  return ({ offset, length }, memory) => {
    const at = memory.reserve(length)
    const into = new Uint8Array(memory.buffer, at, length)
    return into.subarray(0, source.readSync!(offset, into))
  }
}
