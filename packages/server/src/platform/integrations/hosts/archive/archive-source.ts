import { copyFile, opendir, realpath, stat } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { HostFileLocation } from '../../imagery-host.ts'

/** One file of an archive. */
export interface ArchiveHostFile {
  /** Below the root, with slashes. */
  readonly path: string
  readonly size: number
  /** Changes when the bytes change. */
  readonly version: string
}

/** The files of an archive: a folder or a bucket with a prefix. Paths are checked by the caller. */
export interface ArchiveHostStorage {
  /** The prefix that paths of this archive may have in an item, such as `s3://bucket/prefix/`. */
  readonly root: string
  /** All files, at most `max_entries`. */
  list(max_entries: number, signal?: AbortSignal): Promise<readonly ArchiveHostFile[]>
  /** A whole file; throws if it is longer than `max_bytes`. */
  read(path: string, max_bytes: number, signal?: AbortSignal): Promise<Uint8Array>
  size(path: string, signal?: AbortSignal): Promise<number>
  download(path: string, localPath: string, signal: AbortSignal): Promise<void>
  /** The file on this machine; null for a bucket. */
  localPath(path: string): string | null
  /** The location of a file for reading ranges, with links followed. Throws if it is not inside the archive. */
  locate(path: string): Promise<HostFileLocation>
}

/** A folder on this machine. Links that lead out of it are not followed. */
export function openFolderSource(folder: string): ArchiveHostStorage {
  const locate = async (path: string): Promise<string> => {
    const [root, file] = [await realpath(folder), await realpath(join(folder, path))]
    if (!file.startsWith(`${root}${sep}`)) throw new Error(`"${path}" is not inside the folder of the archive`)
    return file
  }
  return {
    root: folder,
    list: (max_entries, signal) => listFolder(folder, max_entries, signal),
    async read(path, max_bytes) {
      const file = await open(await locate(path))
      try {
        const { size } = await file.stat()
        if (size > max_bytes) throw new Error(`"${path}" is longer than ${max_bytes} bytes`)
        const bytes = new Uint8Array(size)
        const { bytesRead } = await file.read(bytes, 0, size, 0)
        return bytes.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    },
    size: async (path) => (await stat(await locate(path))).size,
    async download(path, localPath, signal) {
      signal.throwIfAborted()
      await copyFile(await locate(path), localPath)
    },
    localPath: (path) => join(folder, path),
    async locate(path) {
      const file = await locate(path)
      const { size, mtimeMs } = await stat(file)
      return { kind: 'local', path: file, version: `${size}-${mtimeMs}` }
    },
  }
}

async function listFolder(folder: string, max_entries: number, signal?: AbortSignal): Promise<ArchiveHostFile[]> {
  const entries: ArchiveHostFile[] = []
  for await (const entry of await opendir(folder, { recursive: true })) {
    signal?.throwIfAborted()
    if (!entry.isFile() || entries.length >= max_entries) continue
    const file = join(entry.parentPath, entry.name)
    const { size, mtimeMs } = await stat(file)
    entries.push({ path: relative(folder, file).split(sep).join('/'), size, version: `${size}-${mtimeMs}` })
  }
  return entries
}
