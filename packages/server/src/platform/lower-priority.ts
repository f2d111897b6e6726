import { setPriority } from 'node:os'

/**
 * Between the default of 0 and the maximum of 19, which would wait for everything else on the machine; the raster threads
 * have the same.
 */
const niceness = 5

/**
 * Lowers the priority of the calling thread where there are more busy threads than cores: a computation takes long in any
 * case, and the thread that answers requests must not wait for it. Only Linux has a priority per thread; elsewhere it
 * would change that of the whole process, so nothing is done.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, niceness)
  } catch {
    // If the priority may not be changed, the thread continues with the default one.
  }
}
