import { join } from 'node:path'
import { checkCogLayout, fileSource, openRaster, RasterFailure, writeCog } from '@swath/raster'
import type { CogInput, CogOptions, Raster } from '@swath/raster'
import type { WriteJudge } from './write-judge.ts'

/** What the checks of written files share. */
export interface WriteTrial {
  readonly judge: WriteJudge
  /** True for fewer packings. */
  readonly short: boolean
  readonly violations: string[]
  /** Prints what was compared, and keeps what is wrong. */
  readonly report: (what: string, faults: readonly string[]) => void
  readonly open: (file: string) => Promise<Raster>
  /** Writes an image; its layout is looked at by us and by GDAL. Answers the file. */
  readonly write: (name: string, input: CogInput, options?: CogOptions) => Promise<string>
  /** Closes what was opened. */
  readonly clear: () => Promise<void>
}

/** What all checks of one run share. */
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

/** What our structural check and GDAL's validator object to. */
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

/** The kind of failure that work ends with; null where it does not fail. */
export async function failureOf(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof RasterFailure) return error.kind
    throw error
  }
}
