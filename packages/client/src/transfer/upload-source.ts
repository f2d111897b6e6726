import { UnreadableFileError } from './errors.ts'

/** A file to be uploaded. */
export interface UploadSource {
  /** The name under which the platform lists it. */
  readonly name: string
  readonly size: number
  /** Reads the bytes from `start` up to, and without, `end`. Throws `UnreadableFileError`. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>
}

/** Remembers the session of an upload over a crash. Without one, the open sessions of the caller are searched by name and size. */
export interface UploadStateStore {
  load(): Promise<string | null>
  save(upload_id: string): Promise<void>
  /** Called when the upload has ended. */
  clear(): Promise<void>
}

/** A file that a person chose, or other bytes of the browser. A request with it as its body would hide that it cannot be read. */
export const blobSource = (blob: Blob, name = (blob as { readonly name?: string }).name ?? 'file'): UploadSource => ({
  name,
  size: blob.size,
  read: async (start, end) => {
    const bytes = await blob
      .slice(start, end)
      .arrayBuffer()
      .catch((cause: unknown) => {
        throw new UnreadableFileError(cause)
      })
    if (bytes.byteLength !== end - start) throw new UnreadableFileError(null)
    return new Uint8Array(bytes)
  },
})

export const bytesSource = (bytes: Uint8Array<ArrayBuffer>, name: string): UploadSource => ({
  name,
  size: bytes.length,
  read: (start, end) => Promise.resolve(bytes.subarray(start, end)),
})
