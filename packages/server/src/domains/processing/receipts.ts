import { defineService } from '../../engine/process-services.ts'
import { contractVersion } from '@swath/contract/version.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import {
  createDocumentSigner,
  listDistinctPublicKeys,
  type DocumentSigner,
  type DocumentSignaturePublicKey,
} from '../../platform/crypto/document-signer.ts'
import { deriveKey, type CurrentAndAcceptedKeys } from '../../platform/crypto/signatures.ts'
import type { JobRow } from './store.ts'
import type { WrittenItem } from './write-results.ts'

/** Signs the receipts of jobs. */
export const jobReceiptSignerKey = defineService<DocumentSigner>('receiptSigner')

/** The keys that verify receipts of any age, that of the signer first. */
export const jobReceiptKeysServiceKey = defineService<readonly DocumentSignaturePublicKey[]>('receiptKeys')

export const createJobReceiptSigner = (secret: Uint8Array): DocumentSigner =>
  createDocumentSigner(deriveKey(secret, 'receipts'), 'swath-receipt+jws')

/** The keys that verify receipts: those of these master secrets, and those of earlier ones. */
export const listJobReceiptKeys = (
  masterSecrets: CurrentAndAcceptedKeys,
  earlier: readonly DocumentSignaturePublicKey[],
): readonly DocumentSignaturePublicKey[] =>
  listDistinctPublicKeys([...masterSecrets.map((secret) => createJobReceiptSigner(secret).publicKey), ...earlier])

/** A receipt, and the same with a signature. */
export interface SignedJobReceipt {
  readonly receipt: object
  /** Compact JWS whose payload is the receipt. */
  readonly receipt_jws: string
}

/** Signs the inputs and the outputs of a job: enough to repeat it and to compare the bytes. */
export function issueJobReceipt(
  signer: DocumentSigner,
  job: JobRow,
  written: readonly WrittenItem[],
  at: OrganizationTime,
): SignedJobReceipt {
  const receipt = createReceipt(job, written, at)
  return { receipt, receipt_jws: signer.sign(receipt) }
}

const createReceipt = (job: JobRow, written: readonly WrittenItem[], at: OrganizationTime) => ({
  organization_id: job.organization_id,
  job_id: job.id,
  completed_at: at.toISOString(),
  process: job.process_id,
  process_version: job.process_version,
  platform_version: contractVersion,
  inputs: job.inputs,
  worker: job.worker,
  attempt: job.attempt,
  result_key: job.result_key,
  sources: job.plan.sources,
  outputs: written.flatMap(({ plan, assets }) =>
    assets
      .filter(({ roles }) => roles.includes('data'))
      .map(({ key, checksum_sha256, file_size_bytes }) => ({
        item_id: plan.id,
        asset_key: key,
        process: plan.assets.find((asset) => asset.key === key)?.process ?? null,
        sha256: checksum_sha256,
        size_bytes: file_size_bytes,
      })),
  ),
})
