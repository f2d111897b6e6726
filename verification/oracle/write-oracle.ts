import type { ProofOptions, ProofResult } from '../prove/proof.ts'
import { checkCopies } from './check-copies.ts'
import { checkDerived } from './check-derived.ts'
import { checkProcesses } from './check-processes.ts'
import { startWriteValidator, type MakeFileRequest } from './write-validator.ts'
import { createOracleSession, type OracleSession } from './oracle-session.ts'
import { createCopyInput } from '@swath/raster'

/**
 * Compares files of our writer with those of GDAL: copies of every sample type, packing and band metadata; overviews; clips,
 * expressions, change, reprojections, mosaics, terrain, sieves and medians. Every file must pass GDAL's full COG validation and our own.
 */
export async function proveWriteOracle({ short }: ProofOptions): Promise<ProofResult> {
  await using validator = await startWriteValidator()
  await using session = createOracleSession(validator, short)
  let tried = 0
  for (const check of [checkCopies, checkWrittenOverviews, checkDerived, checkProcesses]) {
    tried += await check(session)
    await session.closeFiles()
  }

  return { tried: `${tried} files written`, violations: session.violations }
}

/** Sides that can be halved several times: two programs may round an odd edge differently. */
const imageSize = [1024, 768] as const
const block_pixels = 256

const fileSpecs: readonly MakeFileRequest[] = [
  { name: 'bytes', type: 'uint8', bands: 3, size: imageSize },
  { name: 'bytes-nodata', type: 'uint8', nodata: '61', size: imageSize },
  { name: 'words-nodata', type: 'uint16', bands: 2, nodata: '0', size: imageSize },
  { name: 'signed', type: 'int16', nodata: '-32768', size: imageSize },
  { name: 'longs', type: 'int32', size: imageSize },
  { name: 'floats-nodata', type: 'float32', nodata: '-9999', size: imageSize },
  { name: 'floats-nan', type: 'float32', nodata: 'nan', size: imageSize },
  { name: 'rgb-mask', type: 'uint8', bands: 3, mask: true, size: imageSize, options: ['PHOTOMETRIC=RGB'] },
]

/** Tolerances of samples: means are rounded, and GDAL computes floating-point ones in 32 bits. */
const steps = { AVERAGE: 1, NEAREST: 0, MODE: 0 } as const
/** Along the edge of a mask GDAL includes some masked values: at most this share of the samples. */
const mask_edge = 0.0005

/** Files whose nearest and mode overviews are checked in the short form: every nodata rule and sample size. */
const pickedInShort: ReadonlySet<string> = new Set(['bytes', 'words-nodata', 'floats-nan', 'rgb-mask'])

/** Compares our overviews with those of GDAL's COG driver. */
async function checkWrittenOverviews(session: OracleSession): Promise<number> {
  const { validator, short } = session
  let written = 0
  for (const spec of fileSpecs) {
    const file = await validator.make(spec)
    const source = await session.open(file)
    for (const [kind, step] of Object.entries(steps)) {
      if (short && kind !== 'AVERAGE' && !pickedInShort.has(spec.name)) continue
      written++
      const overviews = kind.toLowerCase() as 'average' | 'nearest' | 'mode'
      const path = await session.write(`${spec.name}-${overviews}`, createCopyInput([source], null), {
        overviews,
        block: block_pixels,
      })
      const theirs = await validator.translate(file, [
        `OVERVIEW_RESAMPLING=${kind}`,
        `BLOCKSIZE=${block_pixels}`,
        'COMPRESS=DEFLATE',
        'OVERVIEW_COUNT=2',
      ])
      // From the second level on a tie changes the input of the next one.
      for (const level of kind === 'MODE' ? [1] : [1, 2]) {
        // GDAL averages 32-bit integers as 32-bit floats, each level from the one before.
        const isCoarse = spec.type === 'int32' && kind === 'AVERAGE' && level > 1
        const comparison = await validator.compare(path, theirs, { level, step: isCoarse ? step + 1 : step })
        const problems: string[] = []
        if (comparison.shapes) problems.push(`sizes are ${JSON.stringify(comparison.shapes)}`)
        // GDAL downsamples the mask of the second level by another rule.
        if (level === 1 && comparison.masks > 0) problems.push(`${comparison.masks} pixels of the mask differ`)
        if (comparison.beyond > (spec.mask && kind === 'MODE' ? mask_edge * comparison.samples : 0))
          problems.push(`${comparison.beyond} of ${comparison.samples} samples differ, by up to ${comparison.largest}`)
        session.report(`overview ${level} of ${spec.name}, ${overviews} (${comparison.different} different)`, problems)
      }
    }
  }
  return written
}
