import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { base62, randomText } from '../ids.ts'

const keyPrefix = 'swath_'
const tilePrefix = 'swathtile_'
const keyLength = 32
const checksumLength = 6

/** What is stored of an API key: enough to recognize it, not to use it. */
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

/** CRC-32 of the random part in base 62, six characters: detects a mistyped key without a database query. */
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

/** A new API key: `swath_`, 32 characters of base 62, 6 characters of checksum. */
export const makeApiKey = (): NewApiKey => make(keyPrefix)

/** A new token for tile URLs, in the format of an API key with another prefix. */
export const makeTileToken = (): NewApiKey => make(tilePrefix)

/** True if a credential is meant as an API key, valid or not. */
export const looksLikeApiKey = (text: string): boolean => text.startsWith(keyPrefix)

/** Null if the text is not an API key or its checksum is wrong. */
export function parseApiKey(text: string): ApiKeyParts | null {
  const match = /^swath_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(text)
  if (!match || checksumOf(match[1]!) !== match[2]) return null
  return partsOf(text)
}

/** The hash of a tile token; null if the text is not one or its checksum is wrong. */
export function hashOfTileToken(text: string): string | null {
  const match = /^swathtile_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(text)
  return match && checksumOf(match[1]!) === match[2] ? hashSecret(text) : null
}
