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

/** What an address that takes bytes by PUT promises. */
export interface PutTerms {
  readonly expires_s: number
  readonly media_type: string
  readonly base: string
  /** It takes exactly so many bytes; null takes any number. */
  readonly size?: number | null
  /**
   * What lies in a folder and what is arriving there stay within so many bytes together. Only a store on disk holds it
   * while bytes arrive; a bucket takes them, and whoever looks at what came has to refuse it.
   */
  readonly within?: FolderRoom | null
}

export interface FolderRoom {
  /** Of paths: what begins with it and a slash. */
  readonly folder: string
  readonly bytes: number
}

/** A piece of an object that is sent in pieces. */
export interface PartFacts {
  /** 1 to 10,000; the order in which they are joined. */
  readonly number: number
  readonly size: number
  readonly etag: string
}

/** Sending one object in parts, each of which can be sent again alone. A sending has a name, which the store gives. */
export interface PartBlobs {
  beginParts(path: string, mediaType: string): Promise<string>
  signPart(path: string, sending: string, number: number, options: PutTerms): Promise<SignedAddress>
  /** The parts that have arrived whole, by number; none where the sending is over. */
  listParts(path: string, sending: string): Promise<PartFacts[]>
  /** Makes the object of these parts, in their order, and ends the sending. Throws `PartsUnusable`. */
  joinParts(path: string, sending: string, parts: readonly PartFacts[], mediaType: string): Promise<BlobFacts>
  /** Ends the sending; its parts are gone. */
  dropParts(path: string, sending: string): Promise<void>
  /** Ends every sending of an object in a folder, also one that nobody remembers. */
  dropAllParts(folder: string): Promise<void>
}

/** Keeps bytes by path. Paths are ours: lower-case words, ids and dots between slashes, never starting with one. */
export interface Blobs extends PartBlobs {
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
    options: { expires_s: number; file_name: string; media_type: string; base: string; ticket?: string },
  ): Promise<SignedAddress>
  /** An address that takes the bytes of one object by PUT. */
  signPut(path: string, options: PutTerms): Promise<SignedAddress>
}

/** The bytes that came are more than the address takes. */
export class BlobTooLarge extends Error {
  readonly limit_bytes: number
  constructor(limit_bytes: number) {
    super(`an object has at most ${limit_bytes} bytes here`)
    this.limit_bytes = limit_bytes
  }
}

/** The bytes that came are not as many as the address takes. */
export class BlobSizeDiffers extends Error {
  constructor(expected: number, received: number) {
    super(`the address takes exactly ${expected} bytes, and ${received} came`)
  }
}

/** The parts of an object cannot be joined; the message says why. */
export class PartsUnusable extends Error {}

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
