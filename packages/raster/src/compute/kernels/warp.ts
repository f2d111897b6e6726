import { sampleTypeProperties } from '../../sample-types.ts'
import type { SampleType } from '../../types.ts'
import type { KernelAddress, KernelMemory, WarpKernelJob } from './types.ts'
import { checkWarpRequest, planResampleWeights } from './warp-job.ts'
import { reserveWarpScratch, encodeWarpJob, writeWarpScratch } from './warp-scratch.ts'
import type { WarpBandGroup } from './warp-scratch.ts'

type WarpFunctions = Readonly<Record<string, (job: KernelAddress) => void>>

/** Names of the sample types in the warp functions of the module. */
const typeNames: Readonly<Record<SampleType, string>> = {
  uint8: 'U8',
  int8: 'I8',
  uint16: 'U16',
  int16: 'I16',
  uint32: 'U32',
  int32: 'I32',
  float32: 'F32',
  float64: 'F64',
}

/** The warp of the compiled kernels; `exports` are those of the module. */
export function createWarpKernel(memory: KernelMemory, exports: object): (job: WarpKernelJob) => void {
  const warpFunctions = exports as WarpFunctions
  return (job) => {
    checkWarpRequest(job)
    const mark = memory.mark()
    try {
      const scratch = reserveWarpScratch(memory, job)
      writeWarpScratch(memory.buffer, scratch, job)
      for (const group of groupBands(job)) {
        encodeWarpJob(memory.buffer, scratch, job, group)
        warpFunctions[functionNameOf(job, group)]!(scratch.job)
      }
    } finally {
      memory.release(mark)
    }
  }
}

/** Samples that one load of four reaches are resampled together; a band that is far from all others is resampled by itself. */
function groupBands({ source, target }: WarpKernelJob): WarpBandGroup[] {
  const groups: { first: number; targets: (number | null)[] }[] = []
  const order = [...source.bandOffsets.entries()].sort(([, a], [, b]) => a - b)
  for (const [band, offset] of order) {
    const to = target.bandOffsets[band]!
    const group = groups.find(({ first, targets }) => offset - first < 4 && targets[offset - first] === null)
    if (group) group.targets[offset - group.first] = to
    else groups.push({ first: offset, targets: [to, null, null, null] })
  }
  return groups
}

/** Nearest pixels are copied, whatever their samples mean: only the size counts. */
function functionNameOf(job: WarpKernelJob, { targets }: WarpBandGroup): string {
  const { type } = job.source
  const together = targets.some((to, at) => at > 0 && to !== null) ? 'x4' : ''
  if (job.resampling === 'nearest') return `nearestResampleU${sampleTypeProperties[type].bits}${together}`
  if (job.resampling === 'average') return `averageResample${typeNames[type]}${together}`
  return `${planResampleWeights(job).blends ? 'bilinear' : 'weighted'}Resample${typeNames[type]}${together}`
}
