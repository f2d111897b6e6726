import type { ProofOptions, Verdict } from '../prove/proof.ts'
import { checkCopies } from './check-copies.ts'
import { checkDerived } from './check-derived.ts'
import { checkWrittenOverviews } from './check-written-overviews.ts'
import { startWriteJudge } from './write-judge.ts'
import { startTrial } from './write-trial.ts'

/**
 * Compares files of our writer with those of GDAL: copies of every sample type, packing and band metadata; overviews; clips,
 * expressions, change, reprojections and mosaics. Every file must pass GDAL's full COG validation and our own.
 */
export async function proveWriteOracle({ short }: ProofOptions): Promise<Verdict> {
  const judge = await startWriteJudge()
  const trial = startTrial(judge, short)
  let tried = 0
  try {
    for (const check of [checkCopies, checkWrittenOverviews, checkDerived]) {
      tried += await check(trial)
      await trial.clear()
    }
  } finally {
    await trial.clear()
    await judge.end()
  }
  return { tried: `${tried} files written`, violations: trial.violations }
}
