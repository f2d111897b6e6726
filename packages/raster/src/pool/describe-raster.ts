import { nextFileNumber } from '../io/cache/header-cache.ts'
import type { Raster, Source } from '../types.ts'
import { sideFiles } from './worker-task.ts'
import type { RasterDescriptor, SideFile, SourceDescriptor } from './worker-task.ts'

/** An opened file has the same number while it is in use, whatever its other metadata; no number is used twice. */
export function numberFiles(): (raster: Raster) => number {
  const numbers = new WeakMap<object, number>()
  return ({ fileId, levels }) => {
    const known = fileId ?? numbers.get(levels) ?? nextFileNumber()
    numbers.set(levels, known)
    return known
  }
}

export function sidesOf(raster: Raster): (readonly [name: SideFile, source: Source])[] {
  return sideFiles.flatMap((name) => (raster[name] ? [[name, raster[name]] as const] : []))
}

export function describeRaster(raster: Raster, file: number, sources: readonly Source[]): RasterDescriptor {
  const describe = (source: Source): SourceDescriptor => {
    const { id, size, etag, path } = source
    return { number: sources.indexOf(source), id, size, etag, path }
  }
  const { maskSource: _mask, overviewSource: _overviews, maskOverviewSource: _both, ...plain } = raster
  const sides = Object.fromEntries(sidesOf(raster).map(([name, source]) => [name, describe(source)]))
  return { ...plain, file, source: describe(raster.source), sides }
}
