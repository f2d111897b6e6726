import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { LRUCache } from 'lru-cache'
import { RasterFailure } from '../../failures.ts'
import { checkByteRange } from './range.ts'

/** Files that one thread keeps open at one time. */
const max_open_files = 64

/** An open file; `size` is the one that it had when it was opened. */
export interface OpenFile {
  readonly descriptor: number
  readonly size: number
}

// Of this thread; a key never means a file with other bytes.
const open = new LRUCache<string, OpenFile>({ max: max_open_files, dispose: ({ descriptor }) => closeSync(descriptor) })

/** The state of a file: it is another one where a file of the same path has another size, time of change or inode. */
export function readFileState({ size, mtimeNs, ino }: BigIntStats): string {
  return `${size}-${mtimeNs}-${ino}`
}

/**
 * A file as this thread may read it at any time, opened again where its descriptor had to go. The path is looked at once,
 * now. Ends with a `source` failure where there is no file or it is not in the state that was expected.
 */
export function openWatchedFile(path: string, expected: { readonly size?: number; readonly state?: string } = {}) {
  const stats = failing('the file cannot be opened', () => statSync(path, { bigint: true }))
  if (!stats.isFile()) throw new RasterFailure('source', 'the file cannot be opened: it is no file')
  const state = readFileState(stats)
  const size = Number(stats.size)
  if ((expected.size ?? size) !== size || (expected.state ?? state) !== state) throw createFileReplacedFailure()
  const key = `${state} ${path}`
  return {
    size,
    state,
    /** Fills `into` with the bytes from `offset` on; fewer at the end of the file. */
    readInto: (offset: number, into: Uint8Array): number => readFileInto(openFile(key, path, state), offset, into),
  }
}

export const createFileReplacedFailure = (): RasterFailure =>
  new RasterFailure('source', 'the file was replaced by another one')

function openFile(key: string, path: string, state: string): OpenFile {
  const known = open.get(key)
  if (known) return known
  const file = openAgain(path, state)
  open.set(key, file)
  return file
}

function openAgain(path: string, state: string): OpenFile {
  const descriptor = failing('the file cannot be opened', () => openSync(path, 'r'))
  const stats = fstatSync(descriptor, { bigint: true })
  if (readFileState(stats) === state) return { descriptor, size: Number(stats.size) }
  closeSync(descriptor)
  throw createFileReplacedFailure()
}

/** Fills `into` with the bytes of an open file from `offset` on; fewer at its end. Answers how many. */
export function readFileInto({ descriptor, size }: OpenFile, offset: number, into: Uint8Array): number {
  checkByteRange(offset, into.byteLength)
  const length = Math.max(0, Math.min(into.byteLength, size - offset))
  return failing(`could not read bytes ${offset} to ${offset + length - 1}`, () => {
    let done = 0
    // One system call may return fewer bytes than were requested.
    while (done < length) {
      const read = readSync(descriptor, into, done, length - done, offset + done)
      if (read === 0) break
      done += read
    }
    return done
  })
}

function failing<Answer>(says: string, work: () => Answer): Answer {
  try {
    return work()
  } catch (cause) {
    throw new RasterFailure('source', says, { cause })
  }
}
