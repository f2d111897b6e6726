import type { Clock } from '../clock.ts'
import { BlobTooLarge, type FolderRoom } from './blobs.ts'

/** Tracks the stored and arriving bytes of prefixes that have a quota. */
export interface FolderRooms {
  /**
   * Runs `work`, which reports arriving bytes for the path to `count`; `count` throws `BlobTooLarge` as soon as the prefix
   * would exceed its quota. The bytes already stored at the path are not counted, because they are replaced.
   */
  use<T>(path: string, room: FolderRoom | null, work: (count: (bytes: number) => void) => Promise<T>): Promise<T>
  /** Records the size now stored at the path; null for no object. */
  changed(path: string, size: number | null): void
}

/** The objects stored under a prefix. */
interface Contents {
  readonly sizes: Map<string, number>
  bytes: number
}

/** The stored objects together with the bytes that are arriving. */
interface Filling {
  contents: Promise<Contents>
  measured_ms: number
  arriving: number
  users: number
}

/** Other processes may write into the same folder, so a measurement expires after this time. */
const stale_ms = 30_000
const most_folders = 1000

/** Lists a prefix once, then counts what this process writes. */
export function openFolderRooms(
  list: (prefix: string) => AsyncIterable<{ path: string; size: number }>,
  clock: Clock,
): FolderRooms {
  const fillings = new Map<string, Filling>()
  const measure = async (folder: string): Promise<Contents> => {
    const contents: Contents = { sizes: new Map(), bytes: 0 }
    for await (const { path, size } of list(`${folder}/`)) note(contents, path, size)
    return contents
  }
  const fillingOf = (folder: string): Filling => {
    const measured_ms = clock.now().getTime()
    const known = fillings.get(folder)
    if (known && measured_ms - known.measured_ms < stale_ms) return known
    const measured = { contents: measure(folder), measured_ms }
    if (known) return Object.assign(known, measured)
    for (const [name, { users }] of fillings) if (fillings.size >= most_folders && users === 0) fillings.delete(name)
    const filling = { ...measured, arriving: 0, users: 0 }
    fillings.set(folder, filling)
    return filling
  }
  return {
    use: async (path, room, work) => {
      if (room === null) return work(() => {})
      const filling = fillingOf(room.folder)
      filling.users++
      let arrived = 0
      try {
        const contents = await filling.contents
        return await work((bytes) => {
          arrived += bytes
          filling.arriving += bytes
          const beside = contents.bytes - (contents.sizes.get(path) ?? 0)
          if (beside + filling.arriving > room.bytes) throw new BlobTooLarge(room.bytes)
        })
      } finally {
        filling.arriving -= arrived
        filling.users--
      }
    },
    changed: (path, size) => {
      for (const [folder, { contents }] of fillings)
        if (path.startsWith(`${folder}/`))
          void contents.then(
            (known) => note(known, path, size),
            () => {},
          )
    },
  }
}

function note(contents: Contents, path: string, size: number | null): void {
  contents.bytes += (size ?? 0) - (contents.sizes.get(path) ?? 0)
  if (size === null) contents.sizes.delete(path)
  else contents.sizes.set(path, size)
}
