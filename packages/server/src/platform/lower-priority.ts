import { setPriority } from 'node:os'

/** Between the usual 0 and 19, which would have to wait for everything else on the machine; the threads for pixels have the same. */
const niceness = 5

/**
 * Has the calling thread give way to others of the process where there are fewer cores than work: what is computed takes
 * long in any case, and the thread that answers calls must not wait for it. Linux alone has priorities of threads;
 * elsewhere it would be that of the whole process, which is left alone.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, niceness)
  } catch {
    // Where the priority may not be changed, all goes on with the usual one.
  }
}
