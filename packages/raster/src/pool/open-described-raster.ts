import { LRUCache } from 'lru-cache'
import { openLocalFileSource } from '../io/source/local-file.ts'
import type { Raster, RasterByteSource } from '../types.ts'
import type { RasterDescriptor, SourceDescriptor } from './worker-task.ts'

/** Reads bytes of the n-th source of a task in the thread that has it. */
export type ReadTaskSource = (source: number, offset: number, length: number) => Promise<Uint8Array>

/**
 * The raster of a descriptor, in the thread or process that works on it. Sources that it cannot open are read through
 * `ask`.
 */
export function openDescribedRaster(
  descriptor: RasterDescriptor,
  ask: ReadTaskSource | null,
  isSharing: boolean,
): Raster {
  const { sides, ...own } = reuseKnown(descriptor)
  const known = isSharing ? { ...own, fileId: own.fileId ?? own.file } : own
  const opened = Object.entries(sides).map(([name, side]) => [name, openSource(side, ask)])
  return { ...known, ...Object.fromEntries(opened), source: openSource(descriptor.source, ask) }
}

function openSource({ number, id, size, etag, path }: SourceDescriptor, ask: ReadTaskSource | null): RasterByteSource {
  if (path !== undefined) return openLocalFileSource(path, id, size, etag)
  return { id, size, etag, read: (offset, length) => ask!(number, offset, length), close: async () => {} }
}

const descriptors = new LRUCache<number, RasterDescriptor>({ max: 256 })

/**
 * Reuses the levels, the grid and the reference system of an earlier descriptor of the same file, because results
 * computed for the file are cached by these objects. Everything else may differ.
 */
function reuseKnown(descriptor: RasterDescriptor): RasterDescriptor {
  const known = descriptors.get(descriptor.file) ?? descriptor
  if (known === descriptor) descriptors.set(descriptor.file, descriptor)
  const { levels, affine, crs } = known
  const sameGrid = affine.every((number, index) => number === descriptor.affine[index])
  const sameCrs = crs.proj4 === descriptor.crs.proj4 && crs.epsg === descriptor.crs.epsg
  return { ...descriptor, levels, affine: sameGrid ? affine : descriptor.affine, crs: sameCrs ? crs : descriptor.crs }
}
