import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { base62, randomText } from '../ids.ts'

const api_key_prefix = 'swath_'
const tile_token_prefix = 'swathtile_'
const worker_token_prefix = 'swathjob_'
const impersonation_token_prefix = 'swathview_'
const random_length = 32
const checksum_length = 6

/** What is stored of an API key: enough to recognize it, not to use it. */
export interface StoredApiKey {
  /** SHA-256 of the whole text as hex; a key has 190 random bits, so no slow hash is needed. */
  readonly hash: string
  /** `swath_` and the first four characters, for lists. */
  readonly prefix: string
  /** The last four of the 32 random characters. */
  readonly last_four: string
}

export interface GeneratedApiKey extends StoredApiKey {
  /** The key itself; shown once. */
  readonly text: string
}

/** SHA-256 as hex, for looking up secrets that are long and random. Never for passwords. */
export const hashSecret = (text: string): string => createHash('sha256').update(text).digest('hex')

/** CRC-32 of the random part in base 62, six characters: detects a mistyped key without a database query. */
function computeChecksum(body: string): string {
  let remainder = crc32(body)
  let text = ''
  for (let digit = 0; digit < checksum_length; digit += 1) {
    text = base62[remainder % 62]! + text
    remainder = Math.floor(remainder / 62)
  }
  return text
}

const toStoredKey = (text: string, prefix = api_key_prefix): StoredApiKey => ({
  hash: hashSecret(text),
  prefix: text.slice(0, prefix.length + 4),
  last_four: text.slice(prefix.length + random_length - 4, prefix.length + random_length),
})

function generateSecret(prefix: string): GeneratedApiKey {
  const body = randomText(random_length)
  const text = `${prefix}${body}${computeChecksum(body)}`
  return { text, ...toStoredKey(text, prefix) }
}

/** A new API key: `swath_`, 32 characters of base 62, 6 characters of checksum. */
export const generateApiKey = (): GeneratedApiKey => generateSecret(api_key_prefix)

/** A new token for tile URLs, in the format of an API key with another prefix. */
export const generateTileToken = (): GeneratedApiKey => generateSecret(tile_token_prefix)

/** A new token for the outside worker of one job, in the same format. */
export const generateWorkerToken = (): GeneratedApiKey => generateSecret(worker_token_prefix)

/** A new token with which an operator reads as a user, in the same format. */
export const generateImpersonationToken = (): GeneratedApiKey => generateSecret(impersonation_token_prefix)

/** True if a credential is meant as the token of an operator who reads as a user, valid or not. */
export const hasImpersonationTokenPrefix = (text: string): boolean => text.startsWith(impersonation_token_prefix)

/** True if a credential is meant as the token of a worker, valid or not. */
export const hasWorkerTokenPrefix = (text: string): boolean => text.startsWith(worker_token_prefix)

/** True if a credential is meant as an API key, valid or not. */
export const hasApiKeyPrefix = (text: string): boolean => text.startsWith(api_key_prefix)

/** Null if the text is not an API key or its checksum is wrong. */
export function parseApiKey(text: string): StoredApiKey | null {
  const match = /^swath_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(text)
  if (!match || computeChecksum(match[1]!) !== match[2]) return null
  return toStoredKey(text)
}

/** The hash of a secret with this prefix; null if the text is not one or its checksum is wrong. */
function hashOf(prefix: string, text: string): string | null {
  const match = text.startsWith(prefix) ? /^([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(text.slice(prefix.length)) : null
  return match && computeChecksum(match[1]!) === match[2] ? hashSecret(text) : null
}

/** The hash of a tile token; null if the text is not one or its checksum is wrong. */
export const hashTileToken = (text: string): string | null => hashOf(tile_token_prefix, text)

/** The hash of the token of a worker; null if the text is not one or its checksum is wrong. */
export const hashWorkerToken = (text: string): string | null => hashOf(worker_token_prefix, text)

/** The hash of the token of an operator who reads as a user; null if the text is not one or its checksum is wrong. */
export const hashImpersonationToken = (text: string): string | null => hashOf(impersonation_token_prefix, text)

export const signing_secret_prefix = 'whsec_'

/** A new signing secret of webhooks, as Standard Webhooks writes it: `whsec_` and 32 random bytes in base64. */
export const generateSigningSecret = (): string => `${signing_secret_prefix}${randomBytes(32).toString('base64')}`
