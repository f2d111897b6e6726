import type { Call } from '../../engine/call.ts'
import { ingestUpload } from './ingest.ts'
import { patience_ms } from './ingest-terms.ts'

/** Ingests a session during the request. If it fails or takes too long, the queue retries it. */
export async function ingestNow(call: Call, upload_id: string): Promise<void> {
  const { db, blobs } = call
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(patience_ms)])
  const tell = (error: unknown): void => call.log.set({ ingest_fault: String(error) })
  try {
    await ingestUpload({ db, blobs, actor: call, signal, last: false, tell }, upload_id)
  } catch (error) {
    tell(error)
  }
}
