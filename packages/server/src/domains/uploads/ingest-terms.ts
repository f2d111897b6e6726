/** The task that turns the verified files of a session into items. */
export const ingestUploadTask = 'uploads.ingest'

/** What a call does itself while its caller waits; beyond that the queue does it. */
const small_bytes = 64 * 1024 * 1024
const small_files = 20
/** A call that waits longer than this leaves the rest to the queue. */
export const patience_ms = 20_000

export const isSmall = (files: readonly { readonly size_bytes: number }[]): boolean =>
  files.length <= small_files && files.reduce((sum, { size_bytes }) => sum + size_bytes, 0) <= small_bytes
