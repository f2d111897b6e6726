import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DownloadTarget, FileDescription, OpenDownload } from '../transfer/download-target.ts'
import { removeFile, replaceFile, syncFolder } from './replace-file.ts'

/** What an unfinished download belongs to, as the file beside it says. */
interface PartState extends FileDescription {
  readonly etag: string | null
}

/**
 * Downloads into a file of this machine. Until its bytes are verified they are in `<path>.part`, and `<path>.part.json` says to
 * which version of which file they belong: a later download goes on there, also after a crash. The file appears whole, by a rename.
 */
export function fileTarget(path: string): DownloadTarget {
  const [partPath, statePath] = [`${path}.part`, `${path}.part.json`]
  return {
    open: async (file) => {
      await mkdir(dirname(path), { recursive: true })
      const { kept_bytes, etag } = await findKept(partPath, statePath, file)
      const part = await open(partPath, kept_bytes > 0 ? 'r+' : 'w')
      const clear = async (): Promise<void> => {
        await Promise.all([removeFile(partPath), removeFile(statePath)])
      }
      let at = kept_bytes
      return {
        kept_bytes,
        etag,
        readKept: () => createReadStream(partPath, { end: kept_bytes - 1 }),
        begin: async (received) => {
          const { size_bytes, sha256 } = file
          const state: PartState = { size_bytes, sha256, etag: received }
          if (kept_bytes === 0 || received !== etag) await replaceFile(statePath, JSON.stringify(state))
        },
        write: async (bytes) => {
          // A disk that is almost full takes a part of the bytes, and says so only at the next ones.
          for (let from = 0; from < bytes.length;) {
            const { bytesWritten } = await part.write(bytes, from, bytes.length - from, at)
            from += bytesWritten
            at += bytesWritten
          }
        },
        commit: async () => {
          await part.sync()
          await part.close()
          await rename(partPath, path)
          await removeFile(statePath)
          await syncFolder(dirname(path))
        },
        close: () => part.close(),
        discard: async () => {
          await part.close()
          await clear()
        },
      } satisfies OpenDownload
    },
  }
}

const nothingKept = { kept_bytes: 0, etag: null }

/** The bytes of an earlier download, if they belong to the same version: of equal checksum, or with an ETag that the server can compare. */
async function findKept(partPath: string, statePath: string, file: FileDescription) {
  const [state, part] = await Promise.all([readState(statePath), stat(partPath).catch(() => null)])
  if (!state || !part?.isFile() || state.size_bytes !== file.size_bytes || state.sha256 !== file.sha256)
    return nothingKept
  if (file.sha256 === null && state.etag === null) return nothingKept
  if (file.size_bytes !== null && part.size > file.size_bytes) return nothingKept
  return { kept_bytes: part.size, etag: state.etag }
}

/** Null without a state, and for a file that says something else. */
async function readState(path: string): Promise<PartState | null> {
  try {
    const { size_bytes, sha256, etag } = JSON.parse(await readFile(path, 'utf8')) as Partial<PartState>
    return size_bytes === undefined || sha256 === undefined || etag === undefined ? null : { size_bytes, sha256, etag }
  } catch {
    return null
  }
}
