import { ArchiveFailure } from './archive-failure.ts'

const limit_name_bytes = 1024
const limit_part_bytes = 255
const limit_depth = 32

/** Control characters, and characters that make a name display differently from its bytes. */
const hidden = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]|\p{Cs}/u

const archives = /\.(?:zip|kmz|jar|7z|rar|tar|tgz|tbz2?|txz|gz|bz2|xz|zst|lz4?|cab|iso)$/i

/** Files that the file managers of macOS and Windows add to archives. */
const leftovers = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|\._[^/]*$|Thumbs\.db$|desktop\.ini$)/i

/**
 * The name of an entry as a plain relative path with slashes. Throws `unsafe` for a name that leaves the archive with
 * `..`, is absolute, names a drive, contains control characters, or is longer than file systems accept.
 */
export function safeName(written: string): string {
  const shown = JSON.stringify(written.slice(0, 100))
  if (hidden.test(written)) throw unsafe(`${shown} contains invisible characters`)
  if (/^[a-z]:/i.test(written) || written.startsWith('/')) throw unsafe(`${shown} is not a relative path`)
  const parts = written.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throw unsafe(`${shown} points outside the archive`)
  const tooLong = Buffer.byteLength(written) > limit_name_bytes || parts.length > limit_depth
  if (parts.length === 0 || tooLong || parts.some((part) => Buffer.byteLength(part) > limit_part_bytes)) {
    throw unsafe(`${shown} is empty or too long`)
  }
  return parts.join('/')
}

const unsafe = (what: string): ArchiveFailure =>
  new ArchiveFailure('unsafe', `The name ${what}. Create the archive again with plain names.`)

export const isArchiveName = (name: string): boolean => archives.test(name)
export const isLeftover = (name: string): boolean => leftovers.test(name)

/** The key under which a file system may treat two names as the same: case-folded and Unicode-normalized. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase()
