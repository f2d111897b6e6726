/** The metadata of one object in a store. */
export interface BlobMetadata {
  readonly size: number
  readonly media_type: string
  /** Changes when the bytes change. */
  readonly etag: string
}

export interface SignedUrl {
  readonly url: string
  readonly expires_at: Date
}

/** Options of a signed upload URL. */
export interface SignedPutOptions {
  readonly expires_s: number
  readonly media_type: string
  readonly base: string
  /** The exact number of bytes to upload; null accepts any number. */
  readonly size?: number | null
  /**
   * A quota for everything stored or arriving under a prefix. Only the disk store enforces it while bytes arrive; with S3
   * the caller checks the size after the upload.
   */
  readonly within?: BlobPrefixQuota | null
}

export interface BlobPrefixQuota {
  /** Applies to paths that begin with this and a slash. */
  readonly folder: string
  readonly bytes: number
}

/** One part of a multipart upload. */
export interface UploadedPart {
  /** 1 to 10,000; parts are joined in this order. */
  readonly number: number
  readonly size: number
  readonly etag: string
}

/** Multipart uploads: each part can be sent again alone. The store issues the id of the upload. */
export interface MultipartUploads {
  createMultipartUpload(path: string, mediaType: string): Promise<string>
  signUploadPart(path: string, uploadId: string, number: number, options: SignedPutOptions): Promise<SignedUrl>
  /** The complete parts, by number; empty if the upload has ended. */
  listParts(path: string, uploadId: string): Promise<UploadedPart[]>
  /** Creates the object from these parts in their order and ends the upload. Throws `InvalidUploadParts`. */
  completeMultipartUpload(
    path: string,
    uploadId: string,
    parts: readonly UploadedPart[],
    mediaType: string,
  ): Promise<BlobMetadata>
  /** Ends the upload and deletes its parts. */
  abortMultipartUpload(path: string, uploadId: string): Promise<void>
  /** Aborts every multipart upload under a folder, also those that no row refers to. */
  abortAllMultipartUploads(folder: string): Promise<void>
}

/**
 * Stores bytes by path. Paths are generated here: lower-case words, ids and dots between slashes, without a leading slash.
 */
export interface BlobStore extends MultipartUploads {
  readonly kind: 'disk' | 's3'
  /** Moves a finished local file into the store atomically: the path then has all its bytes or none. */
  putFile(path: string, localPath: string, mediaType: string): Promise<BlobMetadata>
  putBytes(path: string, bytes: Uint8Array, mediaType: string): Promise<BlobMetadata>
  /** Throws if the store is not available. */
  ping(): Promise<void>
  /** The path of the bytes on this machine, for threads that read files directly; null for a remote store. */
  localPath(path: string): string | null
  /** Null if the object does not exist. */
  head(path: string): Promise<BlobMetadata | null>
  /** Reads one range; throws `BlobNotFound` if the object does not exist. */
  read(path: string, offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>
  /** The object, or one range of it, as a stream. */
  stream(path: string, range?: { start: number; end: number }): Promise<ReadableStream<Uint8Array>>
  delete(path: string): Promise<void>
  list(prefix: string): AsyncIterable<{ path: string; size: number }>
  /** A URL that serves GET with Range without a token until it expires; on disk also HEAD (S3 signs a single method). */
  signGet(
    path: string,
    options: { expires_s: number; file_name: string; media_type: string; base: string; ticket?: string },
  ): Promise<SignedUrl>
  /** A URL that accepts one object by PUT. */
  signPut(path: string, options: SignedPutOptions): Promise<SignedUrl>
}

/** More bytes arrived than the URL accepts. */
export class BlobTooLarge extends Error {
  readonly max_bytes: number
  constructor(max_bytes: number) {
    super(`the object exceeds the limit of ${max_bytes} bytes`)
    this.max_bytes = max_bytes
  }
}

/** The number of bytes differs from the signed size. */
export class BlobSizeMismatch extends Error {
  constructor(expected: number, received: number) {
    super(`the URL accepts exactly ${expected} bytes, but ${received} were received`)
  }
}

/** The parts cannot be joined into an object; the message says why. */
export class InvalidUploadParts extends Error {}

/** The blob store cannot be reached or does not respond; the cause is the original error. */
export class BlobStoreUnavailable extends Error {
  constructor(cause: unknown) {
    super('the blob store is not available', { cause })
  }
}

export class BlobNotFound extends Error {
  readonly path: string
  constructor(path: string) {
    super(`there is no object at "${path}"`)
    this.path = path
  }
}

const max_path_length = 512

/**
 * Throws a `RangeError` for anything but lower-case letters, digits, dots, dashes and underscores between single slashes.
 * Such a path contains no `..`, is not absolute, has no empty segment and does not change by decoding.
 */
export function assertBlobPath(path: string): void {
  const isValid = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/.test(path) && !path.includes('..')
  if (!isValid || path.length > max_path_length) throw new RangeError('not a valid blob path')
}

/** True if a media type can be sent in a header. */
export const isValidMediaType = (text: string): boolean =>
  text.length <= 127 && /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(; ?[a-z0-9_-]+=("[\w .:/-]*"|[\w.:/-]+))*$/i.test(text)

export function assertMediaType(text: string): void {
  if (!isValidMediaType(text)) throw new RangeError('not a valid media type')
}
