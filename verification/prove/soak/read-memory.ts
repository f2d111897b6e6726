import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readMappedMemory, type MappedMemory } from './attribute-memory.ts'

/** Memory of a process in bytes. V8 values are sums over all threads. */
export interface MemorySample {
  readonly rss: number
  /** Resident memory that is not backed by a file. */
  readonly anonymous: number
  readonly heap_used: number
  readonly heap_total: number
  readonly external: number
  readonly array_buffers: number
  /** Resident memory outside V8's heap and external memory: malloc, WebAssembly, stacks and code. */
  readonly native: number
  readonly threads: number
  readonly mapped: MappedMemory
}

interface ThreadMemory {
  readonly heapTotal: number
  readonly heapUsed: number
  readonly external: number
  readonly arrayBuffers: number
}

const statusField = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? NaN)

/** The resident memory of a process in bytes. */
export const readResidentBytes = async (pid: number): Promise<number> =>
  statusField(await readFile(`/proc/${pid}/status`, 'utf8'), 'VmRSS') * 1024

/** Reads the memory of the process and the reports of its threads (`report-memory.ts`). */
export async function readMemory(pid: number, folder: string): Promise<MemorySample> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const field = (name: string): number => statusField(status, name)
  const files = await readdir(folder)
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  // A file that is being written may be incomplete.
  const threads = texts.filter((text) => text.endsWith('}')).map((text) => JSON.parse(text) as ThreadMemory)
  const sum = (name: keyof ThreadMemory): number => threads.reduce((all, thread) => all + thread[name], 0)
  const rss = field('VmRSS') * 1024
  return {
    rss,
    anonymous: field('RssAnon') * 1024,
    heap_used: sum('heapUsed'),
    heap_total: sum('heapTotal'),
    external: sum('external'),
    array_buffers: sum('arrayBuffers'),
    native: rss - sum('heapTotal') - sum('external'),
    threads: field('Threads'),
    mapped: await readMappedMemory(pid),
  }
}

/** The growth per value: the slope of the least-squares line. */
export function computeSlope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  let numerator = 0
  let denominator = 0
  for (const [at, value] of values.entries()) {
    numerator += (at - middle) * (value - mean)
    denominator += (at - middle) ** 2
  }
  return denominator === 0 ? 0 : numerator / denominator
}
