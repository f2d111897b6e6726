import { createKernels } from './index.ts'
import type { Kernels } from './types.ts'

/** A memory that grew beyond this for one large request is not reused for the next. */
const max_kept_bytes = 268_435_456

let kernels: Kernels | null = null

/**
 * Lends the kernels of this thread to one synchronous piece of work and takes back the memory it reserved. Nothing in
 * that memory outlives the call.
 */
export function withKernels<Answer>(work: (kernels: Kernels) => Answer): Answer {
  kernels ??= createKernels()
  const lent = kernels
  const mark = lent.memory.mark()
  try {
    return work(lent)
  } finally {
    lent.memory.release(mark)
    if (lent.memory.buffer.byteLength > max_kept_bytes) kernels = null
  }
}
