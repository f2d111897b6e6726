import type { Call } from '../../engine/call.ts'
import { ingestUpload } from './ingest.ts'
import { inline_ingest_timeout_ms } from './ingest-limits.ts'

/** Ingests a session during the request. If it fails or takes too long, the queue retries it. */
export async function ingestInRequest(call: Call, upload_id: string): Promise<void> {
  const { db, blobs, processServices } = call
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(inline_ingest_timeout_ms)])
  const reportError = (error: unknown): void => call.log.set({ ingest_fault: String(error) })
  try {
    await ingestUpload(
      { db, blobs, processServices, actor: call, signal, isLastAttempt: false, reportError },
      upload_id,
    )
  } catch (error) {
    reportError(error)
  }
}
