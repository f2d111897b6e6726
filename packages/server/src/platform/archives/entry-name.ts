import { ArchiveFailure } from './archive-failure.ts'

const limit_name_bytes = 1024
const limit_part_bytes = 255
const limit_depth = 32

/** Controls, and marks that make a name read other than it is written. */
const hidden = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]|\p{Cs}/u

const archives = /\.(?:zip|kmz|jar|7z|rar|tar|tgz|tbz2?|txz|gz|bz2|xz|zst|lz4?|cab|iso)$/i

/** What the file managers of Macs and Windows leave in archives. */
const leftovers = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|\._[^/]*$|Thumbs\.db$|desktop\.ini$)/i

/**
 * The name of an entry as a plain relative path with slashes. Throws `unsafe` for names that climb, are absolute, name
 * a drive, hold controls or are longer than file systems take.
 */
export function safeName(written: string): string {
  const shown = JSON.stringify(written.slice(0, 100))
  if (hidden.test(written)) throw unsafe(`${shown} holds characters that cannot be seen`)
  if (/^[a-z]:/i.test(written) || written.startsWith('/')) throw unsafe(`${shown} is not relative to the archive`)
  const parts = written.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throw unsafe(`${shown} leads out of the archive`)
  const tooLong = Buffer.byteLength(written) > limit_name_bytes || parts.length > limit_depth
  if (parts.length === 0 || tooLong || parts.some((part) => Buffer.byteLength(part) > limit_part_bytes)) {
    throw unsafe(`${shown} is empty or too long`)
  }
  return parts.join('/')
}

const unsafe = (what: string): ArchiveFailure =>
  new ArchiveFailure('unsafe', `The name ${what}. Pack the files again under plain names.`)

export const isArchiveName = (name: string): boolean => archives.test(name)
export const isLeftover = (name: string): boolean => leftovers.test(name)

/** Names that a file system may take for one: letters of either case, composed or not. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase()
