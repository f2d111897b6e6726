import { readFile } from 'node:fs/promises'
import { listProcessTree } from '../process-tree.ts'

const poll_ms = 250

export interface MemoryWatch {
  /** Peak resident memory of the process and its children in bytes; null on systems that do not report it. */
  peak(): Promise<number | null>
  stop(): void
}

/**
 * Watches a process and its children by the peak memory that Linux records for each (`VmHWM`): the sum is an upper bound of
 * their combined peak.
 */
export function watchMemory(pid: number): MemoryWatch {
  let peak_bytes: number | null = null
  const sampleMemory = async (): Promise<void> => {
    const peaks = await Promise.all((await listProcessTree(pid)).map(readPeakMemory))
    const sum = peaks.reduce<number>((bytes, peak) => bytes + (peak ?? 0), 0)
    if (sum > 0) peak_bytes = Math.max(peak_bytes ?? 0, sum)
  }
  const timer = setInterval(() => void sampleMemory().catch(() => {}), poll_ms)
  return {
    peak: async () => {
      await sampleMemory().catch(() => {})
      return peak_bytes
    },
    stop: () => clearInterval(timer),
  }
}

async function readPeakMemory(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(status)
  return found ? Number(found[1]) * 1024 : null
}
