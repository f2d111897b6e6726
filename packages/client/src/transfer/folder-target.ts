import { fileHandleTarget, type DownloadTarget, type WritableFileHandle } from './download-target.ts'
import { createSha256 } from './sha256.ts'

/** The names of the folders, and of the file, each of which is safe (`toSafeName`). */
export type FilePath = readonly string[]

/** A file that is in its place. */
export interface PresentFile {
  readonly size_bytes: number
  /** Reads the whole file. */
  computeSha256(): Promise<string>
}

/** A folder into which several files are downloaded. */
export interface FolderTarget {
  file(path: FilePath): DownloadTarget
  /** Null if there is no file at the path. */
  find(path: FilePath): Promise<PresentFile | null>
}

/** A folder that the person chose or that belongs to the page (`FileSystemDirectoryHandle`). */
export interface DirectoryHandle {
  getDirectoryHandle(name: string, options: { create: boolean }): Promise<DirectoryHandle>
  getFileHandle(name: string, options: { create: boolean }): Promise<WritableFileHandle & { getFile(): Promise<Blob> }>
}

/** Downloads into a folder of the browser. */
export function directoryHandleTarget(root: DirectoryHandle): FolderTarget {
  const openFile = async (path: FilePath, create: boolean) => {
    let folder = root
    for (const name of path.slice(0, -1)) folder = await folder.getDirectoryHandle(name, { create })
    return folder.getFileHandle(path.at(-1)!, { create })
  }
  return {
    file: (path) => ({ open: async (file) => fileHandleTarget(await openFile(path, true)).open(file) }),
    find: async (path) => {
      const file = await openFile(path, false).then(
        (handle) => handle.getFile(),
        () => null,
      )
      return file && { size_bytes: file.size, computeSha256: () => hashOf(file.stream()) }
    },
  }
}

/** The SHA-256 of a stream, in hexadecimal. */
export async function hashOf(stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>): Promise<string> {
  const hash = createSha256()
  for await (const piece of stream as AsyncIterable<Uint8Array>) hash.update(piece)
  return hash.digest()
}
