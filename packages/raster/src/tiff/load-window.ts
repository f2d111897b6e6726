import type { BlockFill, BlockHit } from '../cache/block-cache.ts'
import { sharedBlocks } from '../cache/of-thread.ts'
import { findCodec } from '../codec/registry.ts'
import { RasterFailure, checkCancelled } from '../failures.ts'
import { readRanges } from '../source/coalesce.ts'
import type { Level, Raster, SampleType, Source } from '../types.ts'
import { decodedBytes } from './block-memory.ts'
import { checkRef, planBlocks } from './block-refs.ts'
import type { BlockRef } from './block-refs.ts'
import { readBlockTable } from './block-table.ts'
import { alphaOf } from './validity.ts'
import type { Window } from './window.ts'

/** The blocks of one level under a window, at hand for the synchronous part. */
export interface LoadedBlocks {
  readonly level: Level
  readonly refs: readonly BlockRef[]
  /** The bytes as the file has them. Valid until the next call. */
  readonly bytesOf: (ref: BlockRef) => Uint8Array
  /** The decoded block that threads share, room for it, or null where it is nobody else's business. */
  readonly share: (ref: BlockRef) => BlockHit | BlockFill | null
  readonly release: () => void
}

/** A planned window whose blocks are at hand. `release` it once it has been gathered, or given up. */
export interface LoadedWindow {
  readonly window: Window
  /** 0-based, as asked for; a band may come twice. */
  readonly bands: readonly number[]
  readonly image: LoadedBlocks
  readonly mask: LoadedBlocks | null
  readonly release: () => void
}

/**
 * Plans the blocks of a window and makes them ready: those that are shared already are held, the bytes of the others are
 * fetched, neighbours together; a local file is read when it is decoded. What it costs is the caller's to check.
 * Failures: `damaged`, `unsupported`, `source`, `cancelled`.
 */
export async function loadWindow(
  raster: Raster,
  level: Level,
  window: Window,
  bands: readonly number[],
  signal?: AbortSignal,
): Promise<LoadedWindow> {
  const alpha = alphaOf(raster, level)
  const read = [...new Set(alpha === null ? bands : [...bands, alpha])]
  const mask = level.mask ? loadBlocks(raster, level.mask, 'uint8', MASK_LEVELS, window, [0], signal) : null
  const loading = [loadBlocks(raster, level, raster.sampleType, 0, window, read, signal), mask] as const
  const settled = await Promise.allSettled(loading)
  const release = (): void => settled.forEach((each) => each.status === 'fulfilled' && each.value?.release())
  try {
    checkCancelled(signal)
    const [image, ofMask] = await Promise.all(loading)
    return { window, bands, image, mask: ofMask, release }
  } catch (cause) {
    release()
    throw cause
  }
}

/** Levels of masks have numbers of their own among shared blocks. */
const MASK_LEVELS = 512

async function loadBlocks(
  raster: Raster,
  level: Level,
  type: SampleType,
  firstLevel: number,
  window: Window,
  bands: readonly number[],
  signal?: AbortSignal,
): Promise<LoadedBlocks> {
  const { source, file } = raster
  await findCodec(level.compression).prepare?.()
  const refs = planBlocks(level, await readBlockTable(source, level, signal), window, bands)
  for (const ref of refs) if (ref.length > 0) checkRef(ref, source, level)
  const cache = file === undefined ? null : sharedBlocks()
  const keyOf = ({ number }: BlockRef) => ({ file: file!, level: firstLevel + level.index, block: number })
  const held = new Map<BlockRef, BlockHit>()
  const release = (): void => held.forEach((hit) => hit.release())
  const share = (ref: BlockRef): BlockHit | BlockFill | null => {
    const hit = held.get(ref)
    if (hit && held.delete(ref)) return hit
    return cache && ref.whole ? cache.acquire(keyOf(ref), decodedBytes(ref, type)) : null
  }
  if (source.readSync) return { level, refs, bytesOf: readLocally(source), share, release }
  for (const ref of refs) {
    const hit = cache && ref.whole && ref.length > 0 ? cache.find(keyOf(ref), decodedBytes(ref, type)) : null
    if (hit) held.set(ref, hit)
  }
  try {
    return { level, refs, bytesOf: await fetchBytes(source, refs, held, signal), share, release }
  } catch (cause) {
    release()
    throw cause
  }
}

async function fetchBytes(
  source: Source,
  refs: readonly BlockRef[],
  held: ReadonlyMap<BlockRef, unknown>,
  signal?: AbortSignal,
): Promise<LoadedBlocks['bytesOf']> {
  const wanted = refs.filter((ref) => ref.length > 0 && !held.has(ref))
  const fetched = await readRanges(source, wanted, signal)
  const byRef = new Map(wanted.map((ref, index) => [ref, fetched[index]!]))
  return (ref) => {
    const bytes = byRef.get(ref)
    if (!bytes) throw new RasterFailure('source', 'a block is decoded that was not fetched')
    return bytes
  }
}

function readLocally(source: Source): LoadedBlocks['bytesOf'] {
  let scratch = new Uint8Array(0)
  return ({ offset, length }) => {
    if (scratch.length < length) scratch = new Uint8Array(length)
    return scratch.subarray(0, source.readSync!(offset, scratch.subarray(0, length)))
  }
}
