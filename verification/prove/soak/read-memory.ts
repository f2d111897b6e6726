import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readStatusField } from '../harness/process-tree.ts'

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

/** Reads the memory of the process and the reports of its threads (`report-memory.ts`). */
export async function readMemory(pid: number, folder: string): Promise<MemorySample> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const field = (name: string): number => readStatusField(status, name)
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

/** Resident memory of a process in bytes, by the kind of mapping. */
interface MappedMemory {
  /** Programs, libraries and other files. */
  readonly files: number
  /** Memory of malloc: the program break and the arenas of threads. */
  readonly malloc: number
  /** Linear memories of WebAssembly, with the embedded database's. */
  readonly webassembly: number
  /** Anonymous mappings whose owner cannot be identified: V8's heaps, large blocks of malloc, stacks. */
  readonly other: number
}

interface Mapping {
  readonly start: number
  readonly end: number
  readonly isAccessible: boolean
  readonly name: string
  readonly resident: number
}

const mebibyte = 1024 * 1024
/** glibc maps an arena of a thread as an aligned reservation of this size, of which a first part is accessible. */
const arena_bytes = 64 * mebibyte
/** V8 reserves the address space that a 32-bit index can reach behind a linear memory. */
const min_webassembly_reservation_bytes = 4096 * mebibyte

/** The mappings in the format of Linux' `/proc/<pid>/smaps`, by address. */
function parseMappings(smaps: string): Mapping[] {
  const heads = [...smaps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ \S+ *(.*)$/gm)]
  return heads.map((head, index) => {
    const text = smaps.slice(head.index, heads[index + 1]?.index)
    return {
      start: Number.parseInt(head[1]!, 16),
      end: Number.parseInt(head[2]!, 16),
      isAccessible: !head[3]!.startsWith('---'),
      name: head[4]!,
      resident: Number(/^Rss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024,
    }
  })
}

/** The bytes that are reserved and inaccessible directly behind a mapping. */
function reservedBehind(mappings: readonly Mapping[], index: number): number {
  const next = mappings[index + 1]
  return next && !next.isAccessible && next.start === mappings[index]!.end ? next.end - next.start : 0
}

function classify(mappings: readonly Mapping[], index: number): keyof MappedMemory {
  const { start, end, name } = mappings[index]!
  if (name === '[heap]') return 'malloc'
  if (name !== '' && !name.startsWith('[')) return 'files'
  const reserved = reservedBehind(mappings, index)
  if (reserved >= min_webassembly_reservation_bytes) return 'webassembly'
  return start % arena_bytes === 0 && end - start + reserved === arena_bytes ? 'malloc' : 'other'
}

/** Sums the resident memory of mappings by kind; `smaps` is the text of `/proc/<pid>/smaps`. */
export function attributeMemory(smaps: string): MappedMemory {
  const mappings = parseMappings(smaps)
  const sums = { files: 0, malloc: 0, webassembly: 0, other: 0 }
  for (const [index, { resident }] of mappings.entries()) sums[classify(mappings, index)] += resident
  return sums
}

/** Attributes the resident memory of a running process. */
const readMappedMemory = async (pid: number): Promise<MappedMemory> =>
  attributeMemory(await readFile(`/proc/${pid}/smaps`, 'utf8'))
