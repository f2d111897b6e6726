import { open, readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { UnreadableFileError } from '../transfer/errors.ts'
import type { UploadSource, UploadStateStore } from '../transfer/upload-source.ts'
import { removeFile, replaceFile } from './replace-file.ts'

/** A file of this machine. It must not change while it is uploaded: a read of a changed file throws `UnreadableFileError`. */
export async function fileSource(path: string, name = basename(path)): Promise<UploadSource> {
  const begun = await stat(path)
  if (!begun.isFile()) throw new UnreadableFileError(new Error('not a file'))
  return {
    name,
    size: begun.size,
    read: async (start, end) => {
      try {
        await using file = await open(path, 'r')
        const bytes = new Uint8Array(end - start)
        const [read_bytes, now] = [await readFully(file, bytes, start), await file.stat()]
        if (read_bytes < bytes.length || now.mtimeMs !== begun.mtimeMs || now.size !== begun.size)
          throw new Error('the file changed')
        return bytes
      } catch (cause) {
        throw new UnreadableFileError(cause)
      }
    },
  }
}

/** A read may return fewer bytes than there are. */
async function readFully(file: Awaited<ReturnType<typeof open>>, bytes: Uint8Array, start: number): Promise<number> {
  for (let at = 0; at < bytes.length;) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, start + at)
    if (bytesRead === 0) return at
    at += bytesRead
  }
  return bytes.length
}

/** Remembers the session of an upload in a file, such as `<path>.upload`, so that another process goes on with it. */
export const uploadStateFile = (path: string): UploadStateStore => ({
  load: () =>
    readFile(path, 'utf8').then(
      (text) => text.trim(),
      () => null,
    ),
  save: (upload_id) => replaceFile(path, `${upload_id}\n`),
  clear: () => removeFile(path),
})
