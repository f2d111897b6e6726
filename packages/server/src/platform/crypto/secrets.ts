import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { base62, randomText } from '../ids.ts'
import { token_prefixes, getTokenBody, type TokenKind } from './token-prefixes.ts'

const random_length = 32
const checksum_length = 6

/** The stored form of an API key: enough to recognize it, not to use it. */
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
export const hashSecretSha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

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

/** Kinds of tokens that end with a checksum: a mistyped one needs no look-up. */
type ChecksummedKind = Extract<
  TokenKind,
  'api_key' | 'personal_token' | 'tile_token' | 'worker_token' | 'impersonation_token'
>

const toStoredKey = (kind: ChecksummedKind, text: string): StoredApiKey => {
  const { length } = token_prefixes[kind]
  return {
    hash: hashSecretSha256(text),
    prefix: text.slice(0, length + 4),
    last_four: text.slice(length + random_length - 4, length + random_length),
  }
}

/** A new token: the prefix of its kind, 32 characters of base 62, 6 characters of checksum. */
export function generateChecksummedToken(kind: ChecksummedKind): GeneratedApiKey {
  const body = randomText(random_length)
  const text = `${token_prefixes[kind]}${body}${computeChecksum(body)}`
  return { text, ...toStoredKey(kind, text) }
}

/** Null if the text is not a token of this kind or its checksum is wrong. */
function parseChecksummedToken(kind: ChecksummedKind, text: string): StoredApiKey | null {
  const match = /^([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(getTokenBody(kind, text) ?? '')
  return match && computeChecksum(match[1]!) === match[2] ? toStoredKey(kind, text) : null
}

/** Null if the text is not an API key or its checksum is wrong. */
export const parseApiKey = (text: string): StoredApiKey | null => parseChecksummedToken('api_key', text)

/** The hash of a token of this kind; null if the text is not one or its checksum is wrong. */
export const hashChecksummedToken = (kind: ChecksummedKind, text: string): string | null =>
  parseChecksummedToken(kind, text)?.hash ?? null

/** A new signing secret of webhooks, as Standard Webhooks writes it: `whsec_` and 32 random bytes in base64. */
export const generateSigningSecret = (): string =>
  `${token_prefixes.signing_secret}${randomBytes(32).toString('base64')}`
