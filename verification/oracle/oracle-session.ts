import { join } from 'node:path'
import { openFileSource, openRaster, RasterFailure, writeCog } from '@swath/raster'
import { checkCogLayout } from '@swath/raster/test/check-cog-layout.ts'
import type { CogInput, CogOptions, Raster } from '@swath/raster'
import type { WriteValidator } from './write-validator.ts'

/** Shared state of the checks of written files. */
export interface OracleSession {
  readonly validator: WriteValidator
  /** True for fewer packings. */
  readonly short: boolean
  readonly violations: string[]
  /** Prints the description of a comparison, and records the problems as violations. */
  readonly report: (description: string, problems: readonly string[]) => void
  readonly open: (file: string) => Promise<Raster>
  /** Writes an image, validates its layout with our check and GDAL's, and returns its path. */
  readonly write: (name: string, input: CogInput, options?: CogOptions) => Promise<string>
  /** Closes all opened files. */
  readonly closeFiles: () => Promise<void>
}

/** Creates the shared state of one run. */
export function createOracleSession(validator: WriteValidator, short: boolean): OracleSession {
  const violations: string[] = []
  const opened: Raster[] = []
  const open = async (file: string): Promise<Raster> => {
    const raster = await openRaster(await openFileSource(file))
    opened.push(raster)
    return raster
  }
  return {
    validator,
    short,
    violations,
    open,
    report: (description, problems) => {
      console.log(problems.length === 0 ? description : `${description}: ${problems.length} VIOLATIONS`)
      violations.push(...problems.map((fault) => `${description}: ${fault}`))
    },
    write: async (name, input, options = {}) => {
      const { path } = await writeCog(input, join(validator.folder, `ours-${name}.tif`), options)
      const problems = await findLayoutProblems(validator, path)
      violations.push(...problems.map((fault) => `${name}: ${fault}`))
      return path
    },
    closeFiles: async () => {
      for (const raster of opened.splice(0)) await raster.source.close()
    },
  }
}

/** Problems found by our layout check and by GDAL's validator. */
async function findLayoutProblems(validator: WriteValidator, path: string): Promise<string[]> {
  const source = await openFileSource(path)
  try {
    const { problems } = await checkCogLayout(source)
    const { errors, warnings } = await validator.validate(path)
    return [...problems, ...errors, ...warnings]
  } finally {
    await source.close()
  }
}

/** The kind of RasterFailure that the work throws; null if it succeeds. */
export async function captureFailureKind(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof RasterFailure) return error.kind
    throw error
  }
}
