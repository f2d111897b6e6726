import { ZipFailure } from './zip-failure.ts'

const max_name_bytes = 1024
const max_segment_bytes = 255
const max_depth = 32

/** Control characters, and characters that make a name display differently from its bytes. */
const hiddenCharacters = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]|\p{Cs}/u

const archiveExtensions = /\.(?:zip|kmz|jar|7z|rar|tar|tgz|tbz2?|txz|gz|bz2|xz|zst|lz4?|cab|iso)$/i

/** Files that the file managers of macOS and Windows add to archives. */
const osMetadataFiles = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|\._[^/]*$|Thumbs\.db$|desktop\.ini$)/i

/**
 * The name of an entry as a plain relative path with slashes. Throws `unsafe` for a name that leaves the archive with
 * `..`, is absolute, names a drive, contains control characters, or is longer than file systems accept.
 */
export function sanitizeZipEntryName(rawName: string): string {
  const quotedName = JSON.stringify(rawName.slice(0, 100))
  if (hiddenCharacters.test(rawName)) throw unsafeName(`${quotedName} contains invisible characters`)
  if (/^[a-z]:/i.test(rawName) || rawName.startsWith('/')) throw unsafeName(`${quotedName} is not a relative path`)
  const segments = rawName.split('/').filter((segment) => segment !== '' && segment !== '.')
  if (segments.includes('..')) throw unsafeName(`${quotedName} points outside the archive`)
  const tooLong = Buffer.byteLength(rawName) > max_name_bytes || segments.length > max_depth
  if (segments.length === 0 || tooLong || segments.some((segment) => Buffer.byteLength(segment) > max_segment_bytes)) {
    throw unsafeName(`${quotedName} is empty or too long`)
  }
  return segments.join('/')
}

const unsafeName = (reason: string): ZipFailure =>
  new ZipFailure('unsafe', `The name ${reason}. Create the archive again with plain names.`)

export const isArchiveFileName = (name: string): boolean => archiveExtensions.test(name)
export const isOsMetadataFile = (name: string): boolean => osMetadataFiles.test(name)

/** The key under which a file system may treat two names as the same: case-folded and Unicode-normalized. */
export const toFileNameCollisionKey = (name: string): string => name.normalize('NFC').toLowerCase()
