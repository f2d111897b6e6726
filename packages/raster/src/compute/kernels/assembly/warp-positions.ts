import { WarpTask } from './warp-job.ts'

/**
 * Writes the positions of one row of pixels (or of corners): linear in y, then linear in x between the nodes of the
 * grid.
 */
export function computeRowPositions(job: WarpTask, row: i32, to: usize, count: i32): void {
  if (job.shift == 0) return copyRow(job, row, to, count)
  const shift = job.shift
  const upper = max(0, min(row >> shift, job.nodesDown - 2))
  const lower = min(upper + 1, job.nodesDown - 1)
  const unit = 1 / <f64>(1 << shift)
  const part = f64x2.splat(<f64>(row - (upper << shift)) * unit)
  const cells = max(1, job.nodesAcross - 1)
  let left = along(job, upper * job.nodesAcross, lower * job.nodesAcross, part)
  for (let cell = 0, rest = count; rest > 0; cell++) {
    const next = min(cell + 1, job.nodesAcross - 1)
    const right = along(job, upper * job.nodesAcross + next, lower * job.nodesAcross + next, part)
    const step = f64x2.mul(f64x2.sub(right, left), f64x2.splat(unit))
    const pixels = cell + 1 < cells ? min(1 << shift, rest) : rest
    to = walk(to, left, step, pixels)
    rest -= pixels
    left = right
  }
}

function copyRow(job: WarpTask, row: i32, to: usize, count: i32): void {
  const from = (<usize>(row * job.nodesAcross)) << 3
  let x = job.netX + from
  const shift = job.netY - job.netX
  const end = x + ((<usize>count) << 3)
  for (; x < end; x += 8, to += 16) v128.store(to, v128.load64_lane(x + shift, v128.load64_zero(x), 1))
}

/* @inline */ function along(job: WarpTask, upper: i32, lower: i32, part: v128): v128 {
  const above = nodeAt(job, upper)
  return f64x2.add(above, f64x2.mul(f64x2.sub(nodeAt(job, lower), above), part))
}

/* @inline */ function nodeAt(job: WarpTask, node: i32): v128 {
  const at = (<usize>node) << 3
  return v128.load64_lane(job.netY + at, v128.load64_zero(job.netX + at), 1)
}

/* @inline */ function walk(to: usize, left: v128, step: v128, count: i32): usize {
  const one = f64x2.splat(1)
  let turn = f64x2.splat(0)
  const end = to + ((<usize>count) << 4)
  for (; to < end; to += 16) {
    v128.store(to, f64x2.add(left, f64x2.mul(step, turn)))
    turn = f64x2.add(turn, one)
  }
  return to
}
