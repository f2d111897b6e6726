import type { ProofOptions, ProofResult } from '../prove/proof.ts'
import { checkCopies } from './check-copies.ts'
import { checkDerived } from './check-derived.ts'
import { checkProcesses } from './check-processes.ts'
import { checkWrittenOverviews } from './check-written-overviews.ts'
import { startWriteValidator } from './write-validator.ts'
import { createOracleSession } from './oracle-session.ts'

/**
 * Compares files of our writer with those of GDAL: copies of every sample type, packing and band metadata; overviews; clips,
 * expressions, change, reprojections, mosaics, terrain, sieves and medians. Every file must pass GDAL's full COG validation and our own.
 */
export async function proveWriteOracle({ short }: ProofOptions): Promise<ProofResult> {
  const validator = await startWriteValidator()
  const session = createOracleSession(validator, short)
  let tried = 0
  try {
    for (const check of [checkCopies, checkWrittenOverviews, checkDerived, checkProcesses]) {
      tried += await check(session)
      await session.closeFiles()
    }
  } finally {
    await session.closeFiles()
    await validator.stop()
  }
  return { tried: `${tried} files written`, violations: session.violations }
}
