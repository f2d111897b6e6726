import type { Call } from '../../../engine/call.ts'
import { generateChecksummedToken } from '../../../platform/crypto/secrets.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { updateWorkerTokenHash, upsertWorkerToken } from './store.worker-tokens.ts'

/**
 * Issues a token for the outside worker of a job; one that was issued before ends. The caller checks that the job may be
 * handed over. Only the hash is stored.
 */
export async function issueWorkerToken(call: Call, job_id: string, expires_at: Date): Promise<string> {
  const { text, hash } = generateChecksummedToken('worker_token')
  const { organization: organization_id } = call
  // Unscoped, because the directory of hashes belongs to no organization.
  await call.unscoped.transaction((tx) =>
    upsertWorkerToken(
      tx,
      { organization_id, job_id, expires_at, created_by: call.principal.id, created_at: call.clock.now() },
      hash,
    ),
  )
  return text
}

/** Gives the token of a job a new secret and returns it; the former one is not valid any more. The transaction is unscoped. */
export async function replaceWorkerTokenSecret(tx: Tx, organization_id: string, job_id: string): Promise<string> {
  const { text, hash } = generateChecksummedToken('worker_token')
  await updateWorkerTokenHash(tx, { organization_id, job_id }, hash)
  return text
}
