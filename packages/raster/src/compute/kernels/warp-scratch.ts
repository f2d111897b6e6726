import { sampleTypeProperties } from '../../sample-types.ts'
import type { KernelAddress, KernelMemory, WarpKernelJob } from './types.ts'
import { linearResampleAxisPlan, minWeightSums, planResampleWeights } from './warp-job.ts'
import type { ResampleAxisPlan } from './warp-job.ts'

/** Bands that are resampled together: up to four samples from `first` on, each with its offset in the target, or null. */
export interface WarpBandGroup {
  readonly first: number
  readonly targets: readonly (number | null)[]
}

/** The memory of the compiled warp during one job. */
export interface WarpScratchMemory {
  readonly job: KernelAddress
  readonly netX: KernelAddress
  readonly netY: KernelAddress
  readonly positions: KernelAddress
  readonly nextPositions: KernelAddress
  readonly packed: KernelAddress
  readonly chosen: KernelAddress
  readonly axes: readonly [across: AxisMemory, down: AxisMemory]
  readonly spareAxes: readonly [across: AxisMemory, down: AxisMemory] | null
}

/** An axis of a kernel, with a slot for the taps of each column. */
interface AxisMemory {
  readonly at: KernelAddress
  readonly plan: ResampleAxisPlan
  /** Pixels of the source along it. */
  readonly length: number
  readonly slots: KernelAddress
  readonly slotBytes: number
  readonly columns: number
}

const job_bytes = 256
const axis_bytes = 64
/** Taps without their weights. */
const taps_bytes = 64
/** Kernels load four pixels at once: up to three beyond the one that they need. */
const pixels_per_load = 4

/** Reserves memory for everything beside the pixels. */
export function reserveWarpScratch(memory: KernelMemory, job: WarpKernelJob): WarpScratchMemory {
  const { net, source, target, resampling } = job
  const bytes = sampleTypeProperties[source.type].bits / 8
  const averages = resampling === 'average'
  const row = 16 * (target.width + 1)
  const reserveAxis = (plan: ResampleAxisPlan, length: number, columns: number): AxisMemory => {
    const weights = averages ? 0 : Math.ceil(Math.min(plan.taps, length) / 4) * 4 * (bytes <= 2 ? 4 : 8)
    const slotBytes = taps_bytes + weights
    const at = memory.reserve(axis_bytes)
    return { at, plan, length, slots: memory.reserve(columns * slotBytes), slotBytes, columns }
  }
  const { across, down, blends, needsAll } = planResampleWeights(job)
  const columns = blends || resampling === 'nearest' ? 0 : target.width
  const scratch = {
    job: memory.reserve(job_bytes),
    netX: memory.reserve(8 * net.across * net.down),
    netY: memory.reserve(8 * net.across * net.down),
    positions: memory.reserve(row),
    nextPositions: memory.reserve(averages ? row : 0),
    packed: memory.reserve(4 * bytes * target.width),
    chosen: memory.reserve(8 * target.width),
    axes: [reserveAxis(across, source.width, columns), reserveAxis(down, source.height, columns)] as const,
    spareAxes:
      blends || needsAll
        ? ([
            reserveAxis(linearResampleAxisPlan, source.width, 1),
            reserveAxis(linearResampleAxisPlan, source.height, 1),
          ] as const)
        : null,
  }
  memory.reserve(pixels_per_load * Math.max(source.pixelStride, pixels_per_load) * bytes)
  return scratch
}

// 1.5 × 2^20 and its upper word; what they are for stands at the fields of `assembly/warp-job.ts`.
const rounding_magic = 1_572_864
const position_bias = 0x4138_0000n << 32n
const upper_words_mask = 0xffff_ffff_0000_0000n

/** Copies the grid and sets up the axes, with no taps yet. */
export function writeWarpScratch(buffer: ArrayBuffer, scratch: WarpScratchMemory, { net }: WarpKernelJob): void {
  const nodes = net.across * net.down
  new Float64Array(buffer, scratch.netX, nodes).set(net.x.subarray(0, nodes))
  new Float64Array(buffer, scratch.netY, nodes).set(net.y.subarray(0, nodes))
  for (const axis of [...scratch.axes, ...(scratch.spareAxes ?? [])]) writeAxis(buffer, axis)
}

/** Writes the fields of an axis, in the order of `assembly/warp-taps.ts`. */
function writeAxis(buffer: ArrayBuffer, { at, plan, length, slots, slotBytes, columns }: AxisMemory): void {
  new Float64Array(buffer, at, 3).set([plan.narrowing, plan.reach, plan.taps])
  new Float32Array(buffer, at + 24, 2).set([plan.taps, plan.narrowing])
  new Int32Array(buffer, at + 32, 5).set([Number(plan.cubic), length, plan.taps, slots, slotBytes])
  const positions = new Float64Array(buffer, slots, (columns * slotBytes) / 8)
  for (let slot = 0; slot < positions.length; slot += slotBytes / 8) positions[slot] = NaN
}

/** Writes the fields of the job, in the order of `assembly/warp-job.ts`. */
export function encodeWarpJob(
  buffer: ArrayBuffer,
  scratch: WarpScratchMemory,
  job: WarpKernelJob,
  group: WarpBandGroup,
): void {
  const { source, target, net } = job
  const bytes = sampleTypeProperties[source.type].bits / 8
  const least = job.resampling === 'average' ? minWeightSums.mean : minWeightSums.kernel
  new Float64Array(buffer, scratch.job, 3).set([rounding_magic, rounding_magic - 0.5, least])
  new BigUint64Array(buffer, scratch.job + 24, 2).set([upper_words_mask, position_bias])
  const fields = [
    source.at + group.first * bytes,
    source.mask,
    source.width,
    source.height,
    source.pixelStride * bytes,
    source.rowStride * bytes,
    ...group.targets.map((offset) => (offset === null ? 0 : target.at + offset * bytes)),
    target.mask,
    target.width,
    target.height,
    target.pixelStride * bytes,
    target.rowStride * bytes,
    scratch.netX,
    scratch.netY,
    net.across,
    net.down,
    Math.log2(net.spacing),
    scratch.positions,
    scratch.nextPositions,
    scratch.packed,
    scratch.axes[0].at,
    scratch.axes[1].at,
    scratch.chosen,
    scratch.spareAxes?.[0].at ?? 0,
    scratch.spareAxes?.[1].at ?? 0,
  ]
  new Int32Array(buffer, scratch.job + 40, fields.length).set(fields)
}
