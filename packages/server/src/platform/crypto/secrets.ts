import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { base62, randomText } from '../ids.ts'

const keyPrefix = 'swath_'
const tilePrefix = 'swathtile_'
const keyLength = 32
const checksumLength = 6

/** What is kept of an API key: enough to recognise it, never enough to use it. */
export interface ApiKeyParts {
  /** SHA-256 of the whole text as hex; a key has 190 random bits, so no slow hash is needed. */
  readonly hash: string
  /** `swath_` and the first four characters, for lists. */
  readonly prefix: string
  /** The last four of the 32 random characters. */
  readonly last_four: string
}

export interface NewApiKey extends ApiKeyParts {
  /** The key itself; shown once. */
  readonly text: string
}

/** SHA-256 as hex, for looking up secrets that are long and random. Never for passwords. */
export const hashSecret = (text: string): string => createHash('sha256').update(text).digest('hex')

/** CRC-32 of the random part in base 62, six characters: tells a typing fault from a revoked key without a look-up. */
function checksumOf(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let place = 0; place < checksumLength; place += 1) {
    text = base62[rest % 62]! + text
    rest = Math.floor(rest / 62)
  }
  return text
}

const partsOf = (text: string, kind = keyPrefix): ApiKeyParts => ({
  hash: hashSecret(text),
  prefix: text.slice(0, kind.length + 4),
  last_four: text.slice(kind.length + keyLength - 4, kind.length + keyLength),
})

function make(kind: string): NewApiKey {
  const body = randomText(keyLength)
  const text = `${kind}${body}${checksumOf(body)}`
  return { text, ...partsOf(text, kind) }
}

/** A new API key: `swath_`, 32 characters of base 62, 6 of checksum. */
export const makeApiKey = (): NewApiKey => make(keyPrefix)

/** A new token for the address of a map, made as an API key is; told apart by its beginning. */
export const makeTileToken = (): NewApiKey => make(tilePrefix)

/** True when a credential is meant as an API key, well formed or not. */
export const looksLikeApiKey = (text: string): boolean => text.startsWith(keyPrefix)

/** Null where the text is not an API key or its checksum does not fit. */
export function parseApiKey(text: string): ApiKeyParts | null {
  const match = /^swath_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(text)
  if (!match || checksumOf(match[1]!) !== match[2]) return null
  return partsOf(text)
}

/** The hash of a tile token; null where the text is none or its checksum does not fit. */
export function hashOfTileToken(text: string): string | null {
  const match = /^swathtile_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(text)
  return match && checksumOf(match[1]!) === match[2] ? hashSecret(text) : null
}
