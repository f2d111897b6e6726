import { findCodec } from '../codec/registry.ts'
import { readRanges } from '../source/coalesce.ts'
import type { Level, Raster, SampleType } from '../types.ts'
import { checkRef, planBlocks } from './block-refs.ts'
import type { BlockRef } from './block-refs.ts'
import { readBlockTable } from './block-table.ts'
import { alphaOf } from './validity.ts'
import type { Window } from './window.ts'

/** The blocks of one level under a window, their bytes at hand for the synchronous part. */
export interface LoadedBlocks {
  readonly level: Level
  readonly refs: readonly BlockRef[]
  /** The bytes as the file has them; an empty run for a block that the file leaves out. */
  readonly bytesOf: (ref: BlockRef) => Uint8Array
}

/** A planned window whose bytes are at hand. `release` it once it has been gathered, or given up. */
export interface LoadedWindow {
  readonly window: Window
  /** 0-based, as asked for; a band may come twice. */
  readonly bands: readonly number[]
  readonly image: LoadedBlocks
  readonly mask: LoadedBlocks | null
  readonly release: () => void
}

/**
 * Plans the blocks of a window and fetches their bytes, neighbours together. What it costs is the caller's to check.
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
  const [image, mask] = await Promise.all([
    loadBlocks(raster, level, raster.sampleType, window, read, signal),
    level.mask ? loadBlocks(raster, level.mask, 'uint8', window, [0], signal) : null,
  ])
  return { window, bands, image, mask, release: () => {} }
}

async function loadBlocks(
  raster: Raster,
  level: Level,
  _type: SampleType,
  window: Window,
  bands: readonly number[],
  signal?: AbortSignal,
): Promise<LoadedBlocks> {
  await findCodec(level.compression).prepare?.()
  const refs = planBlocks(level, await readBlockTable(raster.source, level, signal), window, bands)
  const present = refs.filter((ref) => ref.length > 0)
  for (const ref of present) checkRef(ref, raster.source, level)
  const fetched = await readRanges(raster.source, present, signal)
  const byRef = new Map(present.map((ref, index) => [ref, fetched[index]!]))
  return { level, refs, bytesOf: (ref) => byRef.get(ref) ?? new Uint8Array(0) }
}
