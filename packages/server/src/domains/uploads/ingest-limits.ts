/** The name of the task that converts the verified files of a session to items. */
export const ingestUploadTaskName = 'uploads.ingest'

/** The limits of ingestion during a request; larger sessions are left to the queue. */
const max_inline_bytes = 64 * 1024 * 1024
const max_inline_files = 20
/** The timeout of ingestion during a request; the queue continues. */
export const inline_ingest_timeout_ms = 20_000

export const isSmallUpload = (files: readonly { readonly size_bytes: number }[]): boolean =>
  files.length <= max_inline_files && files.reduce((sum, { size_bytes }) => sum + size_bytes, 0) <= max_inline_bytes
