/** One stored object as its store knows it. */
export interface BlobFacts {
  readonly size: number
  readonly media_type: string
  /** Changes when the bytes change. */
  readonly etag: string
}

export interface SignedAddress {
  readonly url: string
  readonly expires_at: Date
}

/** Keeps bytes by path. Paths are ours: lower-case words, ids and dots between slashes, never starting with one. */
export interface Blobs {
  readonly kind: 'disk' | 's3'
  /** Moves a finished local file into the store; the path then has all its bytes or none. */
  putFile(path: string, localPath: string, mediaType: string): Promise<BlobFacts>
  putBytes(path: string, bytes: Uint8Array, mediaType: string): Promise<BlobFacts>
  /** Throws where the store cannot be used now. */
  ping(): Promise<void>
  /** Where the bytes lie on this machine, for threads that read by themselves; null for a store elsewhere. */
  localPath(path: string): string | null
  /** Null where nothing is stored. */
  head(path: string): Promise<BlobFacts | null>
  /** Bytes of one range; throws `BlobMissing` where nothing is stored. */
  read(path: string, offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>
  /** The object, or one range of it, as a stream. */
  stream(path: string, range?: { start: number; end: number }): Promise<ReadableStream<Uint8Array>>
  delete(path: string): Promise<void>
  list(prefix: string): AsyncIterable<{ path: string; size: number }>
  /** An address that serves GET with Range, without a token, until it expires; on disk HEAD too (S3 signs one method alone). */
  signGet(
    path: string,
    options: { expires_s: number; file_name: string; media_type: string; base: string },
  ): Promise<SignedAddress>
  /** An address that takes the bytes of one object by PUT. */
  signPut(path: string, options: { expires_s: number; media_type: string; base: string }): Promise<SignedAddress>
}

/** The bytes that came are more than the address takes. */
export class BlobTooLarge extends Error {
  readonly limit_bytes: number
  constructor(limit_bytes: number) {
    super(`an object has at most ${limit_bytes} bytes here`)
    this.limit_bytes = limit_bytes
  }
}

/** The store of objects cannot be reached or does not answer; what it said is the cause. */
export class BlobsUnavailable extends Error {
  constructor(cause: unknown) {
    super('the store of objects cannot be used now', { cause })
  }
}

export class BlobMissing extends Error {
  readonly path: string
  constructor(path: string) {
    super(`no object is stored at "${path}"`)
    this.path = path
  }
}

const longestPath = 512

/**
 * Throws a `RangeError` for anything but lower-case words, digits, dots, dashes and underscores between single slashes.
 * No such path climbs (`..`), is absolute, is empty in a part, or means another one after decoding.
 */
export function assertBlobPath(path: string): void {
  const fits = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/.test(path) && !path.includes('..')
  if (!fits || path.length > longestPath) throw new RangeError('not a path of a stored object')
}

/** True when a media type can travel in a header. */
export const isMediaType = (text: string): boolean =>
  text.length <= 127 && /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(; ?[a-z0-9_-]+=("[\w .:/-]*"|[\w.:/-]+))*$/i.test(text)

export function assertMediaType(text: string): void {
  if (!isMediaType(text)) throw new RangeError('not a media type')
}
