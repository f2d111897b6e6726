import { createHmac } from 'node:crypto'
import { constantTimeEqual } from '../../crypto/signatures.ts'
import { PaymentsFailure } from './payments.ts'

/** The maximum difference between the time of a signature and the current time, which limits replay of a webhook. */
export const webhook_signature_tolerance_s = 300

const toUnixSeconds = (time: Date): number => Math.floor(time.getTime() / 1000)

const computeDigest = (key: Uint8Array | string, seconds: number, body: Uint8Array): string =>
  createHmac('sha256', key).update(`${seconds}.`).update(body).digest('hex')

/** The header `stripe-signature` for a body: `t=<Unix seconds>,v1=<HMAC-SHA256 of "t.body" in hex>`. */
export function signWebhookBody(key: Uint8Array | string, body: Uint8Array, now: Date): string {
  const seconds = toUnixSeconds(now)
  return `t=${seconds},v1=${computeDigest(key, seconds, body)}`
}

/** Throws `signature` unless one of the header's signatures matches the body and was made within five minutes of now. */
export function verifyWebhookSignature(
  key: Uint8Array | string,
  body: Uint8Array,
  header: string | null,
  now: Date,
): void {
  const headerParts = (header ?? '').split(',').map((part) => part.trim().split('='))
  const readValues = (name: string): string[] =>
    headerParts.flatMap(([partName, value]) => (partName === name && value ? [value] : []))
  const time = readValues('t')[0] ?? ''
  const seconds = /^\d{1,12}$/.test(time) ? Number(time) : Number.NaN
  const expected = computeDigest(key, seconds, body)
  const isSigned = readValues('v1').some((signature) => constantTimeEqual(signature, expected))
  if (!isSigned) throw new PaymentsFailure('signature', 'The webhook is not signed by the payment processor.')
  if (Math.abs(toUnixSeconds(now) - seconds) > webhook_signature_tolerance_s) {
    throw new PaymentsFailure('signature', 'The timestamp of the webhook signature is too old or in the future.')
  }
}
