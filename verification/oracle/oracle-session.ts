import { join } from 'node:path'
import {
  openFileSource,
  openRaster,
  RasterFailure,
  writeCog,
  type CogInput,
  type CogOptions,
  type Raster,
} from '@swath/raster'
import { checkCogLayout } from '@swath/raster/test/check-cog-layout.ts'
import type { WriteValidator } from './write-validator.ts'
import { openRasterFor } from '../prove/harness/resources.ts'

/** Shared state of the checks of written files. */
export interface OracleSession extends AsyncDisposable {
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
  const closeFiles = async (): Promise<void> => {
    for (const raster of opened.splice(0)) await raster.source.close()
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
    closeFiles,
    [Symbol.asyncDispose]: closeFiles,
  }
}

/** Problems found by our layout check and by GDAL's validator. */
async function findLayoutProblems(validator: WriteValidator, path: string): Promise<string[]> {
  await using raster = await openRasterFor(path)
  const { problems } = await checkCogLayout(raster.source)
  const { errors, warnings } = await validator.validate(path)
  return [...problems, ...errors, ...warnings]
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
