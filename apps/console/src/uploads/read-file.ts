/** A file of the person's disk that cannot be read: it was changed, moved or deleted meanwhile, or is a folder. */
export class UnreadableFileError extends Error {
  constructor(cause: unknown) {
    super('the file cannot be read', { cause })
    this.name = 'UnreadableFileError'
  }
}

/** Reads a part of a file. Throws `UnreadableFileError`, which a request with the file as its body would hide. */
export async function readSlice(file: Blob, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  const slice = file.slice(start, end)
  const bytes = await slice.arrayBuffer().catch((cause: unknown) => {
    throw new UnreadableFileError(cause)
  })
  if (bytes.byteLength !== end - start) throw new UnreadableFileError(null)
  return new Uint8Array(bytes)
}
