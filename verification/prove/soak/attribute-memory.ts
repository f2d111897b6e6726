import { readFile } from 'node:fs/promises'

/** Resident memory of a process in bytes, by the kind of mapping. */
export interface MappedMemory {
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
export const readMappedMemory = async (pid: number): Promise<MappedMemory> =>
  attributeMemory(await readFile(`/proc/${pid}/smaps`, 'utf8'))
