import { join } from 'node:path'
import { checkCogLayout, fileSource, openRaster, RasterFailure, writeCog } from '@swath/raster'
import type { CogInput, CogOptions, Raster } from '@swath/raster'
import type { WriteJudge } from './write-judge.ts'

/** Shared state of the checks of written files. */
export interface WriteTrial {
  readonly judge: WriteJudge
  /** True for fewer packings. */
  readonly short: boolean
  readonly violations: string[]
  /** Prints what was compared, and records the problems as violations. */
  readonly report: (what: string, faults: readonly string[]) => void
  readonly open: (file: string) => Promise<Raster>
  /** Writes an image, validates its layout with our check and GDAL's, and returns its path. */
  readonly write: (name: string, input: CogInput, options?: CogOptions) => Promise<string>
  /** Closes all opened files. */
  readonly clear: () => Promise<void>
}

/** Creates the shared state of one run. */
export function startTrial(judge: WriteJudge, short: boolean): WriteTrial {
  const violations: string[] = []
  const opened: Raster[] = []
  const open = async (file: string): Promise<Raster> => {
    const raster = await openRaster(await fileSource(file))
    opened.push(raster)
    return raster
  }
  return {
    judge,
    short,
    violations,
    open,
    report: (what, faults) => {
      console.log(faults.length === 0 ? what : `${what}: ${faults.length} VIOLATIONS`)
      violations.push(...faults.map((fault) => `${what}: ${fault}`))
    },
    write: async (name, input, options = {}) => {
      const { path } = await writeCog(input, join(judge.folder, `ours-${name}.tif`), options)
      const faults = await layoutFaults(judge, path)
      violations.push(...faults.map((fault) => `${name}: ${fault}`))
      return path
    },
    clear: async () => {
      for (const raster of opened.splice(0)) await raster.source.close()
    },
  }
}

/** Problems found by our layout check and by GDAL's validator. */
async function layoutFaults(judge: WriteJudge, path: string): Promise<string[]> {
  const source = await fileSource(path)
  try {
    const { problems } = await checkCogLayout(source)
    const { errors, warnings } = await judge.validate(path)
    return [...problems, ...errors, ...warnings]
  } finally {
    await source.close()
  }
}

/** The kind of RasterFailure that the work throws; null if it succeeds. */
export async function failureOf(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof RasterFailure) return error.kind
    throw error
  }
}
